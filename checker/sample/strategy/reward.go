package strategy

import "math/rand/v2"

// Reward is reinforcement learning with a bonus for novelty: BonusMaxRL (Borgarelli, Enea, Majumdar,
// Nagendra: Reward Augmentation in Reinforcement Learning for Testing Distributed Systems, OOPSLA 2024). A
// state is the states of all nodes, without pending events. The value of an event in a state is 1 at first.
// The reward of a step is 1/v, with v visits of the next state. A value tends to the larger of the reward and
// the discounted best value of the next state. So a distant new state is worth as much as a near one.
//
// The paper proves no bound. Every schedule remains possible, since one of ten choices is uniform.
type Reward struct {
	values map[situation]float32
	visits map[uint64]int32
	news   *news // nil if nothing is recorded
}

// A news has the values and states learned since Begin, in order.
type news struct {
	situations []situation
	known      map[situation]struct{}
	states     []uint64
	visits     map[uint64]int32
}

func (n *news) visit(state uint64) {
	if n.visits[state]++; n.visits[state] == 1 {
		n.states = append(n.states, state)
	}
}

func (n *news) learn(s situation) {
	if _, known := n.known[s]; !known {
		n.known[s] = struct{}{}
		n.situations = append(n.situations, s)
	}
}

// A situation is an event in a state.
type situation struct{ state, key uint64 }

// Constants of learning. At mostKept values the strategy begins anew.
const (
	rate         = 0.2
	discount     = 0.95
	exploreEvery = 10 // one of so many choices is uniform
	mostKept     = 1 << 20
)

// Schedule begins a schedule.
func (w *Reward) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	own, rest := streams(seed)
	return &greedy{rand: own, values: w.values}, rest
}

// Learn updates the values of a schedule, from its end to its beginning.
func (w *Reward) Learn(_ int, s Scheduler, _ Outcome) {
	if w.values == nil || len(w.values) > mostKept {
		w.values, w.visits = map[situation]float32{}, map[uint64]int32{}
		if w.news != nil {
			*w.news = news{known: map[situation]struct{}{}, visits: map[uint64]int32{}}
		}
	}
	g := s.(*greedy)
	for _, c := range g.chosen {
		w.visits[c.after]++
		if w.news != nil {
			w.news.visit(c.after)
		}
	}
	behind := float32(0)
	for i := len(g.chosen) - 1; i >= 0; i-- {
		c := g.chosen[i]
		if i+1 < len(g.chosen) {
			behind = w.best(g.chosen[i+1])
		}
		old := value(w.values, c.situation)
		w.values[c.situation] = old + rate*(max(1/float32(w.visits[c.after]), discount*behind)-old)
		if w.news != nil {
			w.news.learn(c.situation)
		}
	}
}

// best returns the value of the best event of a choice.
func (w *Reward) best(c chosen) (best float32) {
	for _, key := range c.keys {
		best = max(best, value(w.values, situation{c.state, key}))
	}
	return best
}

func value(values map[situation]float32, s situation) float32 {
	if v, known := values[s]; known {
		return v
	}
	return 1
}

// A greedy is the scheduler of Reward.
type greedy struct {
	rand   *rand.Rand
	values map[situation]float32
	nodes  []uint64 // by node, keys of states
	chosen []chosen
}

// A chosen is a choice: the possible events, and the state after the chosen event.
type chosen struct {
	situation
	keys  []uint64
	after uint64
}

// Attends implements [Attentive].
func (*greedy) Attends() bool { return true }

func (g *greedy) Next(events []Event) (at int) {
	c := chosen{keys: make([]uint64, len(events))}
	c.state = g.state()
	best, equal := float32(-1), 0
	for i, e := range events {
		c.keys[i] = e.Key
		switch v := value(g.values, situation{c.state, e.Key}); {
		case v > best:
			best, equal, at = v, 1, i
		case v == best:
			if equal++; g.rand.IntN(equal) == 0 {
				at = i
			}
		}
	}
	if g.rand.IntN(exploreEvery) == 0 {
		at = g.rand.IntN(len(events))
	}
	c.key = events[at].Key
	g.chosen = append(g.chosen, c)
	return at
}

func (g *greedy) Observe(s Step) {
	if node := int(s.Event.Node); node >= 0 {
		g.nodes = grown(g.nodes, node)
		g.nodes[node] = s.After
	}
	if n := len(g.chosen); n > 0 {
		g.chosen[n-1].after = g.state()
	}
}

// state returns a key of the state of all nodes.
func (g *greedy) state() (name uint64) {
	for node, local := range g.nodes {
		name ^= mixed(uint64(node), local)
	}
	return name
}
