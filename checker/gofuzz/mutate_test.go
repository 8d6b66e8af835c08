package gofuzz

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Mutations differ from the input, most of them behind a beginning that stays; they have a bound, and are a function of what is drawn.
func TestMutated(t *testing.T) {
	data, other := bytes.Repeat([]byte{1, 2, 3, 4}, 50), bytes.Repeat([]byte{9}, 100)
	was := bytes.Clone(data)
	same, begins := 0, 0
	for seed := range uint64(1000) {
		is := Mutated(rand.New(rand.NewPCG(seed, 0)), data, other)
		assert.Equal(t, is, Mutated(rand.New(rand.NewPCG(seed, 0)), data, other))
		if bytes.Equal(is, data) {
			same++
		}
		if bytes.HasPrefix(is, data[:20]) {
			begins++
		}
	}
	assert.Equal(t, was, data)
	assert.Less(t, same, 50)
	assert.Greater(t, begins, 500)
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		data = Mutated(r, data, other)
		assert.LessOrEqual(t, len(data), mostBytes)
	}
	assert.NotPanics(t, func() { Mutated(r, nil, nil) })
}
