package confirm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search"
	"contend/model"
)

// A run that is pinned to the steps of a finer grid counts the ticks of windows in those steps.
func TestPinnedToAFinerGrid(t *testing.T) {
	s := system(model.Exactly(1), actor{start: func(_ *actor, env model.Env) { env.Send(1, 7) }},
		actor{receive: func(_ *actor, env model.Env, _ any) { env.Note(1) }})
	claims := about(model.Always, 1)
	c := candidate(t, s, claims, search.Options{Timed: true})
	require.Len(t, c.Steps, 1)
	for delay, is := range map[int]search.Confirmation{1: search.StrictBound, 2: search.Real, 3: search.StrictBound} {
		c.Pinned, c.Parts, c.Steps[0].Delay = true, 2, delay
		_, got, err := take(t, s, claims, true, c)
		require.NoError(t, err)
		assert.Equal(t, is, got, "after %d halves of a tick", delay)
	}
}

// A number that a run reported before its last step is not what it comes to.
func TestANumberThatCameEarlier(t *testing.T) {
	s := system(model.Anytime(), actor{
		start: func(_ *actor, env model.Env) { env.Send(0, 6) },
		receive: func(_ *actor, env model.Env, m any) {
			if env.Note(m); m == 6 {
				env.Send(0, 1)
			}
		},
	})
	c := candidate(t, s, about(model.Always, 1), search.Options{})
	require.Len(t, c.Steps, 2)
	cost := &model.Cost{Name: "thrown", Meter: func(*model.System) model.Monitor { return &thrown{} }}
	for number, comes := range map[int]bool{1: true, 6: false} {
		c.Number = number
		_, _, err := take(t, s, []model.Claim{cost.Claim()}, false, c)
		assert.Equal(t, comes, err == nil, "%d: %v", number, err)
	}
}

// What may come once more, and does not before its receiver stops for good, keeps nobody from
// stopping late.
func TestALateStop(t *testing.T) {
	a := actor{
		start: func(_ *actor, env model.Env) { env.Send(1, "it"); env.After("soon", model.Exactly(1)) },
		receive: func(a *actor, env model.Env, m any) {
			if m != []string{"up", "got", "up", "", "went", "", ""}[a.S] {
				return
			}
			switch a.S++; a.S {
			case 3: // it was told, and came back, in time to be told again
				env.After("late", model.Exactly(5))
			case 5:
				env.Note(1)
			}
		},
		timeout: func(a *actor, env model.Env, key any) {
			switch {
			case key == "late":
				a.S = 4
				env.Send(1, "go")
			case a.S < 3:
				a.S = 6
			}
		},
	}
	b := actor{
		start: func(_ *actor, env model.Env) { env.Send(0, "up") },
		receive: func(_ *actor, env model.Env, m any) {
			env.Send(0, map[any]string{"it": "got", "go": "went"}[m])
		},
	}
	s := system(model.By(1), a, b)
	s.Nodes[0].Crash, s.Nodes[1].Crash, s.Network.Channel = model.NoCrashes, model.CrashStopRecovery, model.FIFO
	s.Faults = model.Faults{Restarts: 1, Crashes: 1}
	claims := []model.Claim{{Name: "stays", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &stays{} }}}
	r, err := confirmed(t, s, claims, search.Options{Timed: true})
	require.NoError(t, err)
	assert.Len(t, r.Violated(), 1)
	assert.Empty(t, spurious(r))
}

// stays claims that nobody crashes after a note.
type stays struct{ Noted bool }

func (s *stays) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Noted:
		s.Noted = true
	case o.Kind == model.Crashed && s.Noted:
		w.Violate("it crashes")
	}
}

// On FIFO the interpreter delivers what the search has absorbed before what stands behind it. That it
// may come once more after a restart is news to the search, which lets nobody wait until it is too late.
func TestWhatWasAbsorbedComesAgain(t *testing.T) {
	a := actor{
		start: func(_ *actor, env model.Env) {
			env.Send(1, 7)
			env.Send(1, "it")
			env.After("soon", model.Exactly(1))
		},
		receive: func(a *actor, env model.Env, m any) {
			if m != []string{"up", "got", "up", ""}[a.S] {
				return
			}
			if a.S++; a.S == 3 {
				env.Note(1)
			}
		},
		timeout: func(a *actor, _ model.Env, _ any) { a.S = 3 },
	}
	b := actor{
		start: func(_ *actor, env model.Env) { env.Send(0, "up") },
		receive: func(_ *actor, env model.Env, m any) {
			if m == "it" {
				env.Send(0, "got")
			}
		},
	}
	s := system(model.By(2), a, b)
	s.Nodes[0].Crash, s.Faults.Restarts, s.Network.Channel = model.NoCrashes, 1, model.FIFO
	r, err := confirmed(t, s, about(model.Always, 1), search.Options{Timed: true, Stale: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"stale absorption"}, r.Reductions)
	assert.Len(t, r.Violated(), 1)
	assert.Empty(t, spurious(r))
}
