package fuzz

import (
	"slices"

	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/impl/ordering"
	"contend/impl/ordering/object"
	"contend/model"
	"contend/model/world"
)

// logs is an account of replicated logs: all that correct servers ever committed are
// beginnings of one log, and an operation that returned a place stands there.
type logs struct {
	longest object.Log
	calls   map[ordering.Label]string
	ranks   map[model.NodeID]ordering.Rank // the highest that each server served
}

// fewOrdering is a system small enough for rapid.
func fewOrdering(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(3)}.With(model.Clients.Is(2+c.Choose(2)), model.Ops.Is(1+c.Choose(2)), ordering.Attempts.Is(1+c.Choose(3)))
	config.Faults = model.Faults{Duplication: c.Choose(2), Crashes: c.Choose(2), Loss: c.Choose(2)}
	if c.Choose(3) == 2 {
		config.N, config.B = 7, 1
	}
	return model.Check{Config: config}
}

func newLogs(*model.System) func(*rapid.T, *interpreter, world.Record) {
	l := &logs{calls: map[ordering.Label]string{}, ranks: map[model.NodeID]ordering.Rank{}}
	return l.check
}

func (l *logs) check(t *rapid.T, _ *interpreter, r world.Record) {
	for _, o := range r.Observations {
		label := ordering.Label{Client: o.Node, Seq: o.Op + 1}
		switch n := o.Value.(type) {
		case object.Append:
			l.calls[label] = n.Entry
		case int:
			l.returned(t, l.calls[label], n)
		case ordering.Completion:
			l.completed(t, o.Node, n)
		}
	}
}

func (l *logs) returned(t *rapid.T, entry string, place int) {
	if place < 1 || place > len(l.longest) || l.longest[place-1] != entry {
		t.Fatalf("%s returns place %d of %q", entry, place, l.longest)
	}
}

// completed holds a server to its ranks, which never go down, and get's to going up.
func (l *logs) completed(t *rapid.T, u model.NodeID, n ordering.Completion) {
	if n.Rank < l.ranks[u] || n.Phase == ordering.Getting && n.Rank == l.ranks[u] {
		t.Fatalf("server %d completes %v with rank %d after one with rank %d", u, n.Phase, n.Rank, l.ranks[u])
	}
	l.ranks[u] = n.Rank
	if n.Phase == ordering.Committing {
		log, _ := n.State.Value.(object.Log)
		l.committed(t, log)
	}
}

func (l *logs) committed(t *rapid.T, log object.Log) {
	common := min(len(log), len(l.longest))
	if !slices.Equal(log[:common], l.longest[:common]) {
		t.Fatalf("both %q and %q are committed", log, l.longest)
	}
	if len(log) > len(l.longest) {
		l.longest = log
	}
	for i, entry := range log {
		if slices.Contains(log[:i], entry) {
			t.Fatalf("%s is appended twice: %q", entry, log)
		}
	}
}
