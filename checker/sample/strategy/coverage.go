package strategy

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

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
				v.cover.items[c.item] = struct{}{}
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
		v.cover.keep(k)
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

// Cover is what schedules of one system covered, and those that did, perhaps in several processes: [Coverage] begins with it and adds
// to it. It says nothing of faults. The zero value is of a system of which no schedule ran.
type Cover struct {
	items  map[uint64]struct{}
	corpus []*kept
	fresh  []uint64 // items since Fresh
	kept   []*kept  // schedules since Fresh
}

// Begin lets a strategy begin with what is covered, and add to it. It reports whether the strategy is guided by that: else it does
// neither.
func Begin(s Strategy, c *Cover) bool {
	if f, is := s.(*Fair); is {
		s = f.Strategy
	}
	v, is := s.(*Coverage)
	if is {
		if c.items == nil {
			c.items = map[uint64]struct{}{}
		}
		v.covered, v.corpus, v.cover = maps.Clone(c.items), slices.Clone(c.corpus), c
	}
	return is
}

// Guided reports whether a strategy is guided by what other schedules covered: see [Begin].
func Guided(name string) bool {
	k, err := Find(name)
	return err == nil && Begin(k.New(), &Cover{})
}

// Items counts what is covered.
func (c *Cover) Items() int { return len(c.items) }

func (c *Cover) keep(k *kept) {
	if c.corpus = append(c.corpus, k); len(c.corpus) > mostCorpus {
		c.corpus = c.corpus[1:]
	}
}

// MostAdditions bounds what [Cover.Fresh] returns, in bytes.
const MostAdditions = 512 << 10

// coverVersion begins additions.
const coverVersion = 1

// Fresh is what was added since the last time, for [Cover.Add] of another process; nil is nothing. What is more than
// [MostAdditions] is left out: others will cover it again.
func (c *Cover) Fresh() []byte {
	if len(c.fresh) == 0 {
		return nil
	}
	items := c.fresh[:min(len(c.fresh), MostAdditions/16)]
	b := binary.AppendUvarint([]byte{coverVersion}, uint64(len(items)))
	for _, item := range items {
		b = binary.BigEndian.AppendUint64(b, item)
	}
	for _, k := range slices.Backward(c.kept) { // the last cover what the others do not lead to
		one := k.append(nil)
		if len(b)+len(one) > MostAdditions {
			break
		}
		b = append(b, one...)
	}
	c.fresh, c.kept = nil, nil
	return b
}

func (k *kept) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, k.seed)
	b = binary.AppendUvarint(b, uint64(k.fresh))
	b = binary.AppendUvarint(b, uint64(len(k.order)))
	for _, id := range k.order {
		for _, n := range []int64{int64(id.kind), int64(id.node), int64(id.from), int64(id.occurrence)} {
			b = binary.AppendVarint(b, n)
		}
	}
	return b
}

// errCover is of bytes that are no additions.
var errCover = errors.New("what is covered is damaged, or of a later version")

// Add adds what was covered elsewhere. The bytes may be a stranger's: then the error says so, and nothing is added.
func (c *Cover) Add(data []byte) error {
	r := reader{data: data}
	if r.byte() != coverVersion || len(data) > MostAdditions {
		return errCover
	}
	items := make([]uint64, r.uint(uint64(len(data)/8)))
	for i := range items {
		items[i] = r.fixed()
	}
	var corpus []*kept
	for len(r.data) > 0 && !r.bad {
		corpus = append(corpus, r.kept())
	}
	if r.bad {
		return errCover
	}
	if c.items == nil {
		c.items = map[uint64]struct{}{}
	}
	for _, item := range items {
		if len(c.items) < mostKept {
			c.items[item] = struct{}{}
		}
	}
	for _, k := range slices.Backward(corpus) {
		c.keep(k)
	}
	return nil
}

// reader reads additions. Once they are bad, all that it reads is 0.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad = r.bad || n <= 0 || n > len(r.data); r.bad {
		return make([]byte, 8)
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) byte() byte    { return r.take(1)[0] }
func (r *reader) fixed() uint64 { return binary.BigEndian.Uint64(r.take(8)) }

// uint is a number of at most so much.
func (r *reader) uint(most uint64) uint64 {
	x, n := binary.Uvarint(r.data)
	r.take(n)
	r.bad = r.bad || x > most
	if r.bad {
		return 0
	}
	return x
}

func (r *reader) int() int32 {
	x, n := binary.Varint(r.data)
	r.take(n)
	r.bad = r.bad || x < math.MinInt32 || x > math.MaxInt32
	return int32(x)
}

func (r *reader) kept() *kept {
	k := &kept{seed: r.fixed()}
	most := uint64(len(r.data) / 4) // an identity has four bytes at least
	fresh := r.uint(most)
	for range r.uint(most) {
		id := identity{model.EventKind(r.int()), model.NodeID(r.int()), model.NodeID(r.int()), r.int()}
		k.order = append(k.order, id)
	}
	k.fresh = int(fresh)
	r.bad = r.bad || k.fresh > len(k.order)
	return k
}
