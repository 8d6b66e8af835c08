package search

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"contend/model"
)

// A claim that no strict bound touches is not looked at on other grids: nothing is noted of them.
func TestWhatIsOpenAloneIsRefined(t *testing.T) {
	s := beating(model.By(1), model.By(2), func(env model.Env) {})
	for _, kind := range []model.Kind{model.Sometimes, model.PossibleFromEverywhere} {
		r := explore(t, s, Options{Timed: true}, reach(kind, 1), reach(kind, 2))
		if len(r.Notes) > 0 {
			t.Errorf("%v: %v", kind, r.Notes)
		}
	}
}

// Only where a closed bound may have made a state that is doomed is its run pinned to the very times of the grid.
func TestWhatIsPinned(t *testing.T) {
	pinned := 0
	for seed := range uint64(few(40, 15)) {
		s := somewhere(seed)
		claims := []model.Claim{quiet(1), reach(model.Sometimes, 1), reach(model.PossibleFromEverywhere, 1)}
		for _, timed := range []bool{false, true} {
			explore(t, s, Options{Timed: timed, MaxStates: 3000, MaxSpurious: 1, Confirm: func(c Candidate) (Confirmation, error) {
				if c.Pinned {
					pinned++
				}
				if c.Pinned && (!timed || c.Alone || claims[c.Claim].Kind != model.PossibleFromEverywhere) {
					t.Errorf("system %d, timed %v: a run of %v is pinned", seed, timed, claims[c.Claim].Kind)
				}
				return Real, nil
			}}, claims...)
		}
	}
	if pinned == 0 {
		t.Error("none is pinned")
	}
}

// Each claim of which candidates are spurious is looked at on finer grids, once: as soon as there are as many as are tried, or in the end.
func TestSpuriousClaimsAreRefinedOnce(t *testing.T) {
	for _, most := range []int{1, 2, 3, 1 << 20} {
		refined := 0
		for seed := range uint64(few(40, 15)) {
			s := somewhere(seed)
			if seed%2 == 1 { // messages take less than two ticks
				s.Network.Delay = model.Window{Lo: s.Network.Delay.Lo, Hi: model.Below(2)}
			}
			r := explore(t, s, Options{Timed: true, MaxStates: 1500, MaxSpurious: most, Confirm: func(Candidate) (Confirmation, error) {
				return StrictBound, nil
			}}, quiet(1), reach(model.Sometimes, 1), reach(model.PossibleFromEverywhere, 1))
			of := map[string]int{}
			for _, n := range r.Notes {
				if name, what, found := strings.Cut(n, ": nothing settles it on "); found {
					grid, _, _ := strings.Cut(what, " a tick;")
					if strings.HasSuffix(what, "complete: ") {
						t.Errorf("system %d, %d candidates: %s", seed, most, n)
					}
					if of[name+grid]++; strings.HasPrefix(grid, "a closing grid") != (name == "possible from everywhere") {
						t.Errorf("system %d, %d candidates: %s", seed, most, n)
					}
					refined++
				}
			}
			for claim, spurious := range r.spurious() {
				if spurious > 0 && !refinedIs(r.Notes, []string{"fewer notes than 1", "sometimes", "possible from everywhere"}[claim]) {
					t.Errorf("system %d, %d candidates: claim %d is not refined, notes %q", seed, most, claim, r.Notes)
				}
			}
			for what, times := range of {
				if times > 1 {
					t.Errorf("system %d, %d candidates: %d times %s", seed, most, times, what)
				}
			}
		}
		if refined == 0 {
			t.Errorf("none is refined after %d candidates", most)
		}
	}
}

// A goal of which one witness was spurious and another is real, or disputed, is not looked at on other grids.
func TestReachedGoalsAreNotRefined(t *testing.T) {
	reached, disputed := 0, 0
	for seed := range uint64(few(60, 20)) {
		tried := 0
		r := explore(t, somewhere(seed), Options{Timed: true, MaxStates: 2000, Confirm: func(c Candidate) (Confirmation, error) {
			switch tried++; {
			case tried == 1:
				return StrictBound, nil
			case seed%2 == 0 && !c.Alone:
				return Unknown, errors.New("it is another run")
			}
			return Real, nil
		}}, tells("1 is told", model.Sometimes, 1))
		if r.Claims[0].Spurious == 0 || tried == 1 {
			continue
		}
		if r.Claims[0].Reached {
			reached++
		}
		if r.Claims[0].Disputed != "" {
			disputed++
		}
		if (r.Claims[0].Reached || r.Claims[0].Disputed != "") && refinedIs(r.Notes, "1 is told") {
			t.Errorf("system %d: notes %q", seed, r.Notes)
		}
	}
	if reached == 0 || disputed == 0 {
		t.Errorf("%d are reached by a second witness, %d are disputed", reached, disputed)
	}
}

// refinedIs reports whether notes say that a claim was looked at on another grid.
func refinedIs(notes []string, claim string) bool {
	return slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, claim+": ") && strings.Contains(n, " steps a tick") })
}

// What another grid settles is told.
func TestWhatIsRefinedIsTold(t *testing.T) {
	broken := 0
	for seed := range uint64(few(60, 20)) {
		r := explore(t, somewhere(seed), Options{Timed: true, MaxStates: 2000, Confirm: func(c Candidate) (Confirmation, error) {
			if c.Alone {
				return Real, nil
			}
			return StrictBound, nil
		}}, quiet(1))
		if violated := r.Claims[0].Violated != nil; violated {
			broken++
			if !refinedIs(r.Notes, "fewer notes than 1") {
				t.Errorf("system %d: %q", seed, r.Notes)
			}
		}
	}
	if broken == 0 {
		t.Error("no claim is broken on another grid")
	}
}

// What is possible only where bounds are closed is open as long as no other grid settles it.
func TestPossibleUnderStrictBoundsIsOpen(t *testing.T) {
	withoutOtherGrids(t)
	for name, s := range map[string]*model.System{
		"an open window": beating(model.By(1), model.Window{Hi: model.Below(2)}, func(model.Env) {}),
		"the end of a hold": again(model.Exactly(1), func(n *scripted, env model.Env) bool {
			held := env.Held("lock") || n.S == 0
			n.S = 1
			env.Hold("lock", model.Through(1))
			return !held
		}),
		"the second of two answers": again(model.Exactly(1), func(n *scripted, env model.Env) bool {
			long, held := env.Held("long"), env.Held("lock") || n.S == 0
			n.S = 1
			env.Hold("long", model.Through(5))
			env.Hold("lock", model.Through(1))
			return long && !held
		}),
		"closed ones, alone": beating(model.By(1), model.By(2), func(model.Env) {}),
	} {
		want := verdict{undecided: "strict bound"}
		if name == "closed ones, alone" {
			want = holds
		}
		if got := explore(t, s, Options{Timed: true}, reach(model.PossibleFromEverywhere, 1)).verdict(0); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A claim that is violated is not looked at on other grids, nor is one that no handler fails, of which no grid says more.
func TestViolatedClaimsAreNotRefined(t *testing.T) {
	doomed := beating(model.By(1), model.Window{Hi: model.Below(2)}, func(model.Env) {})
	if r := explore(t, doomed, Options{Timed: true}, reach(model.PossibleFromEverywhere, 2)); r.verdict(0) != refuted || len(r.Notes) > 0 {
		t.Errorf("%+v, notes %q", r.verdict(0), r.Notes)
	}
	fails := system(server("s", scripted{start: func(*scripted, model.Env) { panic("it fails") }}))
	r := explore(t, fails, Options{Confirm: func(Candidate) (Confirmation, error) { return StrictBound, nil }}, never(1))
	if len(r.Violated()) > 0 || r.Claims[1].Spurious != 1 || refinedIs(r.Notes, "never") {
		t.Errorf("violated %v, spurious %v, notes %q", r.Violated(), r.spurious(), r.Notes)
	}
}

// A search that may have any number of states has no more than so many on another grid.
func TestOtherGridsAreSmall(t *testing.T) {
	withoutOtherGrids(t)
	claim := reach(model.PossibleFromEverywhere, 1)
	r, err := Run(beating(model.By(1), model.Window{Hi: model.Below(2)}, func(model.Env) {}), []model.Claim{claim}, pure(Options{Timed: true}))
	if err != nil || !refinedIs(r.Notes, claim.Name) || !strings.HasSuffix(r.Notes[0], "not complete: states: 1") {
		t.Errorf("%v, notes %q", err, r.Notes)
	}
}
