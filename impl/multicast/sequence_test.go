package multicast

import (
	"testing"

	"contend/model"
)

// watching is a watch that stores violations.
type watching struct {
	model.Watch
	violated bool
}

func (*watching) Witness()                 {}
func (w *watching) Violate(string, ...any) { w.violated = true }

func delivers(at model.NodeID, number int) model.Observation {
	return model.Observation{Kind: model.Delivered, Node: at, Value: Message{Sender: 0, Number: number}}
}

// Deliveries are in sequence if the numbers of each sender increase by one at each process.
func TestInSequence(t *testing.T) {
	down := []model.Observation{{Kind: model.Crashed, Node: 1}, {Kind: model.Recovered, Node: 1}}
	for _, c := range []struct {
		what     string
		run      []model.Observation
		violated bool
	}{
		{"one after another", []model.Observation{delivers(1, 1), delivers(2, 1), delivers(1, 2)}, false},
		{"the first is left out", []model.Observation{delivers(1, 2)}, true},
		{"one comes twice", []model.Observation{delivers(1, 1), delivers(1, 1)}, true},
		{"one comes again after a crash", []model.Observation{delivers(1, 1), down[0], down[1], delivers(1, 1)}, true},
		{"it goes on after a crash", []model.Observation{delivers(1, 1), down[0], down[1], delivers(1, 2)}, false},
	} {
		m, w := &sequence{Last: map[model.NodeID]map[model.NodeID]int{}}, &watching{}
		for _, o := range c.run {
			m.Observe(w, o)
		}
		if w.violated != c.violated {
			t.Errorf("%s: violated %v", c.what, w.violated)
		}
	}
}

// An outbox sends its copies one by one, in order, whatever is added meanwhile.
func TestOutbox(t *testing.T) {
	var o Outbox
	env := &sending{}
	o.Through(env).Broadcast([]model.NodeID{1, 2}, "first")
	o.Through(env).Broadcast([]model.NodeID{1, 2}, "second")
	for steps := 1; env.armed; steps++ {
		if len(env.sent) != steps {
			t.Fatalf("%d copies are sent in %d steps", len(env.sent), steps)
		}
		env.armed = false
		o.Step(env)
	}
	want := []Copy{{1, "first"}, {2, "first"}, {1, "second"}, {2, "second"}}
	for i, c := range want {
		if len(env.sent) != len(want) || env.sent[i] != c {
			t.Fatalf("it sends %v, want %v", env.sent, want)
		}
	}
}

type sending struct {
	model.Env
	sent  []Copy
	armed bool
}

func (s *sending) Send(to model.NodeID, m any) { s.sent = append(s.sent, Copy{to, m}) }
func (s *sending) After(any, model.Window)     { s.armed = true }
