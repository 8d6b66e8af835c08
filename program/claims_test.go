package program_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/program"
)

// seen is a watch that notes a violation.
type seen struct {
	model.Watch
	violated bool
}

func (*seen) Witness()                 {}
func (s *seen) Violate(string, ...any) { s.violated = true }

// A program that ends before it was open violates NoExit only. A program that was open must open again, whatever other nodes do.
func TestClaimsOfExits(t *testing.T) {
	opens := func(o model.Observation) bool { return o.Value == "opens" }
	opened := model.Observation{Kind: model.Noted, Value: "opens"}
	exits := model.Observation{Kind: model.Noted, Value: program.Exited{Code: 1}}
	other := exits
	other.Node = 1
	for _, c := range []struct {
		history         []model.Observation
		noExit, reopens bool // violated
	}{
		{[]model.Observation{opened}, false, false},
		{[]model.Observation{exits}, true, false},
		{[]model.Observation{opened, other}, true, false},
		{[]model.Observation{opened, {Kind: model.Recovered}, exits}, true, true},
	} {
		for claim, violated := range map[*model.Claim]bool{new(program.NoExit()): c.noExit, new(program.Reopens(opens)): c.reopens} {
			w := &seen{}
			m := claim.Monitor(nil)
			for _, o := range c.history {
				m.Observe(w, o)
			}
			assert.Equal(t, violated, w.violated, "%s: %v", claim.Name, c.history)
		}
	}
}

// A note with the prefix is a failure, unless disks fail.
func TestNoFailure(t *testing.T) {
	claim := program.NoFailure("fails: ")
	fails := model.Observation{Kind: model.Noted, Value: "fails: get x"}
	for _, c := range []struct {
		config   model.Config
		is       model.Observation
		violated bool
	}{
		{model.Config{}, fails, true},
		{model.Config{}.With(program.BadSyncs.Is(1)), fails, false},
		{model.Config{}.With(program.FullDisks.Is(1)), fails, false},
		{model.Config{}, model.Observation{Kind: model.Returned, Value: fails.Value}, false},
		{model.Config{}, model.Observation{Kind: model.Noted, Value: "it fails: get x"}, false},
		{model.Config{}, model.Observation{Kind: model.Noted, Value: 1}, false},
	} {
		w := &seen{}
		claim.Monitor(&model.System{Config: c.config}).Observe(w, c.is)
		assert.Equal(t, c.violated, w.violated, "%v", c.is)
	}
}
