package program

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/guard"
	"contend/program/wire"
)

// Instances in states that nobody has any more are found, though garbage is collected seldom, and all programs of a module share them.
func TestSpares(t *testing.T) {
	for _, seeds := range []int{1, 2, 3} {
		p, err := New(Config{Package: "./testdata/counter", Hosts: []string{"n"}, Seeds: seeds})
		require.NoError(t, err)
		assert.Equal(t, seeds > 1, p.Stats().Instances > 0)
		p.Node()
		b, _ := p.begin(&process{of: p}, nil, 0)
		require.NoError(t, b.err)
		for range 130 {
			(&process{of: p, kept: b.snapshot}).instance()
		}
		assert.LessOrEqual(t, p.Stats().Instances, crowd)
	}
}

// Two programs with the same history have the same memory, and one that differs is refused.
func TestComparedMemories(t *testing.T) {
	p, err := New(Config{Package: "./testdata/counter", Hosts: []string{"n"}, Guest: Wasm})
	require.NoError(t, err)
	p.Node()
	b, _ := p.begin(&process{of: p}, nil, 0)
	require.NoError(t, b.err)
	one, other := &process{of: p, kept: b.snapshot}, &process{of: p, kept: b.snapshot}
	one.compare(other)
	assert.Zero(t, p.Stats().Compared, "programs without an instance have no memory to compare")
	_, _ = one.instance(), other.instance()
	one.compare(other)
	assert.Equal(t, 1, p.Stats().Compared)
	_, _ = one.live.Step(0, append([]byte{wire.Called}, "add"...))
	refused := func() (err error) {
		defer guard.Caught(&err)
		one.compare(other)
		return nil
	}
	assert.ErrorContains(t, refused(), "program ./testdata/counter: the same history left two different memories")
	one.name[0] = 1
	other.name[0] = 1
	one.compare(other)
	assert.Equal(t, 2, p.Stats().Compared, "one pair of many is compared")
}
