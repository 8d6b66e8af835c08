package strategy_test

import (
	"slices"

	"contend/checker/sample/strategy"
	"contend/model"
)

// A toy is a system of events, each with the one that causes it; a node's state is what happened there.
type toy struct {
	events []event
	opens  []model.NodeID // unless nil, node 0 only shows how many of its events came from these nodes in this order
	steps  int            // at most; 0: all
	boots  int            // so many events happen without a choice
	opened int            // so many events, the oldest first, happen before the scheduler is told of any
	faults bool           // the environment takes every fifth step
	loops  bool           // the first event causes itself, too, until all others happened
	floods bool           // the first event causes itself and the second one, and the second one itself, until all others happened
}

// An event happens at a node after its cause: an event by its place in the list, or none.
type event struct {
	node, from model.NodeID
	cause      int
}

const none = -1

// chain is events at a node that cause each other, all from another node.
func (t *toy) chain(length int, node, from model.NodeID) {
	for i := range length {
		cause := none
		if i > 0 {
			cause = len(t.events) - 1
		}
		t.events = append(t.events, event{node, from, cause})
	}
}

// run runs a schedule: the places of the events in their order, and the states that node 0 was in.
func (t *toy) run(s strategy.Scheduler) (order []int, states []uint64) {
	var pending []strategy.Event
	var places []int // by number
	again := func(i, step int) {
		e := t.events[i]
		pending = append(pending, strategy.Event{ID: int32(len(places)), Cause: int32(step), Node: e.node, From: e.from, Key: uint64(e.from)<<8 | uint64(e.node)})
		places = append(places, i)
	}
	add := func(cause, step int) {
		for i, e := range t.events {
			if e.cause == cause {
				again(i, step)
			}
		}
	}
	add(none, 0)
	locals := map[model.NodeID]uint64{}
	for step := 1; len(pending) > 0 && (t.steps == 0 || step <= t.steps); step++ {
		if t.faults && step%5 == 0 {
			s.Observe(strategy.Step{Number: step, Environment: true, Event: strategy.Event{ID: -1, Kind: model.Crash}})
			continue
		}
		at := 0
		if step > max(t.boots, t.opened) {
			at = s.Next(pending)
		}
		e := pending[at]
		pending = append(pending[:at:at], pending[at+1:]...)
		order = append(order, places[e.ID])
		before := locals[e.Node]
		locals[e.Node] = t.after(before, e)
		if step > t.opened {
			s.Observe(strategy.Step{Number: step, Event: e, Before: before, After: locals[e.Node]})
		}
		states = append(states, locals[0])
		if add(places[e.ID], step); t.loops && places[e.ID] == 0 && len(pending) > 0 {
			again(0, step)
		}
		if i := places[e.ID]; t.floods && i <= 1 && slices.ContainsFunc(pending, func(e strategy.Event) bool { return places[e.ID] > 1 }) {
			again(1, step)
			if i == 0 {
				again(0, step)
			}
		}
	}
	return order, states
}

// shut is the state of a lock after a wrong event.
const shut = 1 << 20

func (t *toy) after(before uint64, e strategy.Event) uint64 {
	switch {
	case t.opens == nil || e.Node != 0:
		return before*31 + uint64(e.From) + 1
	case before < uint64(len(t.opens)) && e.From == t.opens[before]:
		return before + 1
	}
	return shut
}

// lock is a toy that opens when the events of three chains come in one order of 3ⁿ.
func lock(order ...model.NodeID) *toy {
	t := &toy{opens: order, steps: len(order)}
	for from := range model.NodeID(3) {
		t.chain(len(order), 0, from+1)
	}
	return t
}

// schedules runs schedules and learns from them, in rounds of 64.
func schedules(t *toy, by strategy.Strategy, seed uint64, n int, look func(number int, order []int, states []uint64)) {
	for at := 0; at < n; at += 64 {
		var round []strategy.Scheduler
		for k := range min(64, n-at) {
			s, _ := by.Schedule(at+k, seed*1_000_003+uint64(at+k))
			order, states := t.run(s)
			look(at+k, order, states)
			round = append(round, s)
		}
		for k, s := range round {
			by.Learn(at+k, s, strategy.Outcome{})
		}
	}
}
