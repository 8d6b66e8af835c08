package confirm

import (
	"strings"
	"testing"

	"contend/checker/search"
	"contend/model"
	"contend/model/world"
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

// What may come once more after a restart need not happen, and a run stops all the same.
func TestStopsBeforeWhatMayComeOnceMore(t *testing.T) {
	s := system(model.By(1), actor{start: func(_ *actor, env model.Env) { env.Send(1, 5) }}, actor{})
	s.Nodes[0].Role, s.Faults.Restarts = model.Client, 1
	claim := about(model.AlmostSurely, 1)[0]
	w, err := world.New(s, nil, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := stopped(w, claim); err == nil {
		t.Error("it stops while a message is in flight")
	}
	for _, m := range []world.Move{{Kind: model.Deliver, Event: w.Pending()[0]}, {Kind: model.Crash, Node: 1}, {Kind: model.Restart, Node: 1}} {
		if _, err := w.Step(m, 0, func(int, string) int { return 0 }); err != nil {
			t.Fatal(err)
		}
	}
	if again := w.Pending(); len(again) != 1 || !again[0].Optional {
		t.Fatalf("pending are %v", again)
	}
	if err := stopped(w, claim); err != nil {
		t.Error(err)
	}
}
