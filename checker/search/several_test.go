package search

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/model"
	"contend/model/guard"
)

// Where several claims of one kind are searched for at once each has its own verdict: the second and the third, too.
func TestSeveralClaimsOfAKind(t *testing.T) {
	for _, kind := range []model.Kind{model.Sometimes, model.PossibleFromEverywhere, model.Eventually, model.AlmostSurely} {
		opt := Options{Timed: kind == model.AlmostSurely}
		var one []verdict
		var claims []model.Claim
		for label := 1; label <= 3; label++ {
			c := reach(kind, label)
			claims = append(claims, c)
			one = append(one, explore(t, parting(), opt, c).verdict(0))
		}
		r := explore(t, parting(), opt, claims...)
		for i, want := range one {
			if got := r.verdict(i); got != want {
				t.Errorf("%v, label %d: %+v beside others, %+v alone", kind, i+1, got, want)
			}
		}
		if !slices.Contains(one[1:], refuted) && kind != model.Sometimes {
			t.Errorf("%v: %v", kind, one)
		}
	}
	number := func(o model.Observation) int { return o.Value.(mark).K }
	half := func(o model.Observation) int { return o.Value.(mark).K + 10 }
	r := explore(t, parting(), Options{}, never(9), gauged(model.Noted, number), gauged(model.Noted, half))
	if a, b := r.Costs[1], r.Costs[2]; a.Least.Number != 1 || a.Most.Number != 3 || b.Least.Number != 11 || b.Most.Number != 13 {
		t.Errorf("two costs: %+v, %+v", a, b)
	}
}

// parting notes 1 in any case, and then goes one of two ways: it notes 2, or 3.
func parting() *model.System {
	return system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 0) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			if m == 0 {
				env.Note(mark{1})
				env.Send(0, 1+env.Choose(2))
				return
			}
			if n.S == 0 {
				n.S = m.(int)
				env.Note(mark{1 + m.(int)})
			}
		},
	}))
}

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

// Parents are kept exactly for so many states; from then on only where they are asked for.
func TestExactParentsOfTheFirstStates(t *testing.T) {
	tuned(t, 1, 10, func() {
		for want, opt := range map[bool]Options{true: {Exact: true}, false: {}} {
			if x := explored(t, counting(30), nil, opt); x.exact != want {
				t.Errorf("%+v: exact %v after %d states", opt, x.exact, x.states)
			}
		}
		if x := explored(t, counting(4), nil, Options{}); !x.exact {
			t.Errorf("they are not exact after %d states", x.states)
		}
	})
}

// A search that a limit stops leaves unchecked that renaming commutes with what it did not finish.
func TestLimitsEndWithoutTheRest(t *testing.T) {
	settlesOneByOne(t, -20)
	x := explored(t, unlikeAtFirst(), nil, Options{Symmetry: true, MaxStates: 6})
	if x.res.Limit == "" || !x.sym.Unsettled() {
		t.Errorf("limit %q, unsettled %v", x.res.Limit, x.sym.Unsettled())
	}
}

// The handler that runs is shown while it runs, and what a monitor does, too.
func TestWhatRunsIsShown(t *testing.T) {
	cell := &guard.Cell{}
	shown := ""
	s := system(server("s", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 1) },
		receive: func(*scripted, model.Env, model.NodeID, any) {
			if now := cell.Now(); now != nil {
				shown = now.Who.Describe()
			}
		},
	}))
	explore(t, s, Options{Running: cell}, never(1))
	if !strings.Contains(shown, "Receive") {
		t.Errorf("while it receives %q is shown", shown)
	}
}

// What other parts ran, and what their sets take up, counts.
func TestPartsAddUp(t *testing.T) {
	c := &company{calls: []int64{0, 3, 30}, sums: []summary{{}, {Bytes: 5, Disk: 7}, {Bytes: 50, Disk: 70}}}
	r := &Result{HandlerCalls: 100, Bytes: 200, DiskBytes: 300}
	if c.addUp(r); r.HandlerCalls != 133 || r.Bytes != 255 || r.DiskBytes != 377 {
		t.Errorf("%d calls, %d bytes in memory, %d in files", r.HandlerCalls, r.Bytes, r.DiskBytes)
	}
}

// What a search is not made of is said by name.
func TestWhatIsRefused(t *testing.T) {
	for fault, f := range map[string]model.Faults{"duplication": {Duplication: 1}, "restarts": {Restarts: 1, Crashes: 1}, "": {Crashes: 1}} {
		err := RefuseUndense(&model.System{Faults: f})
		if u, is := err.(Undense); is != (fault != "") || is && (u.Fault != fault || !strings.HasPrefix(u.Error(), fault+": ")) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// What is said of states that may be missed: of d states that s steps led to, about d(s-d/2) of 2⁶⁴, or of 2¹²⁸ where fingerprints are wide, as
// the keys of classes are.
func TestOmissionOfSearches(t *testing.T) {
	for seed := range uint64(6) {
		s := somewhere(seed)
		s.Faults.Duplication, s.Faults.Restarts = 0, 0
		for bits, opt := range map[int]Options{-64: {}, -128: {Wide: true}, -127: {Timed: true, Dense: true}} {
			opt.MaxStates = 3000
			r := explore(t, s, opt)
			d := r.States
			if bits == -127 {
				classes := 0
				if _, err := fmt.Sscanf(r.Notes[0], "dense time: %d classes of %d states", &classes, &d); err != nil || int64(classes) != r.States {
					t.Fatal(r.Notes, err)
				}
				bits = -128
			}
			if want := math.Ldexp(float64(d)*(float64(max(r.Transitions, d))-float64(d)/2), bits); math.Abs(r.Omission/want-1) > 1e-9 {
				t.Errorf("system %d: %v, want %v", seed, r.Omission, want)
			}
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

// Where as many candidates as are tried are spurious a claim is looked at on finer grids, once.
func TestSpuriousClaimsAreRefinedOnce(t *testing.T) {
	for most := 1; most <= 3; most++ {
		refined := 0
		for seed := range uint64(few(40, 15)) {
			r := explore(t, somewhere(seed), Options{Timed: true, MaxStates: 2000, MaxSpurious: most, Confirm: func(Candidate) (Confirmation, error) {
				return StrictBound, nil
			}}, quiet(1), reach(model.Sometimes, 1))
			of := map[string]int{}
			for _, n := range r.Notes {
				if name, what, found := strings.Cut(n, ": nothing settles it on "); found {
					grid, _, _ := strings.Cut(what, " a tick;")
					of[name+grid]++
					refined++
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
