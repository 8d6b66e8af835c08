package twophase_test

import (
	"testing"

	"contend/checker"
	"contend/impl/twophase"
	"contend/model"
)

// The number of states is TLC's for TwoPhase.tla: 288 for three resource managers (the manifest of the TLA+ examples)
// and 50816 for six (the end of TwoPhase.tla). TwoPhase.tla never removes messages. Here a message without further
// effect is absorbed.
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
