package claims_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/claims"
)

// A watch stores the violations that a monitor reports, and whether the run tests its claim.
type watch struct {
	model.Watch
	said   []string
	tested bool
}

func (w *watch) Witness() { w.tested = true }

func (w *watch) Violate(format string, args ...any) {
	w.said = append(w.said, fmt.Sprintf(format, args...))
}

// observed passes the notes of servers to the monitor of a claim, for example "0: leader 2 3".
func observed(c model.Claim, notes ...string) *watch {
	w, m := &watch{}, c.Monitor(nil)
	for _, note := range notes {
		who, text, _ := strings.Cut(note, ": ")
		m.Observe(w, model.Observation{Kind: model.Noted, Node: model.NodeID(who[0] - '0'), Value: text})
	}
	return w
}

func TestReplicatedLog(t *testing.T) {
	log := claims.ReplicatedLog{See: claims.LogNotes}
	stored := "0: store 1 1 |0: store 2 2 a|1: store 1 1 |1: store 2 2 a|0: store 3 2 b|0: apply 2 2 a"
	const lacks = `it leads term 3 without entry 3 of term 2, "b", which was committed`
	for _, c := range []struct {
		claim model.Claim
		notes string
		want  string
	}{
		{log.ElectionSafety(), "0: leader 2 0|1: leader 3 4|0: leader 4 4|0: leader 4 5", ""},
		{log.ElectionSafety(), "0: leader 2 0|1: leader 2 4", "it leads in term 2, in which another node does"},

		{log.TermsGrow(), "0: term 0|0: term 2|1: term 1|0: opens its log|0: term 2", ""},
		{log.TermsGrow(), "0: term 2|0: opens its log|0: term 0", "it was in term 2, and is in term 0"},

		{log.StateMachineSafety(), "0: apply 2 1 a|1: apply 2 1 a|1: apply 3 1 b|0: holds 2 [a]|1: holds 2 []", ""},
		{log.StateMachineSafety(), "0: apply 3 1 a|1: apply 3 1 b", `it has "b" at index 3, but the first server there had "a"`},

		{log.SameState(), "0: holds 2 [a]|0: holds 3 [a b]|1: holds 3 [a b]|1: holds 4 [a b c]|1: apply 2 1 b|0: apply 2 1 c", ""},
		{log.SameState(), "0: holds 3 [a b]|1: holds 3 [b]", `it has "[b]" at index 3, but the first server there had "[a b]"`},

		{log.LogMatching(), stored, ""},
		{log.LogMatching(), stored + "|1: store 3 3 c", ""}, // another term
		{log.LogMatching(), stored + "|1: store 3 2 c", `it has "c" of term 2 at index 3, after an entry of term 2, but another server has "b" of this term there, after an entry of term 2`},
		{log.LogMatching(), stored + "|1: store 2 1 a|1: store 3 2 b", `it has "b" of term 2 at index 3, after an entry of term 1, but another server has "b" of this term there, after an entry of term 2`},
		{log.LogMatching(), stored + "|0: delete 1 3|1: store 3 2 c", ""},
		{log.LogMatching(), stored + "|0: opens its log|1: store 3 2 c", ""},
		{log.LogMatching(), stored + "|0: store 2 3 d|1: store 3 2 c", ""}, // it replaces the entries after it

		{log.LeaderCompleteness(), stored + "|1: leader 3 2", ""}, // entry 3 was not applied
		{log.LeaderCompleteness(), stored + "|0: apply 3 2 b|1: leader 3 2", lacks},
		{log.LeaderCompleteness(), stored + "|0: apply 3 2 b|1: store 3 1 c|1: leader 3 3", lacks},
		{log.LeaderCompleteness(), stored + "|0: apply 3 2 b|1: store 3 2 b|1: opens its log|1: store 1 1 |1: store 2 2 a|1: leader 3 2", lacks},
		{log.LeaderCompleteness(), stored + "|0: apply 3 2 b|1: delete 1 2|1: leader 3 3", ""}, // it has a snapshot
		{log.LeaderCompleteness(), stored + "|0: apply 3 2 b|1: store 3 1 c|1: delete 1 3|1: leader 3 3", ""},
		{log.LeaderCompleteness(), stored + "|0: apply 3 2 b|1: store 3 1 c|1: opens its log|1: leader 3 3", ""},
		{log.LeaderCompleteness(), stored + "|0: leader 4 3|0: apply 3 2 b|1: leader 3 2", ""}, // a late leader
		{log.LeaderCompleteness(), stored + "|0: apply 3 3 b|1: leader 3 2", ""},
	} {
		said := observed(c.claim, strings.Split(c.notes, "|")...).said
		assert.Equal(t, c.want, strings.Join(said, "; "), "%s: %s", c.claim.Name, c.notes)
	}
}

// The events that a claim is about test it. Other notes do not.
func TestReplicatedLogIsTested(t *testing.T) {
	log := claims.ReplicatedLog{See: claims.LogNotes}
	for _, c := range []struct {
		claim model.Claim
		notes string
	}{
		{log.ElectionSafety(), "0: leader 1 0"},
		{log.TermsGrow(), "0: term 1"},
		{log.StateMachineSafety(), "0: apply 1 1 a"},
		{log.SameState(), "0: holds 1 a"},
		{log.LogMatching(), "0: store 1 1 a|1: store 1 1 a"},
		{log.LeaderCompleteness(), "0: store 1 1 a|0: apply 1 1 a|0: leader 2 1"},
	} {
		assert.True(t, observed(c.claim, strings.Split(c.notes, "|")...).tested, c.claim.Name)
		assert.False(t, observed(c.claim, "0: serves", "0: store 1 1 a", "0: delete 1 1").tested, c.claim.Name)
	}
}

func TestLogNotes(t *testing.T) {
	for note, want := range map[string]claims.LogEvent{
		"opens its log":  {Kind: claims.LogOpened},
		"store 3 2 a b":  {Kind: claims.EntryStored, Index: 3, Term: 2, Data: "a b"},
		"store 3 2":      {Kind: claims.EntryStored, Index: 3, Term: 2},
		"apply 3 2 a":    {Kind: claims.EntryApplied, Index: 3, Term: 2, Data: "a"},
		"holds 3 [a b]":  {Kind: claims.StateShown, Index: 3, Data: "[a b]"},
		"delete 1 3":     {Kind: claims.EntriesDeleted, Index: 1, Last: 3},
		"term 4":         {Kind: claims.TermEntered, Term: 4},
		"leader 4 9":     {Kind: claims.LeaderElected, Term: 4, Index: 9},
		"leader 4":       {},
		"leader 4 9 now": {},
		"term four":      {},
		"stores 1 1 a":   {},
		"":               {},
	} {
		got, ok := claims.LogNotes(model.Observation{Kind: model.Noted, Value: note})
		assert.Equal(t, want != claims.LogEvent{}, ok, note)
		if ok {
			assert.Equal(t, want, got, note)
		}
	}
	_, ok := claims.LogNotes(model.Observation{Kind: model.Returned, Value: "term 4"})
	assert.False(t, ok, "a result is no note")
}
