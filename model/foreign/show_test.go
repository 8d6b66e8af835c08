package foreign_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
	"contend/traces/replay"
	"contend/traces/show"
)

// String returns the text of the counter, one part a line.
func (t *theirs) String() string {
	text := fmt.Sprintf("counted %d\ndisk: saved %d\n", len(t.of), t.disk.saved)
	for _, id := range slices.Sorted(maps.Keys(t.of)) {
		text += fmt.Sprintf("client %d: %d\n", id, t.of[id].many)
	}
	return text
}

// People see the View and the result of Show, and nothing of the dump.
func TestShow(t *testing.T) {
	for name, c := range map[string]struct {
		show func(*theirs) string
		says []string
	}{
		"nothing else": {func(*theirs) string { return "" }, []string{"Sum: 2 → 3; sends total{3} to c1", "  server  Sum: 6\n"}},
		"its own words": {(*theirs).String, []string{
			"Sum: 2 → 3; object: counted 1 → counted 2; disk: saved 2 → saved 3; client 1: none → 1; sends total{3} to c1",
			"  server  Sum: 6; object: counted 2; disk: saved 5; client 1: 1; client 2: 1\n"}},
		"one that fails": {func(*theirs) string { panic("it fails") }, []string{"Sum: 2 → 3; sends total{3} to c1"}},
		"not printable":  {func(t *theirs) string { return fmt.Sprintf("disk: \x1b%d", t.disk.saved) }, []string{`Sum: 2 → 3; disk: \x1b2 → \x1b3; sends`}},
	} {
		t.Run(name, func(t *testing.T) {
			lib := library()
			lib.Show = c.show
			p := counting(lib.Node, func(n model.Node) int { return n.(*foreign.Node[seen]).View.Sum })
			rows, err := checker.Check(both()["plain"], restarted, checker.Options{}) // whose run is always the same
			require.NoError(t, err)
			run, err := replay.Replay(p, rows[0].Claims[0].Counterexample, nil)
			require.NoError(t, err)
			var told bytes.Buffer
			require.NoError(t, show.Text(&told, run, show.Style{Width: 400}))
			text := strings.Join(strings.Fields(told.String()), " ")
			for _, says := range c.says {
				assert.Contains(t, text, strings.Join(strings.Fields(says), " "))
			}
			assert.NotContains(t, text, "saved: ")
		})
	}
}
