package program

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
)

// People see where each goroutine of a program waits, in its own calls. Looking changes nothing.
func TestGoroutines(t *testing.T) {
	p, err := New(Config{Package: "./testdata/lock", Hosts: []string{"server", "c1"}})
	require.NoError(t, err)
	p.Node()
	b, _ := p.begin(&process{of: p}, disk.New(disk.Options{}), 0)
	require.NoError(t, b.err)
	q := &process{of: p, kept: b.snapshot, name: b.name}
	q.instance()
	before := q.live.Hash()
	for range 2 {
		all := q.goroutines()
		require.Len(t, all, 2)
		assert.Regexp(t, `^goroutine \d+ \[sync.Cond.Wait\]: main.\(\*server\).serve main.go:\d+ in main.main main.go:\d+$`, all[0])
		assert.Regexp(t, `^goroutine \d+ \[chan receive\]: main.\(\*server\).serve.func1 main.go:\d+$`, all[1])
	}
	assert.Equal(t, before, q.live.Hash())
}

// A program that has ended has none.
func TestGoroutinesOfTheEnded(t *testing.T) { assert.Empty(t, (&process{}).goroutines()) }
