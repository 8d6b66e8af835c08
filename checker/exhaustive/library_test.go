package exhaustive_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// Whoever calls Check itself is told in a sentence that no checkpoints are kept of a search on the
// graph of all states.
func TestNoCheckpointsOfAGraph(t *testing.T) {
	check := model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(1)), Claims: []string{"every request is granted"}}
	_, err := checker.Check(ricartagrawala.Protocol, check, checker.Options{Checkpoints: t.TempDir()})
	assert.EqualError(t, err, `checkpoint and resume: no checkpoints are kept of a search for "every request is granted", which is decided on the graph of all states; leave them out, or choose other claims with --claim`)
}

// A search that was stopped before its first checkpoint does not go on, and it is told what to do:
// alone, and beside another that has one.
func TestStoppedBeforeItsFirstCheckpoint(t *testing.T) {
	dir := t.TempDir()
	check := model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(2)), Claims: []string{"mutual exclusion"}}
	opt := checker.Options{Checkpoints: dir, MaxStates: 50, Workers: 1}
	_, err := checker.Check(ricartagrawala.Protocol, check, opt)
	require.NoError(t, err)
	kept, err := filepath.Glob(filepath.Join(dir, "*", "checkpoint"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.NoError(t, os.Remove(kept[0]))

	opt.Resume = true
	first, err := plan.New(ricartagrawala.Protocol, check)
	require.NoError(t, err)
	planned := []*plan.Plan{first}
	told := "resume: " + filepath.Dir(kept[0]) + " holds files of a search, but no checkpoint: it was stopped before its first one; remove the directory, and "
	assert.EqualError(t, exhaustive.RefuseAll(planned, opt), told+"search anew with --checkpoint "+dir)

	other := check
	other.Config = other.Config.With(model.Ops.Is(3))
	opt.Resume = false
	_, err = checker.Check(ricartagrawala.Protocol, other, opt)
	require.NoError(t, err)
	opt.Resume = true
	second, err := plan.New(ricartagrawala.Protocol, other)
	require.NoError(t, err)
	planned = append(planned, second)
	assert.EqualError(t, exhaustive.RefuseAll(planned, opt), told+"this search begins anew, and others go on")
}
