package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/drive"
	"contend/examples/etcdraft/traced"
)

// The library takes each transition of the page's small state spaces.
func TestTheLibraryAgrees(t *testing.T) {
	for _, i := range []int{0, 6, 7} { // within a second
		t.Run(boundsOf(rows[i]), func(t *testing.T) { checker.Drive(t, traced.Exact, rows[i], target(rows[i])) })
	}
}

// A careless member keeps nothing of its hard state but the commit index.
type careless struct{ *group }

func (c careless) Crash(s *drive.Step) {
	m := c.members[s.Node]
	hard, _, err := m.storage.InitialState()
	must(err)
	hard.Vote = 0
	must(m.storage.SetHardState(hard))
	c.group.Crash(s)
}

// Glue that forgets the vote in a crash differs as soon as the member starts again.
func TestAForgottenVoteDiffers(t *testing.T) {
	config := restarting(sized(2, 1, 1, 0))
	d, err := drive.Drive(traced.Exact, "", config, drive.Go(func() drive.Adapter { return careless{newGroup(config)} }), drive.Options{})
	require.NoError(t, err)
	require.Equal(t, drive.Differs, d.Verdict)
	assert.Equal(t, "start 1", d.Difference.Step)
	assert.Equal(t, "after it, Vote is 0 in the implementation, and 1 on the page", d.Difference.Reason)
	assert.Len(t, d.Difference.Trace.Steps, 3, d.Difference)
}
