package group

import (
	"fmt"
	"slices"
	"strings"
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

// notes passes the notes of servers to a monitor, for example "n0: leader 2 3". It returns the monitor's
// violation.
func notes(m model.Monitor, all ...string) string {
	var w watch
	for _, note := range all {
		who, text, _ := strings.Cut(note, ": ")
		m.Observe(&w, model.Observation{Kind: model.Noted, Node: model.NodeID(who[1] - '0'), Value: text})
	}
	return w.said
}

// A leader has all entries that were committed in earlier terms, in its log or in a snapshot. It need not
// have entries that later leaders have committed, or that no server has applied.
func TestLeaderCompleteness(t *testing.T) {
	stored := []string{"n0: store 1 1 ", "n0: store 2 2 a", "n1: store 1 1 ", "n1: store 2 2 a", "n0: store 3 2 b", "n0: apply 2 2 a"}
	for _, c := range []struct {
		notes []string
		want  string
	}{
		{[]string{"n1: leader 3 2"}, ""},
		{[]string{"n0: apply 3 2 b", "n1: leader 3 2"}, `n1 leads term 3 without entry 3 of term 2, "b", which was committed`},
		{[]string{"n0: apply 3 2 b", "n1: store 3 1 c", "n1: leader 3 3"}, `n1 leads term 3 without entry 3 of term 2, "b", which was committed`},
		{[]string{"n0: apply 3 2 b", "n1: store 3 2 b", "n1: opens its log", "n1: store 1 1 ", "n1: store 2 2 a", "n1: leader 3 2"},
			`n1 leads term 3 without entry 3 of term 2, "b", which was committed`},
		{[]string{"n0: apply 3 2 b", "n1: delete 1 2", "n1: leader 3 3"}, ""}, // it has a snapshot
		{[]string{"n0: apply 3 2 b", "n1: store 3 1 c", "n1: delete 1 3", "n1: leader 3 3"}, ""},
		{[]string{"n0: apply 3 2 b", "n1: store 3 1 c", "n1: opens its log", "n1: leader 3 3"}, ""},
		{[]string{"n0: leader 4 3", "n0: apply 3 2 b", "n1: leader 3 2"}, ""},
		{[]string{"n0: apply 3 3 b", "n1: leader 3 2"}, ""},
	} {
		assert.Equal(t, c.want, notes(&complete{}, append(slices.Clone(stored), c.notes...)...), c.notes)
	}
}

// The term of a server only grows.
func TestTermsGrow(t *testing.T) {
	assert.Empty(t, notes(&terms{}, "n0: term 0", "n0: term 2", "n1: term 1", "n0: opens its log", "n0: term 2"))
	assert.Equal(t, "n0 was in term 2, and is in term 0", notes(&terms{}, "n0: term 2", "n0: opens its log", "n0: term 0"))
}

// At an index of the log all servers apply the same entry, and have the same list.
func TestAlike(t *testing.T) {
	for _, name := range []string{"state machine safety", "same list"} {
		for _, c := range []struct {
			notes []string
			want  string
		}{
			{[]string{"n0: apply 2 1 a", "n1: apply 2 1 a", "n1: apply 3 1 b", "n0: holds 2 [a]", "n0: holds 3 [a b]", "n1: holds 3 [a b]", "n1: holds 4 [a b c]"}, ""},
			{[]string{"n0: apply 3 1 a", "n1: apply 3 1 b"}, "at index 3 it is a, but n1 has b"},
			{[]string{"n0: holds 3 [a b]", "n1: holds 3 [b]"}, "at index 3 it is [a b], but n1 has [b]"},
		} {
			want := c.want
			if strings.Contains(want, "[") != (name == "same list") {
				want = ""
			}
			claim, err := Protocol.Claim(name)
			require.NoError(t, err)
			assert.Equal(t, want, notes(claim.Monitor(nil), c.notes...), name)
		}
	}
}
