package fuzz

import (
	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/impl/multicast/agreed"
	"contend/model"
	"contend/model/world"
)

// queues is an account of what every process has to propose, select and deliver, kept without
// queues: of the messages that a process has received and not delivered, the one with the
// smallest number is the next, and it is delivered at once when that number is agreed.
type queues struct {
	processes int
	known     map[model.NodeID]map[multicast.Message]entry
	highest   map[model.NodeID]clocks.Lamport // number that each process has proposed or been told of
	proposals map[multicast.Message]map[model.NodeID]clocks.Stamp
	agreed    map[multicast.Message]clocks.Stamp
}

type entry struct {
	number clocks.Stamp
	agreed bool
}

// fewMulticastAgreed is a system small enough for rapid.
func fewMulticastAgreed(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(4)}.With(multicast.Messages.Is(1+c.Choose(3)), multicast.Senders.Is(c.Choose(2)))
	config.Faults = model.Faults{Crashes: c.Choose(2), Loss: c.Choose(2)}
	check := model.Check{Config: config}
	if c.Choose(2) == 1 {
		check.Variant = "filters"
		check.Config.Faults.Duplication = 2
	}
	return check
}

func newQueues(s *model.System) func(*rapid.T, *interpreter, world.Record) {
	q := &queues{
		processes: len(s.Nodes), known: map[model.NodeID]map[multicast.Message]entry{}, highest: map[model.NodeID]clocks.Lamport{},
		proposals: map[multicast.Message]map[model.NodeID]clocks.Stamp{}, agreed: map[multicast.Message]clocks.Stamp{},
	}
	for i := range s.Nodes {
		q.known[model.NodeID(i)] = map[multicast.Message]entry{}
	}
	return q.check
}

func (q *queues) check(t *rapid.T, _ *interpreter, r world.Record) {
	if r.Move.Kind == model.Deliver {
		if told, is := r.Move.Event.Value.(agreed.Agreed); is {
			q.told(r.Node, told)
		}
	}
	for _, o := range r.Observations {
		switch v := o.Value.(type) {
		case agreed.Proposal:
			q.proposes(t, o.Node, v)
		case agreed.Agreed:
			q.selects(t, v)
			q.told(o.Node, v)
		case multicast.Message:
			q.delivers(t, o.Node, v)
		}
	}
	if m, is := q.first(r.Node); is && q.known[r.Node][m].agreed {
		t.Fatalf("process %d does not deliver %v", r.Node, m)
	}
}

// proposes holds a process to the next number, with its ID.
func (q *queues) proposes(t *rapid.T, id model.NodeID, p agreed.Proposal) {
	q.highest[id]++
	if want := (clocks.Stamp{Time: q.highest[id], ID: id}); p.Number != want {
		t.Fatalf("process %d proposes %v for %v, not %v", id, p.Number, p.Message, want)
	}
	if q.proposals[p.Message] == nil {
		q.proposals[p.Message] = map[model.NodeID]clocks.Stamp{}
	}
	q.proposals[p.Message][id] = p.Number
	q.known[id][p.Message] = entry{number: p.Number}
}

// selects holds a sender to the largest proposal of all.
func (q *queues) selects(t *rapid.T, a agreed.Agreed) {
	if _, again := q.agreed[a.Message]; again || len(q.proposals[a.Message]) != q.processes {
		t.Fatalf("%v is agreed for %v, after %d proposals, and before: %v", a.Number, a.Message, len(q.proposals[a.Message]), again)
	}
	for _, p := range q.proposals[a.Message] {
		if a.Number.Before(p) {
			t.Fatalf("%v is agreed for %v, for which %v was proposed", a.Number, a.Message, p)
		}
	}
	if q.proposals[a.Message][a.Number.ID] != a.Number {
		t.Fatalf("%v is agreed for %v, and nobody proposed it", a.Number, a.Message)
	}
	q.agreed[a.Message] = a.Number
}

func (q *queues) told(id model.NodeID, a agreed.Agreed) {
	q.highest[id] = max(q.highest[id], a.Number.Time)
	if _, held := q.known[id][a.Message]; held {
		q.known[id][a.Message] = entry{a.Number, true}
	}
}

// delivers holds a process to the message with the smallest number.
func (q *queues) delivers(t *rapid.T, id model.NodeID, m multicast.Message) {
	if first, is := q.first(id); !is || first != m || !q.known[id][m].agreed {
		t.Fatalf("process %d delivers %v, not %v", id, m, first)
	}
	delete(q.known[id], m)
}

func (q *queues) first(id model.NodeID) (first multicast.Message, is bool) {
	for m, e := range q.known[id] {
		if !is || e.number.Before(q.known[id][first].number) {
			first, is = m, true
		}
	}
	return first, is
}
