package search

import (
	"errors"
	"slices"
	"testing"

	"contend/model"
)

// A search goes on as long as it may find something of a claim: one that was broken on closed bounds alone is open.
func TestWhatIsDecided(t *testing.T) {
	violated, reached, disputed, spurious, open := 'v', 'r', 'd', 's', '-'
	for claims, want := range map[string]bool{
		"":   false,
		"--": false, "v-": false, "-v": false, "vv": true, "vr": true, "rv": true, "vd": true, "dd": true, "dr": true, "d-": false,
		"rr": false, "vs": false, "sv": false, "ss": false, "vrd": true, "vr-": false, "vrs": false,
	} {
		x := &explorer{claims: make([]model.Claim, len(claims)), res: newResult(len(claims))}
		for i, is := range claims {
			switch is {
			case violated:
				x.res.Claims[i].Violated = &Candidate{}
			case reached:
				x.res.Claims[i].Reached = true
			case disputed:
				x.res.Claims[i].Disputed = "they disagree"
			case spurious:
				x.res.Claims[i].Spurious = 3
			case open:
			}
		}
		if got := x.decided(); got != want {
			t.Errorf("%q: decided %v", claims, got)
		}
	}
	fails := &explorer{res: &Result{Claims: []Outcome{{Violated: &Candidate{}}}}} // a handler
	if fails.decided() {
		t.Error("it is decided though nothing is claimed but that no handler fails")
	}
}

// A state that breaks an invariant is asked about goals, too.
func TestAGoalWhereAnInvariantIsBroken(t *testing.T) {
	never := model.Claim{Name: "never", Kind: model.Always, Invariant: func([]model.Node) error { return errors.New("it is") }}
	goal := reach(model.Sometimes, 1)
	for _, claims := range [][]model.Claim{{never, goal}, {goal, never}} {
		r := explore(t, counting(3), Options{}, claims...)
		if violated := r.Claims[slices.IndexFunc(claims, func(c model.Claim) bool { return c.Name == "never" })].Violated != nil; !violated || len(r.reached()) != 1 {
			t.Errorf("violated %v, reached %v", r.Violated(), r.reached())
		}
	}
}

// The judge is given a run to each state in which all is done, and to each in which nothing can happen though it is not.
func TestTheJudgeIsGivenRunsToTheirEnds(t *testing.T) {
	for _, returns := range []bool{true, false} {
		c := scripted{invoke: func(n *scripted, env model.Env, _ any) {
			if n.S = env.Choose(3); returns {
				env.Return(nil)
			}
		}}
		var judged []int
		opt := Options{Histories: 9, Judge: func(c Candidate) error { judged = append(judged, len(c.Steps)); return nil }}
		steps := 1
		if returns {
			steps = 2
		}
		if r := explore(t, system(client("c", c, "go")), opt, model.Claim{Name: "few", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}); r.Histories != 3 || !slices.Equal(judged, []int{steps, steps, steps}) {
			t.Errorf("returns %v: %d histories, judged after %v steps", returns, r.Histories, judged)
		}
	}
}
