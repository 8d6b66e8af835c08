package confirm

import (
	"strings"
	"testing"

	"contend/checker/search"
	"contend/model"
)

// sleepers sleep for random times, first for one and then for another; the adversary
// says after each sleep whether it was the last.
func sleepers(first, later model.Window) *model.System {
	n := actor{
		start: func(_ *actor, env model.Env) { env.After("sleep", first) },
		timeout: func(_ *actor, env model.Env, _ any) {
			if env.Choose(2) == 1 {
				env.Note(1)
				return
			}
			env.After("sleep", later)
		},
	}
	return system(model.By(1), n, n)
}

// A round through an end component is confirmed at the very times that the search gives
// it, though a coin is pending all along, older when the round is entered or not.
func TestRoundsOfCoinsAreConfirmed(t *testing.T) {
	for i, against := range []model.Adversary{model.Adaptive, model.Foreseeing, model.Nonadaptive, model.Adaptive, model.Foreseeing} {
		s, claims := sleepers(model.Uniform(1, model.Ticks(3+i)), model.Uniform(2, 3)), about(model.AlmostSurely, 1)
		claims[0].Against = against
		c := candidate(t, s, claims, search.Options{Timed: true})
		run, is, err := take(t, s, claims, true, c)
		if err != nil || is != search.Real || c.Loop < 1 || len(run.Records) != len(c.Steps) {
			t.Fatalf("%v: %v, loop %d of %d steps: %v", against, is, c.Loop, len(c.Steps), err)
		}
		c.Steps[len(c.Steps)-1].Delay++
		if _, _, err := take(t, s, claims, true, c); err == nil {
			t.Errorf("%v: a round that takes longer each time is confirmed", against)
		}
	}
}

// That a run stops is confirmed only where nothing has to happen any more.
func TestStopsAreConfirmed(t *testing.T) {
	s, claims := system(model.By(1), actor{start: func(_ *actor, env model.Env) { env.Send(0, 5) }}), about(model.AlmostSurely, 1)
	c := candidate(t, s, claims, search.Options{Timed: true})
	if _, is, err := take(t, s, claims, true, c); err != nil || is != search.Real || c.Loop != -1 || len(c.Steps) != 1 {
		t.Fatalf("%v, loop %d, %d steps: %v", is, c.Loop, len(c.Steps), err)
	}
	c.Steps, c.InFlight = nil, c.InFlight[:1]
	if _, _, err := take(t, s, claims, true, c); err == nil || !strings.HasPrefix(err.Error(), "claim note: the run is to end, but deliver at a is pending") {
		t.Errorf("error %v", err)
	}
}
