package minimize

import (
	"contend/model"
	"contend/model/world"
)

// apart removes other monitors than the claim's: they have alarms and questions of their own.
func (m *minimizer) apart() {
	st := m.best.stage
	if m.pass = "other claims"; len(st.watched) < 2 || st.claim.Name == "" {
		return
	}
	header := st.header
	header.Watched = []string{st.claim.Name}
	alone, err := m.stage(header)
	if err != nil {
		return
	}
	p := m.plan()
	p.stage = alone
	m.try(p)
}

// cone keeps only the causes of the last step, or else the causes of it and of each observation.
func (m *minimizer) cone() {
	m.pass = "what it depends on"
	for _, observed := range []bool{false, true} {
		records := m.best.records
		if len(records) == 0 || m.best.loop > 0 {
			return
		}
		needed := m.best.needs(func(i int) bool {
			return i == len(records)-1 || observed && len(records[i].Observations) > 0
		})
		p := m.plan()
		for i := range records {
			p.drop[i] = !needed[i]
		}
		if m.try(p) {
			return
		}
	}
}

// needs returns a set of steps, closed under causes. The causes of a step are the step that created its
// event, and the earlier steps of the same node.
func (t *result) needs(seed func(i int) bool) []bool {
	needed := make([]bool, len(t.records))
	nodes := map[model.NodeID]bool{}
	for i := len(t.records) - 1; i >= 0; i-- {
		r := t.records[i]
		if !seed(i) && !needed[i] && !nodes[r.Node] {
			continue
		}
		needed[i] = true
		if r.Node >= 0 {
			nodes[r.Node] = true
		}
		if e := r.Move.Event; e != nil && t.births[e].step > 0 {
			needed[t.births[e].step-1] = true
		}
	}
	return needed
}

// fewerSteps omits steps: those of a node, of an operation, of the environment, and then single ones. In
// short runs it also omits pairs.
func (m *minimizer) fewerSteps() {
	for _, g := range []struct {
		pass   string
		groups func(t *result) [][]int
	}{
		{"nodes", (*result).byNode}, {"operations", (*result).byOperation}, {"faults", (*result).faults}, {"steps", (*result).singletons},
	} {
		m.pass = g.pass
		m.leaveOut(g.groups)
	}
	if m.pass = "pairs of steps"; len(m.best.records) <= pairsUntil {
		m.pairs()
		m.substitute()
	}
}

// leaveOut omits groups of steps: all, then halves, quarters and so on. This is ddmin (Zeller and Hildebrandt
// 2002), restricted to complements.
func (m *minimizer) leaveOut(groups func(t *result) [][]int) {
	defer func() { m.thorough = false }()
	for size := len(groups(m.best)); size > 0; size /= 2 {
		m.thorough = size == 1
		for hi := len(groups(m.best)); hi > 0 && !m.expired(); {
			all := groups(m.best)
			hi = min(hi, len(all))
			lo := max(0, hi-size)
			var steps []int
			for _, g := range all[lo:hi] {
				steps = append(steps, g...)
			}
			if len(steps) > 0 {
				m.try(m.omit(steps...))
			}
			hi = lo
		}
	}
}

// singletons returns each step as a group.
func (t *result) singletons() (all [][]int) {
	for i := range t.records {
		all = append(all, []int{i})
	}
	return all
}

// faults returns each step of the environment as a group.
func (t *result) faults() (all [][]int) {
	for i, r := range t.records {
		if r.Move.Kind.Adversarial() {
			all = append(all, []int{i})
		}
	}
	return all
}

// byNode returns the steps of each node.
func (t *result) byNode() [][]int {
	return t.grouped(func(i int, r world.Record) (int, bool) { return int(r.Node), r.Node >= 0 })
}

// byOperation returns the steps of each node from one invocation to the next.
func (t *result) byOperation() [][]int {
	begun := map[model.NodeID]int{}
	return t.grouped(func(i int, r world.Record) (int, bool) {
		if r.Move.Kind == model.Invoke {
			begun[r.Node] = i + 1
		}
		return begun[r.Node], begun[r.Node] > 0
	})
}

// grouped groups steps by a key, in the order of first occurrence.
func (t *result) grouped(key func(i int, r world.Record) (k int, any bool)) (all [][]int) {
	at := map[int]int{}
	for i, r := range t.records {
		k, any := key(i, r)
		if !any {
			continue
		}
		if _, seen := at[k]; !seen {
			at[k], all = len(all), append(all, nil)
		}
		all[at[k]] = append(all[at[k]], i)
	}
	return all
}

// pairsUntil is the maximum length of runs for pairs. Then there are 780.
const pairsUntil = 40

// pairs omits any two steps of which neither can be omitted alone.
func (m *minimizer) pairs() {
	for j := len(m.best.records) - 1; j > 0; j-- {
		for i := min(j, len(m.best.records)) - 1; i >= 0 && !m.expired(); i-- {
			if j < len(m.best.records) && m.try(m.omit(i, j)) {
				break
			}
		}
	}
}
