package strategy

import (
	"math/rand/v2"

	"contend/model"
)

// Coverage mutates schedules that covered something new (coverage-guided fuzzing of schedules, as in Gulcan,
// Kulahcioglu Ozkan, Majumdar, Nagendra: Model-Guided Fuzzing of Distributed Systems, 2024). It covers states
// of nodes, their steps, and pairs of simultaneous states of two nodes. A schedule that covers more joins the
// corpus. Each new item adds mutants of it. After these mutants, it mutates any schedule of the corpus, late
// ones more often. One of eight schedules is random.
//
// Coverage has no guarantee. A mutated schedule reuses the original's faults, lies and instants, or draws new
// ones.
type Coverage struct {
	plan    plan[*seedSchedule]
	corpus  []*seedSchedule
	covered map[uint64]struct{}
	cover   *Cover // nil if nothing is recorded
}

// A seedSchedule is a schedule of the corpus.
type seedSchedule struct {
	order []identity
	fresh int    // number of events when it last covered something new
	seed  uint64 // of the choices that the scheduler does not make
}

// Constants of mutation.
const (
	energy     = 2    // mutants for each new item
	mostEnergy = 32   // maximum of mutants for one schedule
	mostQueued = 4096 // maximum of planned mutants
	mostCorpus = 4096 // maximum size of the corpus
	freshEvery = 8    // one of so many schedules is random
)

// Schedule begins a schedule.
func (v *Coverage) Schedule(number int, seed uint64) (Scheduler, Choices) {
	own, rest := streams(seed)
	f := &following{rand: own, seed: seed}
	var k *seedSchedule
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

// any returns a schedule of the corpus, late ones more often; nil if the corpus is empty.
func (v *Coverage) any(r *rand.Rand) *seedSchedule {
	if len(v.corpus) == 0 {
		return nil
	}
	return v.corpus[max(r.IntN(len(v.corpus)), r.IntN(len(v.corpus)))]
}

// Learn plans mutants of a schedule that covers something new.
func (v *Coverage) Learn(number int, s Scheduler, _ Outcome) {
	f := s.(*following)
	v.plan.remove(number, f.planned)
	if v.covered == nil || len(v.covered) > mostKept {
		v.covered = map[uint64]struct{}{}
	}
	k, found := &seedSchedule{order: f.order, seed: f.seed}, 0
	for _, c := range f.covers {
		if _, known := v.covered[c.item]; !known {
			v.covered[c.item] = struct{}{}
			k.fresh = c.events
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
		v.cover.schedules = append(v.cover.schedules, k)
	}
	for n := min(energy*found, mostEnergy); n > 0 && len(v.plan.items) < mostQueued; n-- {
		if v.plan.items = append(v.plan.items, k); len(v.plan.items)%freshEvery == 0 {
			v.plan.items = append(v.plan.items, nil)
		}
	}
}

// A cover is a covered item with the number of earlier events.
type cover struct {
	item   uint64
	events int
}

// A following is the scheduler of Coverage. It chooses the event of the lowest rank.
type following struct {
	identities
	rand    *rand.Rand
	seed    uint64
	planned bool
	ranks   map[identity]float64
	length  int        // of the original schedule
	order   []identity // events so far
	nodes   []uint64   // by node, keys of states
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

// rank returns the rank of an event in the mutated order. A new event gets a random rank after the past
// events.
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

func (f *following) Observe(s Step) {
	if !s.Environment {
		f.order = append(f.order, f.name(s.Event))
	}
	node := int(s.Event.Node)
	if node < 0 {
		return
	}
	f.nodes = grown(f.nodes, node)
	f.nodes[node] = s.After
	state := mixed(uint64(node), s.After)
	f.cover(state)
	f.cover(mixed(mixed(s.Before, s.Event.Key), state))
	for other, local := range f.nodes {
		if other != node {
			f.cover(state ^ mixed(uint64(other), local))
		}
	}
}

func (f *following) cover(item uint64) { f.covers = append(f.covers, cover{item, len(f.order)}) }

// mutated returns a mutated order of events, as ranks. Lower ranks happen first.
func mutated(k *seedSchedule, r *rand.Rand) map[identity]float64 {
	order := k.order
	m := &mutant{rand: r, order: order, fresh: k.fresh, ranks: make(map[identity]float64, len(order)), byNode: map[model.NodeID][]int{}}
	for i, id := range order {
		m.ranks[id] = float64(i)
		m.byNode[id.node] = append(m.byNode[id.node], i)
	}
	if len(order) < 2 {
		return m.ranks
	}
	for more := true; more; more = r.IntN(2) == 0 {
		mutations[r.IntN(len(mutations))](m)
	}
	return m.ranks
}

// A mutant is an order of events during mutation.
type mutant struct {
	rand   *rand.Rand
	order  []identity
	fresh  int
	ranks  map[identity]float64
	byNode map[model.NodeID][]int // indices in the order, by node
}

// mutations lists the changes of an order. Effective ones occur twice.
var mutations = [...]func(*mutant){(*mutant).postpone, (*mutant).postpone, (*mutant).advance, (*mutant).swap, (*mutant).forget, (*mutant).cut, (*mutant).truncate}

// race returns two events of one node, in their order; equal if the node has one event.
func (m *mutant) race() (first, second identity) {
	places := m.byNode[m.order[m.rand.IntN(len(m.order))].node]
	i, j := m.rand.IntN(len(places)), m.rand.IntN(len(places))
	return m.order[places[min(i, j)]], m.order[places[max(i, j)]]
}

// postpone moves an event after a later one of its node.
func (m *mutant) postpone() {
	first, second := m.race()
	m.ranks[first] = m.ranks[second] + m.rand.Float64()
}

// advance moves an event before an earlier one of its node.
func (m *mutant) advance() {
	first, second := m.race()
	m.ranks[second] = m.ranks[first] - m.rand.Float64()
}

// swap exchanges two events.
func (m *mutant) swap() {
	a, b := m.order[m.rand.IntN(len(m.order))], m.order[m.rand.IntN(len(m.order))]
	m.ranks[a], m.ranks[b] = m.ranks[b], m.ranks[a]
}

// forget removes the rank of an event.
func (m *mutant) forget() { delete(m.ranks, m.order[m.rand.IntN(len(m.order))]) }

// cut removes the ranks of an event and of all later ones.
func (m *mutant) cut() {
	for _, id := range m.order[m.rand.IntN(len(m.order)):] {
		delete(m.ranks, id)
	}
}

// truncate removes the ranks of the events after the last coverage.
func (m *mutant) truncate() {
	for _, id := range m.order[m.fresh:] {
		delete(m.ranks, id)
	}
}
