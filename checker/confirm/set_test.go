package confirm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search"
	"contend/model"
)

// A message that the search absorbed, and that is sent anew twice in one step, is a single new one to
// the search, and another one in a later step.
func TestAbsorbedAndSentTwice(t *testing.T) {
	for _, timed := range []bool{false, true} {
		for _, stale := range []bool{false, true} {
			t.Run(fmt.Sprintf("timed=%v/stale=%v", timed, stale), func(t *testing.T) {
				s := system(model.By(2), actor{
					start: func(_ *actor, env model.Env) {
						env.Send(1, 7)
						env.After("again", model.Exactly(1))
					},
					timeout: func(a *actor, env model.Env, _ any) {
						env.Send(1, 7)
						env.Send(1, 7)
						if a.S++; a.S == 1 {
							env.After("again", model.Exactly(1))
							return
						}
						env.Send(1, 8)
					},
				}, actor{receive: func(_ *actor, env model.Env, m any) {
					if m == 8 {
						env.Note(1)
					}
				}})
				s.Network.Channel = model.Set
				r, err := confirmed(t, s, about(model.Always, 1), search.Options{Timed: timed, Stale: stale})
				require.NoError(t, err)
				assert.Len(t, r.Violated(), 1)
				assert.Empty(t, spurious(r))
			})
		}
	}
}

// A message that the search absorbed, and that is sent anew to a server that is down, is in flight in
// the search again: what is sent once more is merged into it there, too, and is no new one.
func TestAbsorbedAndInFlightAgain(t *testing.T) {
	const sends, last = 2, 3
	s := system(model.Anytime(), actor{
		start: func(_ *actor, env model.Env) { env.Send(1, 7); env.After("next", model.Anytime()) },
		timeout: func(a *actor, env model.Env, _ any) {
			a.S++
			env.Note(a.S)
			if a.S <= sends {
				env.Send(1, 7)
				env.After("next", model.Anytime())
				return
			}
			env.Send(1, 8)
		},
	}, actor{receive: func(_ *actor, env model.Env, m any) {
		if m == 8 {
			env.Note(last + 1)
		}
	}})
	s.Network.Channel, s.Nodes[0].Crash, s.Faults.Restarts = model.Set, model.NoCrashes, 1
	claims := []model.Claim{{Name: "missed", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &missing{All: last} }}}
	for _, stale := range []bool{false, true} {
		r, err := confirmed(t, s, claims, search.Options{Stale: stale})
		require.NoError(t, err)
		assert.Len(t, r.Violated(), 1)
	}
}

// missing is broken by a note beyond all those that were made while a node was down.
type missing struct {
	All, Missed int
	Down        bool
}

func (m *missing) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Crashed:
		m.Down = true
	case o.Kind == model.Recovered:
		m.Down = false
	case o.Kind == model.Noted && m.Down:
		m.Missed++
	case o.Kind == model.Noted && m.Missed == m.All && o.Value == m.All+1:
		w.Violate("%d are missed", m.Missed)
	}
}
