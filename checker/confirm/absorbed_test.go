package confirm

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"contend/checker/search"
	"contend/lab/random"
	"contend/model"
)

// confirmed searches a system and confirms what it finds; the error may be a
// disagreement.
func confirmed(t *testing.T, s *model.System, claims []model.Claim, opt search.Options) (r *search.Result, err error) {
	t.Helper()
	opt.Confirm = func(c search.Candidate) (search.Confirmation, error) {
		_, is, err := take(t, s, claims, opt.Timed, c)
		if err == nil && is != search.Real && opt.Dense {
			err = fmt.Errorf("no times are found for %d steps", len(c.Steps))
		}
		return is, err
	}
	opt.Pure = true
	r, err = search.Run(s, claims, opt)
	if err != nil {
		return r, err
	}
	for _, o := range r.Claims {
		if o.Disputed != "" {
			return r, errors.New(o.Disputed)
		}
	}
	return r, nil
}

// On FIFO the interpreter delivers first what the search absorbed before a message,
// one or several, at times that leave the way its own.
func TestAbsorbedOnFIFO(t *testing.T) {
	for _, before := range []int{1, 2} {
		for _, delay := range []model.Window{model.By(2), model.Between(1, 2), model.Exactly(1)} {
			for _, timed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d/%v/timed=%v", before, delay, timed), func(t *testing.T) {
					s := system(delay, actor{
						start: func(_ *actor, env model.Env) {
							for range before {
								env.Send(1, 7)
							}
							env.Send(1, 8)
						},
					}, actor{
						receive: func(_ *actor, env model.Env, m any) {
							if m == 8 {
								env.After("late", model.Exactly(5))
							}
						},
						timeout: func(_ *actor, env model.Env, _ any) { env.Note(1) },
					})
					s.Network.Channel = model.FIFO
					r, err := confirmed(t, s, about(model.Always, 1), search.Options{Timed: timed, Stale: true})
					if err != nil || len(r.Violated()) != 1 || len(spurious(r)) != 0 {
						t.Errorf("%+v, %v", r, err)
					}
				})
			}
		}
	}
}

// A run that stops with echoes in flight has stopped, on each channel: the
// interpreter delivers them and what is answered to them.
func TestEchoesSettle(t *testing.T) {
	for _, channel := range []model.Channel{model.Bag, model.FIFO, model.Set} {
		s := system(model.Anytime(), actor{
			start: func(_ *actor, env model.Env) { env.Send(1, "ask"); env.Send(1, "ask"); env.Send(1, "end") },
		}, actor{receive: func(a *actor, env model.Env, m any) {
			if m == "end" {
				a.S = 1
				return
			}
			env.Send(0, "no")
			env.Send(0, "never")
		}})
		s.Network.Channel = channel
		s.Nodes[0].Role, s.Nodes[0].Script = model.Client, []model.Op{{Call: "go"}}
		for _, kind := range []model.Kind{model.Always, model.PossibleFromEverywhere} {
			claims := []model.Claim{{Name: "done", Kind: kind, Done: true}}
			r, err := confirmed(t, s, claims, search.Options{Stale: true})
			if err != nil || len(r.Violated()) != 1 || len(r.Reductions) == 0 {
				t.Errorf("%v, %v: %+v, %v", channel, kind, r, err)
			}
		}
	}
}

// A message that may reach a restarted server once more does so in time or not at
// all: a run that stops because it came too late is given times at which it would.
func TestSecondArrivalComesTooLate(t *testing.T) {
	s := system(model.By(1), actor{}, actor{
		start:   func(_ *actor, env model.Env) { env.Send(0, "up") },
		receive: func(a *actor, env model.Env, m any) { a.S++; env.Send(0, m) },
	})
	s.Nodes[0].Role, s.Faults.Restarts = model.Client, 1
	s.Nodes[0].New = func() model.Node { return &caller{} }
	s.Nodes[0].Script = []model.Op{{Call: "go"}}
	for _, stale := range []bool{false, true} {
		r, err := confirmed(t, s, []model.Claim{{Name: "done", Done: true}}, search.Options{Timed: true, Stale: stale})
		if err != nil || len(r.Violated()) != 1 || len(spurious(r)) != 0 {
			t.Errorf("stale absorption %v: %+v, %v", stale, r, err)
		}
	}
}

// A caller sends 1, on its answer 2, and returns on the answer to that; or when the
// server comes up again before it answered at all.
type caller struct{ Said, Ups int }

func (c *caller) Invoke(env model.Env, _ any) { c.Said = 1; env.Send(1, 1) }

func (c *caller) Receive(env model.Env, _ model.NodeID, m any) {
	switch {
	case m == "up":
		if c.Ups++; c.Ups == 2 && c.Said == 1 {
			c.Said = 3
			env.Return(nil)
		}
	case c.Said == 1 && m == 1:
		c.Said = 2
		env.Send(1, 2)
	case c.Said == 2 && m == 2:
		c.Said = 3
		env.Return(nil)
	}
}

// Whatever is found on random systems with echoes, that begin at boot, or that have a
// liar, the interpreter confirms.
func TestRandomRefusals(t *testing.T) {
	found, decided := 0, map[bool]int{}
	for seed := range few(300) {
		timed := seed%3 == 0
		s := random.Refusals(rand.New(rand.NewPCG(seed, 5)))
		violated, decides := [2]map[int]bool{}, true
		for i, reduced := range []bool{false, true} {
			r, err := confirmed(t, s, claims, search.Options{Timed: timed, Symmetry: reduced, Stale: reduced, MaxStates: 2000})
			if err != nil {
				t.Fatalf("seed %d, timed %v, reduced %v, %v, %+v: %v", seed, timed, reduced, s.Network.Channel, s.Faults, err)
			}
			violated[i] = map[int]bool{}
			for _, claim := range r.Violated() {
				violated[i][claim] = true
			}
			found += len(r.Violated())
			decides = decides && r.Limit.None() && len(spurious(r)) == 0
		}
		if !decides {
			continue
		}
		decided[timed]++
		if !maps.Equal(violated[0], violated[1]) {
			t.Errorf("seed %d, timed %v: violated %v, with reductions %v", seed, timed, violated[0], violated[1])
		}
	}
	t.Logf("%d violations confirmed, %v systems compared", found, decided)
	if uint64(found) < few(100) || uint64(decided[false]) < few(50) || uint64(decided[true]) < few(20) {
		t.Error("too little was found for the test to mean much")
	}
}

// What may reach a restarted server once more, and does nothing, is not absorbed in a timed
// search: where it is missing its time has passed, and here it has not. The client hears of
// the request, the restart and the new beginning before its alarm.
func TestSecondArrivalIsLeftToTime(t *testing.T) {
	const heard, late = 12, 1000 // two greetings and an answer
	c := actor{
		start: func(_ *actor, env model.Env) { env.Send(1, 7); env.After("late", model.Exactly(1)) },
		receive: func(a *actor, env model.Env, m any) {
			switch {
			case m == "up":
				a.S++
			case m == "got":
				a.S += 10
			case m == "begun" && a.S < late:
				env.Note(1)
			}
			if m != "begun" && a.S == heard {
				env.Send(1, "begin anew")
			}
		},
		timeout: func(a *actor, _ model.Env, _ any) { a.S += late },
	}
	s := actor{
		start: func(_ *actor, env model.Env) { env.Send(0, "up") },
		receive: func(a *actor, env model.Env, m any) {
			switch {
			case a.S == 0 && m == 7:
				a.S = 1
				env.Send(0, "got")
			case a.S == 0:
				a.S = 9
				env.Send(0, "begun")
			}
		},
	}
	sys := system(model.By(5), c, s)
	sys.Nodes[0].Role, sys.Faults.Restarts = model.Peer, 1
	for _, stale := range []bool{false, true} {
		r, err := confirmed(t, sys, about(model.Always, 1), search.Options{Timed: true, Stale: stale})
		if err != nil || len(r.Violated()) != 1 || len(spurious(r)) != 0 {
			t.Errorf("stale absorption %v: %+v, %v", stale, r, err)
		}
	}
}
