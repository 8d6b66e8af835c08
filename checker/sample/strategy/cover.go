package strategy

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"contend/model"
)

// A Cover is the coverage and the learned values of schedules of one system, perhaps from several processes.
// [Coverage] and [Reward] begin with it. It does not cover faults. The zero value is empty.
type Cover struct {
	items  map[uint64]struct{}
	corpus []*seedSchedule
	values map[situation]float32
	visits map[uint64]int32

	fresh     []uint64        // items since Begin
	schedules []*seedSchedule // schedules since Begin
	reward    *Reward         // the strategy that began with the Cover
}

// Begin initializes a strategy with a Cover, and records its additions for [Cover.Fresh]. It reports whether
// the strategy, or a member of the portfolio, uses coverage. A Cover serves one strategy at a time.
func Begin(s Strategy, c *Cover) (guided bool) {
	switch s := s.(type) {
	case *Fair:
		return Begin(s.Strategy, c)
	case *Portfolio:
		for _, m := range s.members {
			guided = Begin(m.Strategy, c) || guided
		}
		return guided
	case *Coverage:
		s.covered, s.corpus, s.cover = maps.Clone(c.items), slices.Clone(c.corpus), c
		c.fresh, c.schedules = nil, nil
		return true
	case *Reward:
		s.values, s.visits, s.news = maps.Clone(c.values), maps.Clone(c.visits), &news{known: map[situation]struct{}{}, visits: map[uint64]int32{}}
		c.reward = s
		return true
	}
	return false
}

// Guided reports whether the named strategy uses coverage: see [Begin].
func Guided(name string) bool {
	if name == "" {
		name = Default
	}
	k, err := Find(name)
	return err == nil && Begin(k.New(), &Cover{})
}

// Items returns the number of covered items.
func (c *Cover) Items() int { return len(c.items) }

// States returns the number of states that schedules of [Reward] visited.
func (c *Cover) States() int { return len(c.visits) }

// Bounds on the result of [Cover.Fresh], in bytes.
const (
	MostAdditions = 512 << 10
	mostItems     = MostAdditions / 4
	mostSchedules = MostAdditions / 2
	mostVisits    = MostAdditions * 5 / 8
)

// coverVersion is the first byte of additions.
const coverVersion = 2

// Fresh returns the additions since [Begin] as input of [Cover.Add]; nil if there are none. It omits what
// exceeds [MostAdditions].
func (c *Cover) Fresh() []byte {
	var learned news
	if c.reward != nil {
		learned = *c.reward.news
	}
	if len(c.fresh) == 0 && len(learned.situations) == 0 {
		return nil
	}
	items := c.fresh[:min(len(c.fresh), mostItems/8)]
	b := binary.AppendUvarint([]byte{coverVersion}, uint64(len(items)))
	for _, item := range items {
		b = binary.BigEndian.AppendUint64(b, item)
	}
	b = appended(b, mostSchedules, len(c.schedules), func(b []byte, i int) []byte {
		return c.schedules[len(c.schedules)-1-i].append(b) // later schedules cover more
	})
	b = appended(b, mostVisits, len(learned.states), func(b []byte, i int) []byte {
		state := learned.states[i]
		return binary.AppendUvarint(binary.BigEndian.AppendUint64(b, state), uint64(min(learned.visits[state], mostMet)))
	})
	return appended(b, MostAdditions, len(learned.situations), func(b []byte, i int) []byte {
		s := learned.situations[i]
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, s.state), s.key)
		return binary.BigEndian.AppendUint32(b, math.Float32bits(c.reward.values[s]))
	})
}

// appended appends a count and the first of n encoded things, as many as fit into most bytes.
func appended(b []byte, most, n int, one func(b []byte, i int) []byte) []byte {
	var all []byte
	count := 0
	for ; count < n; count++ {
		next := one(all, count)
		if len(b)+binary.MaxVarintLen64+len(next) > most {
			break
		}
		all = next
	}
	return append(binary.AppendUvarint(b, uint64(count)), all...)
}

func (k *seedSchedule) append(b []byte) []byte {
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

// errCover is the error of invalid additions.
var errCover = errors.New("the coverage data is damaged, or of a later version")

// An additions has the decoded result of Fresh.
type additions struct {
	items      []uint64
	schedules  []*seedSchedule
	states     []uint64
	visits     []int32
	situations []situation
	values     []float32
}

// Add merges additions of strategies that began with this Cover, in their order. It skips invalid additions,
// and returns an error if there are any. Of several values of one event the smallest counts: a frequent event
// is worth less.
func (c *Cover) Add(all ...[]byte) (err error) {
	if c.items == nil {
		c.items, c.values, c.visits = map[uint64]struct{}{}, map[situation]float32{}, map[uint64]int32{}
	}
	learned := map[situation]float32{}
	for _, data := range all {
		a, bad := readAdditions(data)
		if bad != nil {
			err = bad
			continue
		}
		for _, item := range a.items {
			if len(c.items) < mostKept {
				c.items[item] = struct{}{}
			}
		}
		c.corpus = append(c.corpus, a.schedules...)
		for i, state := range a.states {
			if visits, known := c.visits[state]; known || len(c.visits) < mostKept {
				c.visits[state] = min(visits+a.visits[i], mostMet)
			}
		}
		for i, s := range a.situations {
			if v, known := learned[s]; !known || a.values[i] < v {
				learned[s] = a.values[i]
			}
			if _, known := c.values[s]; known || len(c.values) < mostKept {
				c.values[s] = learned[s]
			}
		}
	}
	c.corpus = c.corpus[max(0, len(c.corpus)-mostCorpus):]
	return err
}

// mostMet bounds the visits of a state. Far fewer make it worthless.
const mostMet = 1 << 24

func readAdditions(data []byte) (a additions, err error) {
	r := reader{data: data}
	if r.byte() != coverVersion || len(data) > MostAdditions {
		return a, errCover
	}
	for range r.uint(uint64(len(r.data) / 8)) {
		a.items = append(a.items, r.fixed())
	}
	for range r.uint(uint64(len(r.data) / 10)) {
		a.schedules = append(a.schedules, r.schedule())
	}
	slices.Reverse(a.schedules)
	for range r.uint(uint64(len(r.data) / 9)) {
		a.states, a.visits = append(a.states, r.fixed()), append(a.visits, int32(r.uint(mostMet)))
	}
	for range r.uint(uint64(len(r.data) / 20)) {
		a.situations = append(a.situations, situation{r.fixed(), r.fixed()})
		v := math.Float32frombits(binary.BigEndian.Uint32(r.next(4)))
		r.bad = r.bad || !(v >= 0 && v <= 1)
		a.values = append(a.values, v)
	}
	if r.bad || len(r.data) > 0 {
		return a, errCover
	}
	return a, nil
}

// A reader decodes additions. After an error all its results are 0.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) next(n int) []byte {
	if r.bad = r.bad || n <= 0 || n > len(r.data); r.bad {
		return make([]byte, 8)
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) byte() byte    { return r.next(1)[0] }
func (r *reader) fixed() uint64 { return binary.BigEndian.Uint64(r.next(8)) }

// uint reads a number of at most most.
func (r *reader) uint(most uint64) uint64 {
	x, n := binary.Uvarint(r.data)
	r.next(n)
	r.bad = r.bad || x > most
	if r.bad {
		return 0
	}
	return x
}

func (r *reader) int() int32 {
	x, n := binary.Varint(r.data)
	r.next(n)
	r.bad = r.bad || x < math.MinInt32 || x > math.MaxInt32
	return int32(x)
}

func (r *reader) schedule() *seedSchedule {
	k := &seedSchedule{seed: r.fixed()}
	most := uint64(len(r.data) / 4) // an identity has at least four bytes
	fresh := r.uint(most)
	for range r.uint(most) {
		id := identity{model.EventKind(r.int()), model.NodeID(r.int()), model.NodeID(r.int()), r.int()}
		k.order = append(k.order, id)
	}
	k.fresh = int(fresh)
	r.bad = r.bad || k.fresh > len(k.order)
	return k
}
