package confirm

import (
	"testing"

	"contend/checker/search"
	"contend/model"
)

// decided searches with the interpreter's consent and says in a word what came of the
// only claim.
func decided(t *testing.T, s *model.System, kind model.Kind, against model.Adversary) string {
	t.Helper()
	claims := about(kind, 1)
	claims[0].Against = against
	r, err := search.Run(s, claims, search.Options{Timed: true, MaxStates: 100_000,
		Confirm: func(c search.Candidate) (search.Confirmation, error) {
			_, is, err := take(t, s, claims, true, c)
			return is, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	violated := r.Claims[0].Violated != nil
	switch {
	case violated:
		return "violated"
	case kind == model.Sometimes && r.Claims[0].Reached:
		return "holds"
	case r.Claims[0].Spurious > 0:
		return "strict bound"
	case !r.Claims[0].Limit.None():
		return r.Claims[0].Limit.String()
	case !r.Complete:
		return r.Limit.String()
	case kind == model.Sometimes:
		return "violated"
	}
	return "holds"
}

// order sets two alarms and notes 1 when the second comes before the first; when it does
// not, it tries again, if it may.
func order(first, second model.Window, again bool) *model.System {
	begin := func(env model.Env) { env.After("first", first); env.After("second", second) }
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) { begin(env) },
		timeout: func(a *actor, env model.Env, key any) {
			switch {
			case key == "first":
				a.S |= 1
			case a.S == 0:
				env.Note(1)
				a.S = 2
			case again:
				a.S = 0
				begin(env)
			}
		},
	})
}

// patient asks, at its alarm, whether a hold that it set before is over; then it notes 1,
// and else tries again, if it may.
func patient(d model.Bound, alarm model.Window, again bool) *model.System {
	begin := func(env model.Env) { env.Hold("lease", d); env.After("ask", alarm) }
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) { begin(env) },
		timeout: func(_ *actor, env model.Env, _ any) {
			if !env.Held("lease") {
				env.Note(1)
			} else if again {
				begin(env)
			}
		},
	})
}

// hasty is dead when its second alarm comes before the first, and else notes 1.
func hasty(first, second model.Window) *model.System {
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) { env.After("first", first); env.After("second", second) },
		timeout: func(a *actor, env model.Env, key any) {
			if key == "first" && a.S == 0 {
				env.Note(1)
			}
			a.S = 1
		},
	})
}

// Where the grid closes strict bounds, a witness has to be a run in exact time, and so has
// the way to a doomed state; and a goal is possible only by real steps. A strict bound that
// leaves time for it does not matter.
func TestExistenceIsOfRealRuns(t *testing.T) {
	before, tick := open(0, 1), model.Exactly(1)
	for _, c := range []struct {
		name                                     string
		s                                        *model.System
		sometimes, possible, surely, nonadaptive string
	}{
		{"the second before the first", order(before, tick, false), "strict bound", "violated", "strict bound", "strict bound"},
		{"the second before the first, again and again", order(before, tick, true), "strict bound", "strict bound", "strict bound", "strict bound"},
		{"a first that may take longer", order(open(0, 2), tick, false), "holds", "violated", "violated", "strict bound"},
		{"closed alarms", order(model.By(1), tick, true), "holds", "holds", "violated", "holds"},
		{"a hold that is over at its end", patient(model.Through(1), tick, true), "strict bound", "strict bound", "violated", "violated"},
		{"a hold that may be over", patient(model.Through(1), model.By(2), true), "holds", "holds", "violated", "holds"},
		{"a hold that need not be over", patient(model.Through(1), model.By(2), false), "holds", "violated", "violated", "violated"},
		{"an open hold, which only closing makes last", patient(model.Below(1), tick, false), "holds", "strict bound", "holds", "holds"},
		{"dead by a closed bound alone", hasty(before, tick), "holds", "strict bound", "strict bound", "strict bound"},
		{"dead if it is hasty", hasty(open(0, 2), tick), "holds", "violated", "violated", "strict bound"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for kind, want := range map[model.Kind]string{model.Sometimes: c.sometimes, model.PossibleFromEverywhere: c.possible, model.AlmostSurely: c.surely} {
				if got := decided(t, c.s, kind, model.Adaptive); got != want {
					t.Errorf("%v: %s; want %s", kind, got, want)
				}
			}
			if got := decided(t, c.s, model.AlmostSurely, model.Nonadaptive); got != c.nonadaptive {
				t.Errorf("almost surely, nonadaptive: %s; want %s", got, c.nonadaptive)
			}
		})
	}
}

// spurious returns the places of claims that have candidates which only closed bounds made.
func spurious(r *search.Result) (claims []int) {
	for i := range r.Claims {
		if r.Claims[i].Spurious > 0 {
			claims = append(claims, i)
		}
	}
	return claims
}

// violation returns the run that violates a claim, if there is one.
func violation(r *search.Result, claim int) (c search.Candidate, violated bool) {
	if is := r.Claims[claim].Violated; is != nil {
		return *is, true
	}
	return c, false
}
