package search

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/decide"
	"contend/model"
	"contend/model/value"
)

// unsearched is an explorer of a system that does nothing, which has searched nothing yet.
func unsearched(t *testing.T, claims ...model.Claim) *explorer {
	t.Helper()
	s := cutAt(counting(1), 1)
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	x := newExplorer(s, codec, claims, pure(Options{}).withDefaults(), component.Closing, newGuesses())
	x.traversal.open()
	t.Cleanup(x.traversal.close)
	return x
}

// What rests on runs that come to an end, where time cannot go on or a handler fails, is left open; what is open for another reason stays
// open for that. That a cut was in the way is such a reason only if there was more behind it.
func TestWhatIsLeftOpen(t *testing.T) {
	claims := []model.Claim{
		{Name: "stops", Kind: model.Always, Done: true}, never(1), reach(model.Sometimes, 1), reach(model.Sometimes, 2), reach(model.PossibleFromEverywhere, 1),
		{Name: "possible", Kind: model.PossibleFromEverywhere, Done: true},
	}
	undecided := map[int]string{2: decide.Cut, 3: decide.StrictBound, 4: decide.Cut}
	for _, c := range []struct {
		locked, failures, cut, exact bool
		want                         map[int]string
	}{
		{want: undecided},
		{cut: true, want: undecided},
		{locked: true, want: map[int]string{0: timeLock, 2: timeLock, 3: decide.StrictBound, 4: timeLock}},
		{locked: true, cut: true, want: map[int]string{0: timeLock, 2: decide.Cut, 3: decide.StrictBound, 4: decide.Cut}},
		{locked: true, exact: true, want: undecided},
		{failures: true, want: map[int]string{0: Failure, 1: Failure, 2: Failure, 3: decide.StrictBound, 4: Failure, 5: Failure}},
		{failures: true, cut: true, want: map[int]string{0: Failure, 1: Failure, 2: decide.Cut, 3: decide.StrictBound, 4: decide.Cut, 5: Failure}},
	} {
		x := unsearched(t, claims...)
		for i, code := range undecided {
			x.res.Claims[i].Limit = decide.Limited(code)
		}
		x.failures, x.Refine.Exact = c.failures, c.exact
		if c.locked {
			x.locked = 3
		}
		if c.cut {
			x.res.Cut["most"] = 1
		}
		x.leaveFailed()
		if x.leaveLocked(); !maps.Equal(x.res.open(), c.want) {
			t.Errorf("%+v: %v", c, x.res.open())
		}
		if told := len(x.res.Notes) > 0; told != (c.failures || c.locked && !c.exact) {
			t.Errorf("%+v: notes %q", c, x.res.Notes)
		}
	}
}

// Of several limits beyond which a claim is not followed the least is told, whoever comes first.
func TestLimitsOfAClaim(t *testing.T) {
	for _, order := range [][]string{{"b", "a", "", "c"}, {"a", "b", "c", ""}, {"", "c", "b", "a"}} {
		x := unsearched(t, never(1), never(2))
		for _, limit := range order {
			x.limits(1, limit)
			x.limits(0, "")
		}
		if want := (map[int]string{1: "a"}); !maps.Equal(x.unfollowed, want) {
			t.Errorf("%q: %v", order, x.unfollowed)
		}
	}
}

// What a search on another grid finds of a claim is taken over if it settles it: a violation, a witness, or that nothing is doomed.
func TestWhatAnotherGridSettles(t *testing.T) {
	for name, c := range map[string]struct {
		kind      model.Kind
		found     Outcome
		complete  bool
		became    string
		violated  bool
		reached   bool
		undecided string // it was a strict bound
		spurious  int    // there were three
	}{
		"a violation":                {model.Always, Outcome{Violated: &Candidate{Text: "broken"}}, false, "broken", true, false, "", 3},
		"a witness":                  {model.Sometimes, Outcome{Tested: Tested{Reached: true}}, false, "reached", false, true, decide.StrictBound, 3},
		"nothing":                    {model.Sometimes, Outcome{}, true, "", false, false, decide.StrictBound, 3},
		"nothing that is doomed":     {model.PossibleFromEverywhere, Outcome{}, true, "holds", false, false, "", 0},
		"nothing, but not all":       {model.PossibleFromEverywhere, Outcome{}, false, "", false, false, decide.StrictBound, 3},
		"what is spurious again":     {model.PossibleFromEverywhere, Outcome{Tested: Tested{Spurious: 1}}, true, "", false, false, decide.StrictBound, 3},
		"what is open again":         {model.PossibleFromEverywhere, Outcome{Limit: decide.Limited(decide.StrictBound)}, true, "", false, false, decide.StrictBound, 3},
		"what is behind a cut":       {model.PossibleFromEverywhere, Outcome{Limit: decide.Limited(decide.Cut)}, true, "", false, false, decide.Cut, 3},
		"another that holds, always": {model.Always, Outcome{}, true, "", false, false, decide.StrictBound, 3},
	} {
		x := unsearched(t, never(9), reach(c.kind, 1))
		x.res.Claims[1].Limit, x.res.Claims[1].Spurious = decide.Limited(decide.StrictBound), 3
		became := x.settled(1, &Result{Complete: c.complete, Claims: []Outcome{c.found}})
		found, violated := x.res.violation(1)
		if became != c.became || violated != c.violated || violated && (found.Claim != 1 || found.Text != "broken") || x.res.Claims[1].Reached != c.reached ||
			x.res.Claims[1].Witnessed != c.reached || x.res.Claims[1].Limit.String() != c.undecided || x.res.Claims[1].Spurious != c.spurious || len(x.res.Violated()) > 1 {
			t.Errorf("%s: %q, %+v", name, became, *x.res)
		}
	}
}

// A state that seems doomed may be so on the closing grid only: the next one is tried, until one is confirmed or as many were not as are tried.
func TestDoomedStatesAreTriedInTurn(t *testing.T) {
	s := system(peer("p", scripted{
		invoke:  func(n *scripted, env model.Env, _ any) { env.Send(0, 1+env.Choose(5)) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) { n.S = m.(int); env.Send(0, m) },
	}, "go"))
	withoutOtherGrids(t)
	for real := range 6 {
		for most := 1; most <= 6; most++ {
			tried := 0
			r := explore(t, s, Options{MaxSpurious: most, Confirm: func(Candidate) (Confirmation, error) {
				if tried++; tried > real {
					return Real, nil
				}
				return StrictBound, nil
			}}, reach(model.PossibleFromEverywhere, 1))
			violated := r.Claims[0].Violated != nil
			if violated != (real < most) || tried != min(real+1, most) || r.Claims[0].Spurious != min(real, most) {
				t.Errorf("%d are spurious, at most %d: violated %v, %d tried, %d of them spurious", real, most, violated, tried, r.Claims[0].Spurious)
			}
		}
	}
	stop, asked := make(chan struct{}), 0 // it is stopped between two of them
	stopped := explore(t, s, Options{MaxSpurious: 6, Interrupt: stop, Confirm: func(Candidate) (Confirmation, error) {
		if asked++; asked == 2 {
			close(stop)
		}
		return StrictBound, nil
	}}, reach(model.PossibleFromEverywhere, 1))
	if asked != 2 || stopped.Complete || stopped.Limit.String() != Interrupted {
		t.Errorf("stopped after 2: %d tried, complete %v, limit %q", asked, stopped.Complete, stopped.Limit)
	}
	tried := 0
	r := explore(t, s, Options{MaxSpurious: 6, Confirm: func(Candidate) (Confirmation, error) { tried++; return Unknown, fmt.Errorf("no") }}, reach(model.PossibleFromEverywhere, 1))
	if r.Claims[0].Disputed == "" || tried != 1 {
		t.Errorf("disputed %v, %d tried", r.disputes(), tried)
	}
}

// Names of orbits are as crowded as so many orders of tied members make them: k²/(2k-1) times.
func TestCrowding(t *testing.T) {
	for o, want := range map[orders]float64{{}: 1, {1, 1}: 1, {2, 0}: 4. / 3, {0, 3}: 9. / 5, {2, 3}: 36. / 11} {
		x := unsearched(t)
		x.tried = o
		if got := x.crowding(); got != want {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
	}
	if got := (orders{2, 5}).most(3, 4); got != (orders{3, 5}) {
		t.Errorf("the most of each: %+v", got)
	}
}

// Of the candidates of one layer the next is tried where one is not real: one that is refutes the claim.
func TestCandidatesAreTriedInTurn(t *testing.T) {
	withoutOtherGrids(t)
	s := system(server("s", scripted{start: func(n *scripted, env model.Env) { n.S = env.Choose(6) }}))
	claim := model.Claim{Name: "small", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if n := nodes[0].(*scripted); n.S > 0 {
			return fmt.Errorf("it is %d", n.S)
		}
		return nil
	}}
	for real := range 6 {
		tried := 0
		r := explore(t, s, Options{Confirm: func(c Candidate) (Confirmation, error) {
			if c.Alone {
				return StrictBound, nil
			}
			if tried++; tried > real {
				return Real, nil
			}
			return StrictBound, nil
		}}, claim)
		if violated := r.Claims[0].Violated != nil; violated != (real < 5) || tried != min(real+1, 5) {
			t.Errorf("%d are spurious: violated %v, %d tried", real, violated, tried)
		}
	}
}

// A violation that a search found before it began again counts, unless it is found again, or its claim was disputed since.
func TestViolationsAreTakenOver(t *testing.T) {
	late, before := decide.Limited(Timeout), &Candidate{Text: "before"}
	r := &Result{Claims: []Outcome{{Limit: late}, {Limit: late, Violated: &Candidate{Text: "again"}}, {Tested: Tested{Disputed: "they disagree"}}, {Limit: late}}}
	r.takeOver([]*Candidate{before, before, before, nil})
	if len(r.Violated()) != 2 || r.broken(0).Text != "before" || r.broken(1).Text != "again" || len(r.open()) != 2 || r.Claims[3].Limit.String() != Timeout || r.Claims[1].Limit.String() != Timeout {
		t.Errorf("violated %v, undecided %v", r.Violated(), r.open())
	}
}

// Of several disagreements about a claim the first is told.
func TestTheFirstDisagreementIsTold(t *testing.T) {
	x := unsearched(t, never(1))
	x.dispute(0, errors.New("one"))
	if x.dispute(0, errors.New("another")); x.res.Claims[0].Disputed != "the search and the interpreter disagree: one" {
		t.Errorf("%q", x.res.Claims[0].Disputed)
	}
}

// What is done between layers is stopped as soon as there is a limit, unless there was one before; a limit of states is no reason to leave
// unchecked what was computed.
func TestWhatStopsBetweenLayers(t *testing.T) {
	x := unsearched(t, never(1))
	stop := x.stopping()
	if stop() {
		t.Error("it stops without a reason")
	}
	if x.res.Limit = decide.Limited("a limit"); !stop() || x.stopping()() {
		t.Errorf("with a limit it stops: %v; where there was one: %v", stop(), x.stopping()())
	}
	x.stop.Store(true)
	if x.overdue() {
		t.Error("it does not check what was computed")
	}
}
