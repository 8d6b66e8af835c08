package replay_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// A message that arrives sooner takes a run from its violation, or does not, or cannot arrive by then.
func TestSooner(t *testing.T) {
	for name, c := range map[string]struct {
		kept       string
		sent, to   int // the step that sent the message, and to which node
		before     int
		breaks, ok bool
	}{
		"was overtaken":             {"multicast-basic-delivers-early-fifo-order", 1, 1, 4, false, true},
		"is not sent yet":           {"multicast-basic-delivers-early-fifo-order", 1, 1, 1, false, false},
		"is overtaken all the same": {"centralized-no-other-mutual-exclusion", 7, 0, 10, true, true},
		"lets a script end":         {"centralized-leaves-in-queue-deadlock-freedom", 5, 0, 7, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			tr, err := traces.Load(filepath.Join("..", "testdata", c.kept+".json"))
			require.NoError(t, err)
			i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
			run, err := replay.Replay(impl.Suite[i], tr, nil)
			require.NoError(t, err)
			j := slices.IndexFunc(run.Records[c.sent-1].Sent, func(e *world.Event) bool { return int(e.Node) == c.to })
			require.GreaterOrEqual(t, j, 0)
			breaks, ok := run.Sooner(run.Records[c.sent-1].Sent[j], c.before)
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.breaks, breaks)
			assert.Len(t, run.Records, len(tr.Steps), "the run stays as it is")
		})
	}
}
