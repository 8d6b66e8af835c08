package sample

import (
	"contend/model"
	"contend/model/world"
)

// style is what is drawn once for a whole run, so that runs differ in kind and not
// only in detail (swarm testing): which faults are frequent, how liars behave, how
// time is spent.
type style struct {
	weights [model.EventKinds]int // of the environment's moves
	liars   []*liar
	pace    pace
	grain   world.Time // instants drawn from within a window are multiples of it
}

// certain is the weight of all that may happen in a step. Each kind of fault has
// one of the frequencies; the protocol's own events have what is left, which is
// always the larger part.
const certain = 64

var frequencies = [...]int{0, 1, 2, 5}

// enough is the weight of ending a run in which only the environment can move.
const enough = 8

// Begin makes the choices that a run makes before its first step, and nothing else. In each of them the last option leaves
// the most open: every fault may strike, liars say anything, and a step may be taken at any instant.
func Begin(s *model.System, c Choices, reading world.Options) { drawStyle(s, c, reading) }

// drawStyle draws only what the system and its reading leave open.
func drawStyle(s *model.System, c Choices, reading world.Options) style {
	var st style
	for _, f := range []struct {
		kind   model.EventKind
		budget int
	}{
		{model.Lose, s.Faults.Loss}, {model.Duplicate, s.Faults.Duplication},
		{model.Crash, s.Faults.Crashes + s.Faults.Restarts}, {model.Restart, s.Faults.Restarts}, {model.Stop, stops(s)},
		{model.Mistake, s.Faults.Suspicions}, {model.Partition, s.Faults.Partitions},
	} {
		if f.budget > 0 {
			st.weights[f.kind] = frequencies[c.Choose(len(frequencies))]
		}
	}
	if st.liars = drawLiars(s, c); len(st.liars) > 0 {
		st.weights[model.Forge] = 4 * frequencies[1+c.Choose(len(frequencies)-1)]
	}
	if reading.Timed {
		st.pace = paces[c.Choose(len(paces))]
		st.grain = [...]world.Time{world.Time(max(reading.Parts, 1)), 1}[c.Choose(2)]
	}
	return st
}

// stops is the budget of crashes for good where they may strike a node that may also come back.
func stops(s *model.System) int {
	if s.IDs(func(n model.NodeSpec) bool { return n.MayStop() && n.MayRecover() }) == nil {
		return 0
	}
	return s.Faults.Crashes
}

// strike chooses between the protocol and the kinds of moves that the environment
// has now; without moves of the protocol, between the environment and the end.
func (st *style) strike(c Choices, moves []world.Move, protocol bool) (kind model.EventKind, strikes bool) {
	var now [len(st.weights)]int
	for _, m := range moves {
		now[m.Kind] = st.weights[m.Kind]
	}
	now[model.Forge] = st.weights[model.Forge]
	total := 0
	for _, w := range now {
		total += w
	}
	if total == 0 {
		return 0, false
	}
	rest := enough
	if protocol {
		rest = certain - total
	}
	at := c.Choose(rest+total) - rest
	for kind, w := range now {
		if at >= 0 && at < w {
			return model.EventKind(kind), true
		}
		at -= w
	}
	return 0, false
}
