package group

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/model"
)

// Words are read in the order in which they were appended. A word that no leader accepted is never read.
func TestObject(t *testing.T) {
	for _, c := range []struct {
		calls []string
		want  judge.Verdict
	}{
		{[]string{"append a", "ok", "transfer n1", "ok", "append b", "ok", "read", "[a b]"}, judge.Linearizable},
		{[]string{"append a", "ok", "append b", "ok", "read", "[b a]"}, judge.Illegal},
		{[]string{"append a", "no leader", "transfer n1", "no leader", "read", "no leader", "read", "[]"}, judge.Linearizable},
		{[]string{"append a", "no leader", "read", "[a]"}, judge.Illegal},
	} {
		var history []model.Observation
		for i := 0; i < len(c.calls); i += 2 {
			history = append(history, model.Observation{Kind: model.Invoked, Value: c.calls[i]}, model.Observation{Kind: model.Returned, Value: c.calls[i+1]})
		}
		is, err := judge.History(object, history, time.Minute)
		require.NoError(t, err)
		assert.Equal(t, c.want, is, c.calls)
	}
}

// A watch stores the violations that a monitor reports.
type watch struct {
	model.Watch
	said string
}

func (*watch) Witness() {}

func (w *watch) Violate(format string, args ...any) { w.said = fmt.Sprintf(format, args...) }

// A server without a vote neither becomes a candidate nor leads. No leader refuses a word because of a
// finished transfer.
func TestNotesThatViolate(t *testing.T) {
	for note, want := range map[string]string{
		"candidate":               "n3 has no vote, but is a candidate",
		"leader 2":                "n3 has no vote, but is a leader",
		"store 1 1 a":             "",
		"transfers to n1":         "",
		"refuses a word, as said": "n3 refuses a word, as said",
	} {
		var w watch
		for _, m := range []model.Monitor{&stands{Voters: 3}, &transfers{}} {
			m.Observe(&w, model.Observation{Kind: model.Noted, Node: 3, Value: note})
		}
		assert.Equal(t, want, w.said, note)
	}
	var w watch
	(&stands{Voters: 4}).Observe(&w, model.Observation{Kind: model.Noted, Node: 3, Value: "candidate"})
	assert.Empty(t, w.said)
}
