package twophase_test

import (
	"testing"

	"contend/checker"
	"contend/impl/twophase"
	"contend/model"
)

// The states are those that TLC finds of TwoPhase.tla: 288 of three resource managers (the
// manifest of the TLA+ examples) and 50816 of six (the end of TwoPhase.tla). It keeps all messages,
// of which those that nobody heeds any more do nothing; so they are absorbed here.
func TestStatesOfTLC(t *testing.T) {
	for n, want := range map[int]int{3: 288, 6: 50_816} {
		check := model.Check{Config: model.Config{N: n}, Claims: []string{"TCConsistent"}}
		rows, err := checker.Check(twophase.Protocol, check, checker.Options{Reduce: []string{"stale"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := rows[0].States; int(got) != want {
			t.Errorf("n = %d: %d states, want %d", n, got, want)
		}
	}
}
