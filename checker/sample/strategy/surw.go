package strategy

import (
	"math/rand/v2"
	"slices"

	"contend/model"
)

// SURW is the selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform
// Concurrency Testing, ASPLOS 2025). Some events are of interest: all, or, in every second schedule, those of
// a drawn node. The probability of an event is proportional to the number of events of interest that it will
// still cause, itself included. Other events come in between, as often as in a random walk.
//
// The paper's threads are sequences, and its proof is for them. Here an event may cause many, so that events
// form trees. With correct weights all orders of the events of interest are equally likely, if every event is
// possible as soon as its cause has happened. The weights are averages of earlier schedules. They are correct
// if they do not depend on the order of events. Faults, lies and instants are not sampled uniformly.
type SURW struct {
	trees   map[identity]*tree
	nodes   int // number of nodes
	learned int
}

// A tree has the number of occurrences of an event, and of the events that it caused at each node, itself
// included.
type tree struct {
	times  int
	events []int32 // by node + 1; index 0 for no node
}

// After learnsFirst schedules, it learns from one of learnsEvery.
const (
	learnsFirst = 512
	learnsEvery = 16
)

// Schedule begins a schedule.
func (u *SURW) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	own, rest := streams(seed)
	w := &weighted{rand: own, trees: u.trees, node: all}
	if u.nodes > 0 && own.IntN(2) == 0 {
		w.node = model.NodeID(own.IntN(u.nodes))
	}
	return w, rest
}

// Learn counts the events that each event caused.
func (u *SURW) Learn(_ int, s Scheduler, _ Outcome) {
	if u.learned++; u.learned > learnsFirst && u.learned%learnsEvery != 0 {
		return
	}
	w := s.(*weighted)
	for _, step := range w.steps {
		u.nodes = max(u.nodes, int(step.Event.Node)+1)
	}
	caused := map[int][]int32{} // by step number; w.steps lacks the steps of an opening
	for _, step := range slices.Backward(w.steps) {
		if step.Environment {
			continue
		}
		own, cause := grown(caused[step.Number], u.nodes), int(step.Event.Cause)
		own[step.Event.Node+1]++
		u.add(w.name(step.Event), own)
		if before := caused[cause]; before == nil {
			caused[cause] = own
		} else {
			sum(before, own)
		}
	}
}

func sum(to, from []int32) {
	for i, n := range from {
		to[i] += n
	}
}

func (u *SURW) add(id identity, caused []int32) {
	if u.trees == nil {
		u.trees = map[identity]*tree{}
	}
	t := u.trees[id]
	if t == nil {
		t = &tree{}
		u.trees[id] = t
	}
	t.times++
	t.events = grown(t.events, u.nodes)
	sum(t.events, caused)
}

// all stands for all nodes.
const all model.NodeID = -2

// A weighted is the scheduler of SURW.
type weighted struct {
	identities
	rand    *rand.Rand
	trees   map[identity]*tree
	node    model.NodeID // node of the events of interest, or all
	within  int32        // step that must cause the next event of interest; 0 for any
	weights []float64
	steps   []Step
}

// weight returns the expected number of events of interest that an event will still cause, itself included.
func (w *weighted) weight(e Event) float64 {
	id := w.name(e)
	own := 0.0
	if w.node == all || w.node == e.Node {
		own = 1
	}
	t := w.trees[id]
	if t == nil {
		return own
	}
	caused := int32(0)
	for node, n := range t.events {
		if w.node == all || model.NodeID(node-1) == w.node {
			caused += n
		}
	}
	return max(own, float64(caused)/float64(t.times))
}

func (w *weighted) Next(events []Event) int {
	w.weights = w.weights[:0]
	idle, total, inside := 0, 0.0, 0.0
	for _, e := range events {
		x := w.weight(e)
		w.weights = append(w.weights, x)
		total += x
		if x == 0 {
			idle++
		} else if e.Cause == w.within {
			inside += x
		}
	}
	if n := w.rand.IntN(len(events)); n < idle {
		return w.nth(n, func(i int) bool { return w.weights[i] == 0 })
	}
	if w.within == 0 || inside == 0 {
		return w.drawWeighted(total, events, func(Event) bool { return true })
	}
	return w.drawWeighted(inside, events, func(e Event) bool { return e.Cause == w.within })
}

func (w *weighted) nth(n int, ok func(int) bool) int {
	for i := range w.weights {
		if ok(i) {
			if n == 0 {
				return i
			}
			n--
		}
	}
	panic("strategy: fewer events than were counted")
}

// drawWeighted draws an event from a subset by weights, whose sum is given.
func (w *weighted) drawWeighted(sum float64, events []Event, from func(Event) bool) (last int) {
	x := w.rand.Float64() * sum
	for i, e := range events {
		if w.weights[i] > 0 && from(e) {
			if last = i; x < w.weights[i] {
				return i
			}
			x -= w.weights[i]
		}
	}
	return last
}

// Observe records a step. After an event that leads to an event of interest, the next must be caused by it.
func (w *weighted) Observe(s Step) {
	w.steps = append(w.steps, s)
	switch {
	case s.Environment:
	case w.node == all || s.Event.Node == w.node:
		w.within = 0
	case w.weight(s.Event) > 0:
		w.within = int32(s.Number)
	}
}
