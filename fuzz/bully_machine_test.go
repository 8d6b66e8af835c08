package fuzz

import (
	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/impl/bully"
	"contend/impl/election"
	"contend/model"
	"contend/model/world"
)

// elections is an account of who elects whom, kept by what is sent and what arrives alone.
type elections struct {
	config model.Config
	down   map[model.NodeID]bool
	asked  map[model.NodeID]world.Time // when each that is in an election last sent Election messages
	ok     map[model.NodeID]bool       // that it has received an OK since
	told   map[model.NodeID]bool       // it has sent or received a Coordinator message since
}

// fewBully is a system small enough for rapid.
func fewBully(c sample.Choices) model.Check {
	n := 2 + c.Choose(3)
	config := model.Config{N: n}.With(
		model.Ops.Is(1+c.Choose(2)), model.Delay.Is(1+model.Ticks(c.Choose(2))),
		election.Initiators.Is(1+c.Choose(n)),
	)
	config.Faults = model.Faults{Crashes: c.Choose(2), Suspicions: c.Choose(2), Restarts: max(0, c.Choose(4)-2)}
	return model.Check{Config: config}
}

func newElections(s *model.System) func(*rapid.T, *interpreter, world.Record) {
	a := &elections{config: s.Config, down: map[model.NodeID]bool{}}
	a.asked, a.ok, a.told = map[model.NodeID]world.Time{}, map[model.NodeID]bool{}, map[model.NodeID]bool{}
	return a.check
}

func (a *elections) check(t *rapid.T, m *interpreter, r world.Record) {
	a.fail(r)
	if r.Move.Kind == model.Deliver && !a.down[r.Node] {
		a.arrives(t, r)
	}
	a.sends(t, m, r)
	for _, o := range r.Observations {
		if on, decides := o.Value.(election.Decided); decides {
			a.decides(t, o.Node, on.Coordinator)
		}
	}
}

// fail takes note of who is down.
func (a *elections) fail(r world.Record) {
	for _, o := range r.Observations {
		switch o.Kind {
		case model.Crashed:
			a.down[o.Node] = true
			delete(a.asked, o.Node)
		case model.Recovered:
			delete(a.down, o.Node)
		}
	}
}

// An Election message is answered at once, by one OK to who sent it, and nothing else is.
func (a *elections) arrives(t *rapid.T, r world.Record) {
	from, answers := r.Move.Event.From, 0
	for _, e := range r.Sent {
		if _, is := e.Value.(bully.OK); is {
			if answers++; e.Node != from {
				t.Fatalf("process %d answers %d, but %d has asked", r.Node, e.Node, from)
			}
		}
	}
	want := 0
	switch r.Move.Event.Value.(type) {
	case bully.Election:
		want = 1
	case bully.OK:
		a.ok[r.Node] = true
	case bully.Coordinator:
		a.told[r.Node] = true
	}
	if answers != want && !a.down[from] {
		t.Fatalf("process %d sends %d OK messages, want %d", r.Node, answers, want)
	}
}

// Election messages go up. Who wins has received no OK; where time is kept, for longer than one takes, and
// where nobody comes back it is larger than all that are up.
func (a *elections) sends(t *rapid.T, m *interpreter, r world.Record) {
	for _, e := range r.Sent {
		if _, is := e.Value.(bully.Election); is && e.Node <= r.Node {
			t.Fatalf("process %d sends an Election message to %d", r.Node, e.Node)
		}
	}
	for _, o := range r.Observations {
		if o.Value == any(election.Begun{}) {
			a.asked[o.Node], a.ok[o.Node], a.told[o.Node] = r.At, false, false
		}
		if on, decides := o.Value.(election.Decided); decides && on.Coordinator == o.Node {
			a.wins(t, m, o.Node, r.At)
		}
	}
}

func (a *elections) wins(t *rapid.T, m *interpreter, p model.NodeID, at world.Time) {
	since, asks := a.asked[p]
	roundTrip := world.Time(2*model.Delay.Of(a.config)) * m.parts
	a.told[p] = true
	if !asks || a.ok[p] || m.timed && at-since <= roundTrip {
		t.Fatalf("process %d wins at %d, in an election of its own (%v) since %d, an OK received: %v", p, at, asks, since, a.ok[p])
	}
	for id := p + 1; int(id) < a.config.N; id++ {
		if m.timed && a.config.Faults.Restarts == 0 && !a.down[id] {
			t.Fatalf("process %d wins, but %d is up", p, id)
		}
	}
}

// Nobody decides without a Coordinator message, and the election has ended then.
func (a *elections) decides(t *rapid.T, p, on model.NodeID) {
	if !a.told[p] {
		t.Fatalf("process %d decides on %d, and nobody has told it", p, on)
	}
	delete(a.asked, p)
}
