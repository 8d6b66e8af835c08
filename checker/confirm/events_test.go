package confirm

import (
	"fmt"
	"strings"
	"testing"

	"contend/checker/search"
	"contend/model"
)

// letter tells actors with a message of their own from each other.
type letter struct{ Name string }

// Of equal messages in a FIFO channel the one that is lost, or doubled, is the one that the
// search lost or doubled, however the messages are named.
func TestEqualMessagesOnFIFO(t *testing.T) {
	for naming := range 60 {
		m, x := letter{fmt.Sprint("m", naming)}, letter{fmt.Sprint("x", naming*7)}
		for _, c := range []struct {
			faults model.Faults
			read   string // what is noted
		}{
			{model.Faults{Loss: 1}, "xm"}, {model.Faults{Loss: 1}, "mx"}, {model.Faults{Loss: 1}, "mm"},
			{model.Faults{Duplication: 1}, "mmxm"}, {model.Faults{Duplication: 1}, "mxmm"},
			{model.Faults{Loss: 1, Duplication: 1}, "xmm"}, {model.Faults{Loss: 1, Duplication: 1}, "mmx"},
		} {
			s := system(model.By(1), actor{
				start: func(_ *actor, env model.Env) {
					for _, l := range []letter{m, x, m, {"end"}} {
						env.Send(1, l)
					}
				},
			}, actor{
				receive: func(a *actor, env model.Env, got any) {
					switch got {
					case letter{"end"}:
						if a.S == number(c.read) {
							env.Note(1)
						}
						a.S = -1
					case m:
						a.S = a.S*3 + 1
					case x:
						a.S = a.S*3 + 2
					}
				},
			})
			s.Network.Channel, s.Faults, s.Types = model.FIFO, c.faults, []any{letter{}}
			for _, timed := range []bool{false, true} {
				r, err := confirmed(t, s, about(model.Always, 1), search.Options{Timed: timed})
				if err != nil || len(r.Violated()) != 1 || len(spurious(r)) != 0 {
					t.Errorf("%s of naming %d, timed %v: %+v, %v", c.read, naming, timed, r, err)
				}
			}
		}
	}
}

// number is what an actor makes of the letters it reads.
func number(read string) int {
	s := 0
	for _, l := range read {
		s = s*3 + 1 + strings.IndexRune("mx", l)
	}
	return s
}

// In dense time equal messages are of different ages: the older may be lost and the younger
// arrive, or the other way round.
func TestEqualMessagesOfDifferentAges(t *testing.T) {
	for name, c := range map[string]struct {
		early, late int // messages that have arrived at 2, and at 5
	}{
		"the older is lost":   {0, 1},
		"the younger is lost": {1, 1},
		"both arrive":         {1, 2},
	} {
		for _, channel := range []model.Channel{model.Bag, model.FIFO} {
			for naming := range 20 {
				m := letter{fmt.Sprint("m", naming)}
				s := system(model.Between(2, 3), actor{
					start: func(_ *actor, env model.Env) {
						env.Send(1, m)
						env.After("again", model.Exactly(1))
					},
					timeout: func(_ *actor, env model.Env, _ any) { env.Send(1, m) },
				}, actor{
					start: func(_ *actor, env model.Env) {
						env.After("early", model.Exactly(2))
						env.After("late", model.Exactly(5))
					},
					receive: func(a *actor, _ model.Env, _ any) { a.S++ },
					timeout: func(a *actor, env model.Env, key any) {
						switch {
						case key == "early" && a.S != c.early:
							a.S = -10
						case key == "late" && a.S == c.late:
							env.Note(1)
						}
					},
				})
				s.Network.Channel, s.Faults.Loss, s.Types = channel, 1, []any{letter{}}
				r, err := confirmed(t, s, about(model.Always, 1), search.Options{Timed: true, Dense: true, Merge: true})
				if err != nil || len(r.Violated()) != 1 {
					t.Errorf("%s, %v, naming %d: %+v, %v", name, channel, naming, r, err)
				}
			}
		}
	}
}

// waits is a client with an operation, and another node.
func waits(delay model.Window, a, b actor) *model.System {
	s := system(delay, a, b)
	s.Nodes[0].Role, s.Nodes[0].Script = model.Client, []model.Op{{Call: "go"}}
	s.Nodes[0].New = func() model.Node { return &waiter{actor: a} }
	return s
}

// A waiter is an actor whose operation returns when S is 7.
type waiter struct {
	actor actor
	S     int
	Began bool
}

func (w *waiter) Start(env model.Env) { w.do(env, func(a *actor) { a.Start(env) }) }
func (w *waiter) Receive(env model.Env, u model.NodeID, m any) {
	w.do(env, func(a *actor) { a.Receive(env, u, m) })
}
func (w *waiter) Timeout(env model.Env, k any) { w.do(env, func(a *actor) { a.Timeout(env, k) }) }
func (w *waiter) Invoke(env model.Env, _ any)  { w.Began = true; w.do(env, func(*actor) {}) }

func (w *waiter) do(env model.Env, what func(a *actor)) {
	a := w.actor
	a.S = w.S
	what(&a)
	if w.S = a.S; w.S == 7 && w.Began {
		w.S = 8
		env.Return(nil)
	}
}

// ringing is a monitor whose alarm rings some time after an invocation, over and over.
type ringing struct {
	window model.Window
	Rings  int
}

func (r *ringing) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Invoked {
		w.After("ring", r.window)
	}
}

func (r *ringing) Expire(w model.Watch, _ any) {
	if r.Rings++; r.Rings < 4 {
		w.After("ring", r.window)
	}
}

func stops(kind model.Kind) model.Claim { return model.Claim{Name: "stops", Kind: kind, Done: true} }

func rings(w model.Window) model.Claim {
	return model.Claim{Name: "rings", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &ringing{window: w} }}
}

// A run that has stopped but for a message which does nothing is seen to have stopped when
// the message has to wait for the alarms of a monitor.
func TestSettlingWaitsForMonitors(t *testing.T) {
	for _, delay := range []model.Window{model.Exactly(5), model.Between(3, 4), open(2, 3), open(0, 1)} {
		for _, ring := range []model.Window{model.Exactly(1), model.Between(1, 2), open(0, 1)} {
			s := waits(delay, actor{start: func(_ *actor, env model.Env) { env.Send(1, "never mind") }}, actor{})
			for _, dense := range []bool{false, true} {
				r, err := confirmed(t, s, []model.Claim{rings(ring), stops(model.Always)}, search.Options{Timed: true, Dense: dense, Stale: true})
				if err != nil || len(r.Violated()) != 1 || len(r.Reductions) == 0 {
					t.Errorf("delay %v, alarm %v, dense %v: %+v, %v", delay, ring, dense, r, err)
				}
			}
		}
	}
}

// On an exact grid an event between open ends never happens, and time does not go on: that
// is no deadlock.
func TestExactGridStandsStill(t *testing.T) {
	s := waits(model.By(1), actor{
		start: func(_ *actor, env model.Env) {
			env.Hold("lease", model.Through(2))
			env.After("ask", model.Exactly(2))
			env.After("between", open(0, 1))
		},
		timeout: func(a *actor, env model.Env, key any) {
			if key == "ask" && env.Held("lease") {
				a.S = 7
			}
		},
	}, actor{})
	r, err := confirmed(t, s, []model.Claim{stops(model.Always)}, search.Options{Timed: true})
	if err != nil || len(r.Violated()) != 0 || r.Claims[0].Spurious == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// What an exact grid finds for one claim is confirmed though the monitors of others have
// alarms pending.
func TestExactGridsAskOneClaim(t *testing.T) {
	s := asking(model.Through(2), model.Between(0, 3), false)
	s.Nodes[0].Role, s.Nodes[0].Script = model.Client, []model.Op{{Call: "go"}}
	for _, ring := range []model.Window{model.Exactly(1), model.Exactly(0), model.Between(0, 4)} {
		claims := append([]model.Claim{rings(ring)}, about(model.Always, 1)...)
		r, err := confirmed(t, s, claims, search.Options{Timed: true, MaxSpurious: 1})
		if err != nil || len(r.Violated()) != 1 {
			t.Errorf("alarm %v: %+v, %v", ring, r, err)
		}
	}
}

// A message that has to arrive before the one in front of it may stops time. No run comes
// there: it is no deadlock, and breaks no claim of how runs go on.
func TestMessagesThatCannotArriveInTime(t *testing.T) {
	slow, fast := model.Between(2, 3), model.By(1)
	s := waits(fast, actor{
		start:   func(_ *actor, env model.Env) { env.Send(1, "slow"); env.Send(1, "fast") },
		receive: func(a *actor, _ model.Env, _ any) { a.S = 7 },
	}, actor{receive: func(_ *actor, env model.Env, m any) {
		if m == "fast" {
			env.Send(0, "done")
		}
	}})
	s.Network.Channel = model.FIFO
	s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
		if m == "slow" {
			return slow
		}
		return fast
	}
	for _, kind := range []model.Kind{model.Always, model.PossibleFromEverywhere, model.Eventually} {
		for _, dense := range []bool{false, true} {
			r, err := confirmed(t, s, []model.Claim{stops(kind)}, search.Options{Timed: true, Dense: dense})
			if err != nil || len(r.Violated()) != 0 || r.Claims[0].Limit.None() {
				t.Errorf("%v, dense %v: %+v, %v", kind, dense, r, err)
			}
		}
	}
	slow = model.Between(1, 3) // just in time
	r, err := confirmed(t, s, []model.Claim{stops(model.Always)}, search.Options{Timed: true})
	if err != nil || len(r.Violated()) != 0 || !r.Claims[0].Limit.None() {
		t.Errorf("just in time: %+v, %v", r, err)
	}
}

// What dense time does not decide it leaves open.
func TestLivenessInDenseTimeIsOpen(t *testing.T) {
	s := waits(model.By(1), actor{start: func(_ *actor, env model.Env) { env.Send(1, "ask") }, receive: func(a *actor, _ model.Env, _ any) { a.S = 7 }},
		actor{receive: func(_ *actor, env model.Env, _ any) { env.Send(0, "done") }})
	for _, kind := range []model.Kind{model.PossibleFromEverywhere, model.Eventually, model.AlmostSurely} {
		r, err := confirmed(t, s, []model.Claim{stops(kind), stops(model.Always)}, search.Options{Timed: true, Dense: true, Workers: 2})
		if err != nil || len(r.Violated()) != 0 || r.Claims[0].Limit.String() != "dense time" || !r.Claims[1].Limit.None() || !r.Complete {
			t.Errorf("%v: %+v, %v", kind, r, err)
		}
	}
}

// A server that asks, as it starts anew, about a hold that is not set gets the same answer
// from both.
func TestRestartedServersAsk(t *testing.T) {
	s := system(model.By(1), actor{start: func(a *actor, env model.Env) {
		if a.S++; !env.Held("lease") {
			env.Note(a.S)
		}
	}})
	s.Faults.Restarts = 1
	claims := []model.Claim{{Name: "once", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &never{Noted: map[int]bool{}} }}}
	for _, timed := range []bool{false, true} {
		r, err := confirmed(t, s, claims, search.Options{Timed: timed})
		if err != nil || len(r.Violated()) != 1 {
			t.Errorf("timed %v: %+v, %v", timed, r, err)
		}
	}
}
