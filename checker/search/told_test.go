package search

import (
	"cmp"
	"sync/atomic"
	"testing"
	"time"

	"contend/model"
)

// endless is a system that never comes to an end: a server that counts its own messages. Its claim is that
// it never counts to a number. Beside it goes a second one, of which the first claim says nothing.
func endless() *model.System {
	count := func(id model.NodeID) scripted {
		return scripted{
			start: func(_ *scripted, env model.Env) { env.Send(id, 1) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
				n.S++
				env.Note(mark{n.S})
				env.Send(id, 1)
			},
		}
	}
	return system(server("a", count(0)), server("b", count(1)))
}

// A search that never ends, and is stopped from outside, has the violation that it found, whenever it is
// stopped, and tells of it meanwhile; also one that begins again, for exact parents, and is stopped before it
// comes to it once more.
func TestStoppedWithViolation(t *testing.T) {
	for _, until := range []int64{exactUntil, 0} {
		defer func(was int64) { exactUntil = was }(exactUntil)
		exactUntil = until
		found, told := int64(0), int64(0)
		for stop := int64(1); stop <= 60; stop++ {
			var looks atomic.Int64
			now := func() time.Time { return time.Unix(looks.Add(1), 0) }
			r := explore(t, endless(), Options{Deadline: time.Unix(stop, 0), Now: now, Violated: func(claim int) {
				if claim == 0 && told == 0 {
					told = stop
				}
			}}, never(7), never(1<<30))
			violated := r.Claims[0].Violated != nil
			if r.Complete || r.Limit.String() != Timeout || violated && len(r.broken(0).Steps) != 7 || !violated && found > 0 {
				t.Fatalf("stopped after %d looks: complete %v, limit %q, violated %v; found after %d", stop, r.Complete, r.Limit, r.Violated(), found)
			}
			if violated && found == 0 {
				found = stop
			}
		}
		if found == 0 || told < found || told == 60 {
			t.Errorf("exact until %d states: found from %d looks on, told from %d looks on", until, found, told)
		}
	}
}

// A search that begins again, for exact parents, and is stopped before it comes to a violation once more, has it all the same; and
// one that tells of violations tells of it before it begins again.
func TestStoppedBeforeItIsFoundAgain(t *testing.T) {
	for name, stops := range map[string]func(opt *Options, over *bool){
		"interrupted": func(opt *Options, over *bool) {
			stop, tell := make(chan struct{}), opt.Progress
			opt.Interrupt = stop
			opt.Progress = func(p Progress) {
				if was := *over; !was {
					if tell(p); *over {
						close(stop)
					}
				}
			}
		},
		"a deadline": func(opt *Options, over *bool) {
			opt.Deadline = time.Unix(1, 0)
			opt.Now = func() time.Time {
				if *over {
					return time.Unix(2, 0)
				}
				return time.Unix(0, 0)
			}
		},
	} {
		soonest := 0
		for _, until := range []int64{exactUntil, 0} {
			found := 0
			tuned(t, 1, until, func() {
				for at := 1; at <= 30; at++ {
					told, over := 0, false
					opt := Options{Progress: func(Progress) { told++; over = told >= at }}
					stops(&opt, &over)
					r := explore(t, endless(), opt, never(7), never(1<<30))
					if violated := r.Claims[0].Violated != nil; violated {
						found = cmp.Or(found, at)
					} else if found > 0 {
						t.Fatalf("%s after %d tells it has no violation, though it has one after %d", name, at, found)
					}
				}
			})
			if soonest = cmp.Or(soonest, found); found == 0 || found != soonest {
				t.Errorf("%s, exact until %d states: found from %d tells on, and from %d on where it is exact", name, until, found, soonest)
			}
		}
	}
	tuned(t, 1, 0, func() {
		first, last, before := -1, 0, false // when it was told of the violation, and whether before it began again
		explore(t, endless(), Options{MaxStates: 100, Violated: func(int) { first = last }, Progress: func(p Progress) {
			before = before || p.Depth < last && first >= 0
			last = p.Depth
		}}, never(7), never(1<<30))
		if !before {
			t.Errorf("it is told of the violation at depth %d, after it began again", first)
		}
	})
}

// What refutes a liveness claim in the part of a graph that a stopped search met refutes it: an end short of
// the goal, and a round; what might come beyond refutes nothing.
func TestStoppedWithLiveness(t *testing.T) {
	for _, c := range []struct {
		name     string
		sends    int // again and again, beside a run that counts for ever; 0 for nothing at all
		violated int
	}{
		{name: "an end", sends: 0, violated: 2},
		{name: "a round", sends: 7, violated: 2},
		{name: "neither", sends: 1, violated: 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			send := func(env model.Env, m int) {
				if m > 0 {
					env.Send(0, m)
				}
			}
			s := system(peer("p", scripted{
				invoke: func(_ *scripted, env model.Env, _ any) { send(env, []int{1, c.sends}[env.Choose(2)]) },
				receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
					if m == 1 {
						n.S++
					}
					send(env, m.(int))
				},
			}, "go"))
			r := explore(t, s, Options{MaxStates: 100}, reach(model.PossibleFromEverywhere, 1), reach(model.Eventually, 1))
			if r.Complete || len(r.Violated()) != c.violated || len(r.open()) != 2-c.violated {
				t.Errorf("complete %v, violated %v, undecided %v; want %d violated", r.Complete, r.Violated(), r.open(), c.violated)
			}
		})
	}
}

// Whether the goal can be reached from a round that may be left is not known where what was met of the state space does not show it,
// and the limit says why.
func TestStoppedBesideARound(t *testing.T) {
	s := system(peer("p", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 7) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			if m == 7 {
				env.Send(0, []int{7, 1}[env.Choose(2)])
				return
			}
			n.S++
			env.Send(0, 1)
		},
	}))
	for limit, most := range map[string]int{"states: 50": 1 << 40, "cut": 20} {
		opt := Options{}
		if limit != "cut" {
			opt.MaxStates = 50
		}
		r := explore(t, cutAt(s, most), opt, reach(model.Eventually, 1), reach(model.PossibleFromEverywhere, 1))
		if c, violated := r.violation(0); !violated || c.NoReturn == nil || c.NoReturn.Unknown != limit || len(r.Violated()) != 1 {
			t.Errorf("violated %v, from where on nothing helps: %+v; want the limit %s", r.Violated(), c.NoReturn, limit)
		}
	}
}

// A search whose deadline comes when all states are met and expanded, while handlers are asked again or the
// graph is judged, stops there: it is not complete, and nothing that rests on this holds.
func TestStoppedAfterwards(t *testing.T) {
	counts := func(id model.NodeID) scripted {
		return scripted{
			start: func(_ *scripted, env model.Env) { env.Send(id, 1) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
				if n.S++; n.S < 9 {
					env.Send(id, 1)
				}
			},
		}
	}
	s := system(server("a", counts(0)), server("b", counts(1)))
	all := explore(t, s, Options{}, never(2), reach(model.PossibleFromEverywhere, 1))
	stopped := 0
	for stop := int64(1); ; stop++ {
		looks := int64(0)
		now := func() time.Time { looks++; return time.Unix(looks, 0) }
		r := explore(t, s, Options{Deadline: time.Unix(stop, 0), Now: now}, never(2), reach(model.Eventually, 1))
		if r.Complete {
			break
		}
		if r.Limit.String() != Timeout {
			t.Fatalf("stopped after %d looks: limit %q", stop, r.Limit)
		}
		if r.Transitions == all.Transitions {
			stopped++
		}
	}
	if stopped < 10 {
		t.Errorf("it was stopped in %d ways after its last step", stopped)
	}
}

// In dense time, too, a search that goes on for another claim tells of the violation meanwhile.
func TestViolationsInDenseTimeAreTold(t *testing.T) {
	told := 0
	r := explore(t, endless(), Options{Timed: true, Dense: true, MaxStates: 200, Violated: func(claim int) {
		if told++; claim != 0 {
			t.Errorf("claim %d is violated", claim)
		}
	}}, never(2), never(1<<30))
	if told == 0 || r.verdict(0) != refuted {
		t.Errorf("told %d times: %+v", told, r.verdict(0))
	}
}

// A large graph is not judged where the search is stopped from outside, as that would take long; it is where another bound stops it.
func TestLargeGraphsAreNotJudgedWhenStopped(t *testing.T) {
	defer func(was int) { judgedWhenStopped = was }(judgedWhenStopped)
	s := system(peer("p", scripted{ // it ends, or counts for ever
		invoke: func(_ *scripted, env model.Env, _ any) {
			if env.Choose(2) == 1 {
				env.Send(0, 1)
			}
		},
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { n.S++; env.Send(0, 1) },
	}, "go"))
	for _, c := range []struct {
		most, violated int
		limit          string
	}{{1 << 20, 2, Timeout}, {10, 0, Timeout}, {1 << 20, 2, Interrupted}, {10, 0, Interrupted}, {10, 2, "states: 1000"}} {
		judgedWhenStopped = c.most
		looks, stop := int64(0), make(chan struct{})
		opt := Options{MaxStates: 1000, Interrupt: stop, Deadline: time.Unix(1<<40, 0), Now: func() time.Time {
			if looks++; looks == 60 && c.limit == Interrupted {
				close(stop)
			}
			return time.Unix(looks, 0)
		}}
		if c.limit == Timeout {
			opt.Deadline = time.Unix(60, 0)
		}
		r := explore(t, s, opt, reach(model.PossibleFromEverywhere, 1), reach(model.Eventually, 1))
		if r.Complete || len(r.Violated()) != c.violated || r.Limit.String() != c.limit {
			t.Errorf("%+v: limit %q, violated %v", c, r.Limit, r.Violated())
		}
	}
}
