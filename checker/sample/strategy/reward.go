package strategy

import "math/rand/v2"

// Reward is reinforcement learning with a bonus for what is new: BonusMaxRL (Borgarelli, Enea, Majumdar, Nagendra: Reward
// Augmentation in Reinforcement Learning for Testing Distributed Systems, OOPSLA 2024). A state is that of all nodes without what
// is pending, and what is learned is how new the states are that an event leads to. The value of an event in a state is 1 at first. The reward
// of a step is 1/v where the state that it leads to was met v times, and values take the larger of the reward and the discounted
// best value behind, so that a new state far away is worth as much as one nearby.
//
// The paper proves no bound. Every schedule remains possible, since one choice among some is drawn from all.
type Reward struct {
	values map[situation]float32
	visits map[uint64]int32
	news   *news // nil if nobody wants to know
}

// news is what was learned since the beginning, in the order in which it was learned first.
type news struct {
	situations []situation
	known      map[situation]struct{}
	states     []uint64
	visits     map[uint64]int32
}

func (n *news) met(state uint64) {
	if n.visits[state]++; n.visits[state] == 1 {
		n.states = append(n.states, state)
	}
}

func (n *news) learned(s situation) {
	if _, known := n.known[s]; !known {
		n.known[s] = struct{}{}
		n.situations = append(n.situations, s)
	}
}

// situation is an event in a state.
type situation struct{ state, key uint64 }

// The constants of learning, and how much is remembered: then it begins anew.
const (
	rate     = 0.2
	discount = 0.95
	anyOf    = 10 // one choice among so many is drawn from all
	mostKept = 1 << 20
)

// Schedule begins a schedule.
func (w *Reward) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	own, rest := drawn(seed)
	return &greedy{rand: own, values: w.values}, rest
}

// Learn goes through a schedule from its end to its beginning.
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
			w.news.met(c.after)
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
			w.news.learned(c.situation)
		}
	}
}

// best is the value of the best event that there was in a choice.
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

// greedy is the scheduler of Reward.
type greedy struct {
	rand   *rand.Rand
	values map[situation]float32
	nodes  []uint64 // the states of the nodes, by node
	chosen []chosen
}

// chosen is a choice: what might have happened, and the state after what did.
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
	if g.rand.IntN(anyOf) == 0 {
		at = g.rand.IntN(len(events))
	}
	c.key = events[at].Key
	g.chosen = append(g.chosen, c)
	return at
}

func (g *greedy) Took(s Step) {
	if node := int(s.Event.Node); node >= 0 {
		g.nodes = grown(g.nodes, node)
		g.nodes[node] = s.After
	}
	if n := len(g.chosen); n > 0 {
		g.chosen[n-1].after = g.state()
	}
}

// state names the state of all nodes.
func (g *greedy) state() (name uint64) {
	for node, local := range g.nodes {
		name ^= mixed(uint64(node), local)
	}
	return name
}
