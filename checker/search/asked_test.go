package search

import (
	"errors"
	"strings"
	"testing"

	"contend/checker/judge"
	"contend/model"
)

// Of each claim the interpreter is asked as often as it has to be: until one witness is real, or as many candidates as are tried were not.
func TestTheInterpreterIsAskedNoMoreThanItMustBe(t *testing.T) {
	withoutOtherGrids(t)
	s := system(server("s", scripted{start: func(n *scripted, env model.Env) {
		if n.S = env.Choose(6); n.S > 0 {
			env.Note(mark{1})
		}
	}}))
	small := model.Claim{Name: "small", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*scripted).S > 0 {
			return errors.New("it is large")
		}
		return nil
	}}
	for real, want := range map[int][2]int{0: {1, 1}, 1: {2, 2}, 2: {2, 2}, 9: {2, 2}} { // of the claim, and of the goal
		var tried [2]int
		r := explore(t, s, Options{MaxSpurious: 2, Confirm: func(c Candidate) (Confirmation, error) {
			if c.Alone {
				return StrictBound, nil
			}
			if tried[c.Claim]++; tried[c.Claim] > real {
				return Real, nil
			}
			return StrictBound, nil
		}}, small, reach(model.Sometimes, 1))
		if tried != want || r.Claims[0].Spurious != min(real, 2) || r.Claims[1].Spurious != min(real, 2) {
			t.Errorf("%d are spurious: asked %v times, not %v; spurious %v", real, tried, want, r.spurious())
		}
	}
}

// A history that cannot be judged leaves the claims that histories are judged for without a verdict, and no others; no further one is judged.
func TestHistoriesThatCannotBeJudged(t *testing.T) {
	claims := append(judge.Watched([]model.Claim{{Name: "lock", Kind: model.Linearizable, Object: mutex}}), never(1), judge.Watched([]model.Claim{{Name: "again", Kind: model.Linearizable, Object: mutex}})[0])
	judged := 0
	r := explore(t, locked(false), Options{Histories: 9, Judge: func(Candidate) error { judged++; return errors.New("they differ") }}, claims...)
	if judged != 1 || r.Histories != 0 || len(r.disputes()) != 2 || !strings.Contains(r.Claims[0].Disputed, "they differ") || !strings.Contains(r.Claims[2].Disputed, "they differ") {
		t.Errorf("%d judged, disputed %v", judged, r.disputes())
	}
}

// On another grid the interpreter is asked about the claim alone; that it disagrees there, or that handlers are refused, leaves it without a
// verdict.
func TestDisagreementsOnAnotherGrid(t *testing.T) {
	for _, how := range []string{"none", "disagreement", "refusal"} {
		wild := 0 // how many calls of the handler are not like others
		s := system(server("s", scripted{start: func(n *scripted, env model.Env) {
			if n.S = env.Choose(3); n.S == 2 {
				panic("it fails")
			}
			if n.S == 1 {
				env.Note(mark{1})
			}
			if wild > 0 {
				wild--
				n.S = 7
			}
		}}))
		r := explore(t, s, Options{MaxSpurious: 1, Confirm: func(c Candidate) (Confirmation, error) {
			switch {
			case strings.Contains(c.Text, "it fails"):
				if c.Alone || c.Claim != 1 {
					t.Errorf("%s: asked about claim %d: %s", how, c.Claim, c.Text)
				}
				return Real, nil
			case !c.Alone:
				if how == "refusal" {
					wild = 1
				}
				return StrictBound, nil
			case how == "disagreement":
				return Unknown, errors.New("it is no run")
			}
			return Real, nil
		}}, never(1))
		if violated := r.Claims[0].Violated != nil; violated != (how == "none") || (r.Claims[0].Disputed == "") != (how == "none") {
			t.Errorf("%s: violated %v, disputed %v", how, violated, r.disputes())
		}
	}
}

// Where a limit stops the search a claim is not looked at on another grid: nothing that is found there would decide it.
func TestStoppedSearchesAreNotRefined(t *testing.T) {
	s := beating(model.By(1), model.Window{Hi: model.Below(2)}, func(model.Env) {})
	claim := reach(model.PossibleFromEverywhere, 1)
	whole := explore(t, s, Options{Timed: true}, claim)
	if !refinedIs(whole.Notes, claim.Name) {
		t.Errorf("of a whole search: notes %q", whole.Notes)
	}
	if r := explore(t, s, Options{Timed: true, MaxStates: whole.States / 2}, claim); r.Complete || refinedIs(r.Notes, claim.Name) {
		t.Errorf("complete %v, notes %q", r.Complete, r.Notes)
	}
}
