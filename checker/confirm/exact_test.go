package confirm

import (
	"fmt"
	"slices"
	"testing"

	"contend/checker/search"
	"contend/checker/search/runs"
	"contend/model"
	"contend/model/world"
)

func open(lo, hi model.Ticks) model.Window {
	return model.Window{Lo: model.Below(lo), Hi: model.Below(hi)}
}

// steps is a node whose alarms follow one another, each in a window of its own; the
// last notes 1.
func steps(windows ...model.Window) *model.System {
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) { env.After("step", windows[0]) },
		timeout: func(a *actor, env model.Env, _ any) {
			if a.S++; a.S == len(windows) {
				env.Note(1)
				return
			}
			env.After("step", windows[a.S])
		},
	})
}

// asking is a node that holds for d as it starts and asks at the instant at; it notes
// 1 when the answer is as wanted.
func asking(d model.Bound, at model.Window, wanted bool) *model.System {
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) {
			env.Hold("lease", d)
			env.After("ask", at)
		},
		timeout: func(_ *actor, env model.Env, _ any) {
			if env.Held("lease") == wanted {
				env.Note(1)
			}
		},
	})
}

// disarming is a node that disarms an alarm at the instant 1, and then notes 1; unless that
// alarm fires before.
func disarming(alarm model.Window) *model.System {
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) {
			env.After("first", alarm)
			env.After("second", model.Exactly(1))
		},
		timeout: func(a *actor, env model.Env, key any) {
			if env.Cancel("first"); key == "second" && a.S == 0 {
				env.Note(1)
			}
			a.S++
		},
	})
}

// within is steps with an end inside the first tick, after which nothing is noted.
func within(windows ...model.Window) *model.System {
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) {
			env.After("end", open(0, 1))
			env.After("step", windows[0])
		},
		timeout: func(a *actor, env model.Env, key any) {
			switch {
			case key == "end":
				a.S = 100
			case a.S < 100:
				if a.S++; a.S == len(windows) {
					env.Note(1)
				} else {
					env.After("step", windows[a.S])
				}
			}
		},
	})
}

// guarded is a node that holds for a tick and notes 1 when the hold is over at its alarm,
// unless a guard came first, which must by the end of the hold. The alarm stops the guard.
func guarded(stop func(env model.Env)) *model.System {
	return system(model.By(1), actor{
		start: func(_ *actor, env model.Env) {
			env.Hold("lease", model.Through(1))
			env.After("ask", model.By(3))
			env.After("guard", model.By(1))
		},
		timeout: func(a *actor, env model.Env, key any) {
			if key == "guard" {
				a.S = 100
				return
			}
			if stop(env); a.S == 0 && !env.Held("lease") {
				env.Note(1)
			}
		},
	})
}

// Times are exact and the earliest: a strict bound asks for a part of a tick, and
// where strict bounds leave no time the run is no run.
func TestTimesAreExact(t *testing.T) {
	after := model.Window{Lo: model.Below(0), Hi: model.Through(2)}
	for _, c := range []struct {
		name  string
		s     *model.System
		is    search.Confirmation
		parts int64
		at    []world.Time // in parts
	}{
		{"whole ticks", steps(model.Exactly(2), model.Between(1, 3)), search.Real, 1, []world.Time{2, 3}},
		{"half a tick", steps(open(0, 1)), search.Real, 2, []world.Time{1}},
		{"one and a half", steps(open(1, 2)), search.Real, 2, []world.Time{3}},
		{"thirds of a tick", within(after, after), search.Real, 3, []world.Time{1, 2}},
		{"a closed hold lasts through its end", asking(model.Through(2), model.Exactly(2), true), search.Real, 1, []world.Time{2}},
		{"a closed hold is not over at its end", asking(model.Through(2), model.Exactly(2), false), search.StrictBound, 0, nil},
		{"an open hold is over at its end", asking(model.Below(2), model.Exactly(2), false), search.Real, 1, []world.Time{2}},
		{"an open hold does not last through its end", asking(model.Below(2), model.Exactly(2), true), search.StrictBound, 0, nil},
		{"a hold is over past its end", asking(model.Through(2), model.Between(0, 3), false), search.Real, 2, []world.Time{5}},
		{"an open hold is not over before its end", asking(model.Below(2), model.Window{Hi: model.Below(2)}, false), search.StrictBound, 0, nil},
		{"an alarm forces until it is cancelled", guarded(func(env model.Env) { env.Cancel("guard") }), search.StrictBound, 0, nil},
		{"an alarm forces until it is moved", guarded(func(env model.Env) { env.After("guard", model.Anytime()) }), search.StrictBound, 0, nil},
		{"a hold is not over in a window that ends with it", asking(model.Through(2), model.By(2), false), search.StrictBound, 0, nil},
		{"an alarm is disarmed while it may still fire", disarming(model.Window{Hi: model.Below(2)}), search.Real, 1, []world.Time{1}},
		{"an alarm cannot be disarmed when it had to fire", disarming(model.Window{Hi: model.Below(1)}), search.StrictBound, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			claims := about(model.Always, 1)
			run, is, err := take(t, c.s, claims, true, candidate(t, c.s, claims, search.Options{Timed: true}))
			if err != nil || is != c.is {
				t.Fatalf("confirmation %v, error %v; want %v", is, err, c.is)
			}
			if is == search.StrictBound {
				return
			}
			var at []world.Time
			for _, r := range run.Records {
				at = append(at, r.At)
			}
			if run.Parts != c.parts || !slices.Equal(at, c.at) {
				t.Errorf("at %v, %d parts a tick; want %v, %d parts", at, run.Parts, c.at, c.parts)
			}
		})
	}
}

// A run that the closing of bounds alone allows breaks no claim: it is counted as
// spurious.
func TestStrictBoundsBreakNothing(t *testing.T) {
	s, claims := asking(model.Through(2), model.Exactly(2), false), about(model.Always, 1)
	asked := 0
	r, err := search.Run(s, claims, search.Options{Timed: true, Confirm: func(c search.Candidate) (search.Confirmation, error) {
		asked++
		_, is, err := take(t, s, claims, true, c)
		return is, err
	}})
	if err != nil || len(r.Violated()) > 0 || r.Claims[0].Spurious != 1 || asked != 1 || !r.Complete {
		t.Errorf("violated %v, spurious %d, asked %d, complete %v, error %v", r.Violated(), r.Claims[0].Spurious, asked, r.Complete, err)
	}
}

// mailed is a node whose first alarm sends a message that may arrive up to two ticks
// later, and whose second notes 1 long after.
func mailed(receive func(a *actor, env model.Env, m any)) *model.System {
	return system(model.Between(1, 2), actor{
		start: func(_ *actor, env model.Env) {
			env.After("early", model.Exactly(1))
			env.After("late", model.Exactly(5))
		},
		timeout: func(_ *actor, env model.Env, key any) {
			if key == "early" {
				env.Send(1, 7)
			} else {
				env.Note(1)
			}
		},
	}, actor{receive: receive})
}

func timeline(run *Run) string {
	text := ""
	for _, r := range run.Records {
		text += fmt.Sprintf("%v at %d; ", r.Move.Kind, r.At)
	}
	return text
}

// A message that the search absorbed still takes its time: the interpreter delivers
// it by its deadline, finds that it does nothing, and goes on.
func TestAbsorbedMessagesAreDelivered(t *testing.T) {
	s, claims := mailed(nil), about(model.Always, 1)
	c := candidate(t, s, claims, search.Options{Timed: true, Stale: true})
	if len(c.Steps) != 2 {
		t.Fatalf("%d steps, want the alarms alone: is the message absorbed?", len(c.Steps))
	}
	run, is, err := take(t, s, claims, true, c)
	if err != nil || is != search.Real {
		t.Fatalf("confirmation %v, error %v", is, err)
	}
	if got, want := timeline(run), "timeout at 1; deliver at 3; timeout at 5; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.InFlight = nil // without them the message seems to be in flight beyond its time
	if _, is, err := take(t, s, claims, true, c); is != search.StrictBound {
		t.Errorf("confirmation %v, error %v", is, err)
	}
}

// So it does when its window excludes the end: it comes a part of a tick before that.
func TestAbsorbedMessagesAreDeliveredBeforeAnOpenEnd(t *testing.T) {
	for _, begins := range []model.Bound{model.Through(1), model.Below(1)} {
		s, claims := mailed(nil), about(model.Always, 1)
		s.Network.Delay = model.Window{Lo: begins, Hi: model.Below(2)}
		run, is, err := take(t, s, claims, true, candidate(t, s, claims, search.Options{Timed: true, Stale: true}))
		if err != nil || is != search.Real {
			t.Fatalf("from %v: confirmation %v, error %v", begins, is, err)
		}
		if at := run.Records[1].At; len(run.Records) != 3 || at >= 3*world.Time(run.Parts) {
			t.Errorf("%s with %d parts a tick: the message comes at its end or later", timeline(run), run.Parts)
		}
	}
}

// A message that does something cannot be passed off as absorbed.
func TestAbsorbedMessagesDoNothing(t *testing.T) {
	s, claims := mailed(func(a *actor, _ model.Env, _ any) { a.S++ }), about(model.Always, 1)
	c := candidate(t, s, claims, search.Options{Timed: true, Stale: true})
	if len(c.Steps) != 3 {
		t.Fatalf("%d steps, want the alarms and the message", len(c.Steps))
	}
	c.Steps = []runs.Step{c.Steps[0], c.Steps[2]}
	c.InFlight = [][]runs.Message{nil, nil}
	_, _, err := take(t, s, claims, true, c)
	if err == nil || err.Error() != "before step 2: the search absorbed 7, but it does something" {
		t.Errorf("error %v", err)
	}
}
