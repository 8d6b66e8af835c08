package program

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
