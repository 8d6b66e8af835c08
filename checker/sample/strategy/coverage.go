package strategy

import (
	"math/rand/v2"

	"contend/model"
)

// Coverage mutates schedules that showed something new (coverage-guided fuzzing, of schedules as in Gulcan, Kulahcioglu Ozkan,
// Majumdar, Nagendra: Model-Guided Fuzzing of Distributed Systems, 2024). What is covered are the states of nodes,
// their steps, and the pairs of states that two nodes are in at one time. A schedule that covers more is kept, and mutated the more often, the
// more it covers. When all these mutants were run, they come from any schedule that is kept, more often from those kept last; and one schedule
// among some is drawn.
//
// There is no guarantee. Faults, lies and instants of a mutated schedule are drawn as those of the original were, or anew.
type Coverage struct {
	plan    plan[*kept]
	corpus  []*kept
	covered map[uint64]struct{}
	cover   *Cover // nil if nobody wants to know
}

// kept is a schedule that covered something new.
type kept struct {
	order []identity
	fresh int    // how many of them happened when it last covered something new
	seed  uint64 // of what is not the scheduler's to choose
}

// The constants of mutation.
const (
	energy     = 2    // mutants of a schedule for each new item that it covers
	mostEnergy = 32   // at most so many
	mostQueued = 4096 // mutants that are planned
	mostCorpus = 4096 // schedules that are kept
	freshEvery = 8    // one schedule among so many is drawn
)

// Schedule begins a schedule.
func (v *Coverage) Schedule(number int, seed uint64) (Scheduler, Choices) {
	own, rest := drawn(seed)
	f := &following{rand: own, seed: seed}
	var k *kept
	if k, f.planned = v.plan.item(number); !f.planned && own.IntN(freshEvery) > 0 {
		k = v.any(own)
	}
	if k != nil {
		f.ranks, f.length = mutated(k, own), len(k.order)
		if own.IntN(4) > 0 {
			f.seed, rest = k.seed, Stream(k.seed, others)
		}
	}
	return f, rest
}

// any is a schedule that is kept: the last with twice the probability of the one in the middle.
func (v *Coverage) any(r *rand.Rand) *kept {
	if len(v.corpus) == 0 {
		return nil
	}
	return v.corpus[max(r.IntN(len(v.corpus)), r.IntN(len(v.corpus)))]
}

// Learn plans mutants of a schedule that covers something new.
func (v *Coverage) Learn(number int, s Scheduler, _ Outcome) {
	f := s.(*following)
	v.plan.learned(number, f.planned)
	if v.covered == nil || len(v.covered) > mostKept {
		v.covered = map[uint64]struct{}{}
	}
	k, found := &kept{order: f.order, seed: f.seed}, 0
	for _, c := range f.covers {
		if _, known := v.covered[c.item]; !known {
			v.covered[c.item] = struct{}{}
			k.fresh = c.at
			found++
			if v.cover != nil {
				v.cover.fresh = append(v.cover.fresh, c.item)
			}
		}
	}
	if found == 0 {
		return
	}
	if v.corpus = append(v.corpus, k); len(v.corpus) > mostCorpus {
		v.corpus = v.corpus[1:]
	}
	if v.cover != nil {
		v.cover.kept = append(v.cover.kept, k)
	}
	for n := min(energy*found, mostEnergy); n > 0 && len(v.plan.items) < mostQueued; n-- {
		if v.plan.items = append(v.plan.items, k); len(v.plan.items)%freshEvery == 0 {
			v.plan.items = append(v.plan.items, nil)
		}
	}
}

// cover is an item that a schedule covers, and how many events had happened then.
type cover struct {
	item uint64
	at   int
}

// following is the scheduler of Coverage: of the events that may happen the one of the lowest rank does.
type following struct {
	identities
	rand    *rand.Rand
	seed    uint64
	planned bool
	ranks   map[identity]float64
	length  int        // of the schedule that it follows
	order   []identity // what happened
	nodes   []uint64   // the states of the nodes, by node
	covers  []cover
}

// Attends implements [Attentive].
func (*following) Attends() bool { return true }

func (f *following) Next(events []Event) (at int) {
	if f.ranks == nil {
		f.ranks = map[identity]float64{}
	}
	best := 0.0
	for i, e := range events {
		if r := f.rank(e); i == 0 || r < best {
			best, at = r, i
		}
	}
	return at
}

// rank is that of an event in the schedule that is followed; of one that is not in it, any behind what happened.
func (f *following) rank(e Event) float64 {
	id := f.name(e)
	r, known := f.ranks[id]
	if !known {
		done := float64(len(f.order))
		r = done + f.rand.Float64()*max(float64(f.length)-done, 1)
		f.ranks[id] = r
	}
	return r
}

func (f *following) Took(s Step) {
	if !s.Environment {
		f.order = append(f.order, f.name(s.Event))
	}
	node := int(s.Event.Node)
	if node < 0 {
		return
	}
	f.nodes = grown(f.nodes, node)
	f.nodes[node] = s.After
	here := mixed(uint64(node), s.After)
	f.cover(here)
	f.cover(mixed(mixed(s.Before, s.Event.Key), here))
	for other, local := range f.nodes {
		if other != node {
			f.cover(here ^ mixed(uint64(other), local))
		}
	}
}

func (f *following) cover(item uint64) { f.covers = append(f.covers, cover{item, len(f.order)}) }

// mutated is an order of events after some mutations, as ranks: lower ones happen first.
func mutated(k *kept, r *rand.Rand) map[identity]float64 {
	order := k.order
	m := &mutant{rand: r, order: order, fresh: k.fresh, ranks: make(map[identity]float64, len(order)), at: map[model.NodeID][]int{}}
	for i, id := range order {
		m.ranks[id] = float64(i)
		m.at[id.node] = append(m.at[id.node], i)
	}
	if len(order) < 2 {
		return m.ranks
	}
	for more := true; more; more = r.IntN(2) == 0 {
		mutations[r.IntN(len(mutations))](m)
	}
	return m.ranks
}

// mutant is an order of events as it is mutated.
type mutant struct {
	rand  *rand.Rand
	order []identity
	fresh int
	ranks map[identity]float64
	at    map[model.NodeID][]int // places in the order, by node
}

// mutations are the ways to change an order; those that matter most are there more than once.
var mutations = [...]func(*mutant){(*mutant).postpone, (*mutant).postpone, (*mutant).advance, (*mutant).swap, (*mutant).forget, (*mutant).cut, (*mutant).beyond}

// race is two events at one node, in their order; equal if the node has but one.
func (m *mutant) race() (first, second identity) {
	there := m.at[m.order[m.rand.IntN(len(m.order))].node]
	i, j := m.rand.IntN(len(there)), m.rand.IntN(len(there))
	return m.order[there[min(i, j)]], m.order[there[max(i, j)]]
}

// postpone lets an event wait until a later one at its node happened.
func (m *mutant) postpone() {
	first, second := m.race()
	m.ranks[first] = m.ranks[second] + m.rand.Float64()
}

// advance takes an event before an earlier one at its node, if it is possible then.
func (m *mutant) advance() {
	first, second := m.race()
	m.ranks[second] = m.ranks[first] - m.rand.Float64()
}

// swap makes any two events change places.
func (m *mutant) swap() {
	a, b := m.order[m.rand.IntN(len(m.order))], m.order[m.rand.IntN(len(m.order))]
	m.ranks[a], m.ranks[b] = m.ranks[b], m.ranks[a]
}

// forget leaves open when an event happens.
func (m *mutant) forget() { delete(m.ranks, m.order[m.rand.IntN(len(m.order))]) }

// cut leaves everything open from some event on.
func (m *mutant) cut() {
	for _, id := range m.order[m.rand.IntN(len(m.order)):] {
		delete(m.ranks, id)
	}
}

// beyond leaves everything open from the last event on that covered something new.
func (m *mutant) beyond() {
	for _, id := range m.order[m.fresh:] {
		delete(m.ranks, id)
	}
}
