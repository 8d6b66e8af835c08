package minimize

import (
	"cmp"
	"slices"

	"contend/model"
	"contend/traces"
)

// smallerSizes reduces the configuration: the budgets of faults, the exceeded bounds, and each parameter. It
// reduces liars and servers together, since bounds in papers relate them.
func (m *minimizer) smallerSizes() {
	if m.opt.KeepConfig || m.best.stage.header.Cost != nil {
		return // a cost belongs to its configuration
	}
	m.pass = "configuration"
	m.budgets()
	for again := true; again && !m.expired(); {
		again = m.fewerLiars()
		for _, param := range m.protocol.Params {
			again = m.smallerParam(param.Declared()) || again
		}
	}
}

// budgets reduces the budgets to the faults that occurred. It also tries to respect bounds, and to remove
// drift.
func (m *minimizer) budgets() {
	c := m.config()
	c.Faults = m.best.injectedFaults()
	m.tryConfig(c)
	c = m.config()
	if c.Beyond {
		c.Beyond = false
		m.tryConfig(c)
	}
	if c = m.config(); c.Drift > 0 {
		c.Drift = 0
		m.tryConfig(c)
	}
}

// config returns the configuration of the best run.
func (m *minimizer) config() model.Config { return m.best.stage.system.Config }

// fewerLiars removes a liar, with as many servers as possible.
func (m *minimizer) fewerLiars() bool {
	c := m.config()
	if c.B == 0 {
		return false
	}
	fewer := c
	fewer.B--
	for n := 1; n <= c.N; n++ {
		fewer.N = n
		if m.tryConfig(fewer) {
			return true
		}
	}
	return false
}

// smallerParam reduces a parameter to the least value that serves.
func (m *minimizer) smallerParam(d model.Declaration) bool {
	value, set := m.protocol.Spelled(m.config()).Setting(d.Name)
	if !set || d.Name == model.B.Name {
		return false
	}
	for _, v := range valuesBelow(minimum(d), value) {
		if m.tryConfig(m.config().With(model.Setting{Name: d.Name, Value: v})) {
			return true
		}
	}
	return false
}

// minimum returns the least value of a parameter with a literal meaning.
func minimum(d model.Declaration) int64 {
	if d.All {
		return max(d.Least, 1) // 0 stands for all
	}
	return d.Least
}

// valuesBelow returns at most eight values from least to below another, in order: the first ones, the middle
// of the rest, and the last one.
func valuesBelow(least, value int64) (all []int64) {
	for v := least; v < value && len(all) < 6; v++ {
		all = append(all, v)
	}
	if last := least + int64(len(all)); last < value {
		if half := last + (value-last)/2; half < value-1 {
			all = append(all, half)
		}
		all = append(all, value-1)
	}
	return all
}

// tryConfig tries a configuration, with and without derived parameters such as the size of a quorum. For each
// it tries several mappings of nodes; these omit the least active nodes first.
func (m *minimizer) tryConfig(c model.Config) bool {
	for _, one := range m.open(c) {
		st, err := m.settled(m.best.stage.header, one)
		if err != nil || m.violatesAssumption(st) {
			continue
		}
		for _, nodes := range m.best.mappings(st) {
			for _, ask := range []bool{false, true} {
				p := m.plan()
				p.stage, p.nodes, p.prompt = st, nodes, ask
				if m.try(p) {
					return true
				}
			}
		}
	}
	return false
}

// settled returns the stage of a configuration as the protocol completes it.
func (m *minimizer) settled(header traces.Trace, c model.Config) (*stage, error) {
	header.Config = m.headerConfig(header, c)
	st, err := m.stage(header)
	if err != nil {
		return nil, err
	}
	header.Config = m.headerConfig(header, st.system.Config)
	return m.stage(header)
}

// headerConfig returns a configuration in the form of a trace's header.
func (m *minimizer) headerConfig(header traces.Trace, c model.Config) traces.Config {
	return traces.New(m.protocol, header.Variant, c, header.Timed(), "", "").Config
}

// open returns a configuration, and one with all parameters without a default unset.
func (m *minimizer) open(c model.Config) []model.Config {
	var settings []model.Setting
	opened := model.Config{N: c.N, B: c.B, Network: c.Network, Drift: c.Drift, Faults: c.Faults, Beyond: c.Beyond}
	for _, param := range m.protocol.Params {
		d := param.Declared()
		if v, set := c.Setting(d.Name); set && d.HasDefault() {
			settings = append(settings, model.Setting{Name: d.Name, Value: v})
		}
	}
	if opened = opened.With(settings...); opened == c {
		return []model.Config{c}
	}
	return []model.Config{c, opened}
}

// violatesAssumption reports whether a stage violates an assumption of the claim that the original trace
// meets.
func (m *minimizer) violatesAssumption(st *stage) bool {
	return slices.ContainsFunc(m.unmetIn(st), func(a model.Assumption) bool { return !slices.Contains(m.unmet, a) })
}

// unmetIn returns the assumptions of the claim that a stage does not meet.
func (m *minimizer) unmetIn(st *stage) []model.Assumption {
	variant, _ := m.protocol.Variant(st.header.Variant) // none of the protocol itself
	return variant.Made(st.claim).Unmet(st.system, st.header.Reading())
}

// mappings returns mappings of the run's nodes to another stage's nodes of the same roles. Liars map to liars
// if possible, and as few nodes as possible are omitted.
func (t *result) mappings(st *stage) (ways [][]model.NodeID) {
	if slices.EqualFunc(t.stage.system.Nodes, st.system.Nodes, func(a, b model.NodeSpec) bool {
		return a.Name == b.Name && a.Role == b.Role && a.Byzantine == b.Byzantine
	}) {
		return [][]model.NodeID{nil}
	}
	active := t.active()
	seen := map[string]bool{}
	for leave := range mostOmissions {
		way, spare := t.mapping(st, active, leave)
		if key := keyOf(way); !seen[key] {
			seen[key], ways = true, append(ways, way)
		}
		if !spare {
			break
		}
	}
	for _, way := range ways {
		for d := range way {
			if way[d] < 0 {
				ways = append(ways, t.mergings(way, d)...)
			}
		}
	}
	return ways[:min(len(ways), mostMappings)]
}

// mostMappings is the maximum number of mappings of a configuration. mostOmissions is the maximum number of
// mappings that omit different nodes.
const (
	mostMappings  = 24
	mostOmissions = 8
)

// mergings returns mappings in which another client also takes the steps of an omitted one. Impossible steps
// are skipped.
func (t *result) mergings(way []model.NodeID, gone int) (ways [][]model.NodeID) {
	nodes := t.stage.system.Nodes
	for k := range way {
		if k != gone && way[k] >= 0 && len(nodes[gone].Script) > 0 && len(nodes[k].Script) > 0 {
			both := slices.Clone(way)
			both[gone] = way[k]
			ways = append(ways, both)
		}
	}
	return ways
}

// active returns the number of steps of each node.
func (t *result) active() []int {
	n := make([]int, len(t.stage.system.Nodes))
	for _, r := range t.records {
		if r.Node >= 0 {
			n[r.Node]++
		}
		if e := r.Move.Event; e != nil && e.Kind == model.Deliver {
			n[e.From]++
		}
		if r.Move.Kind == model.Forge {
			n[r.Move.From]++
		}
	}
	return n
}

// mapping returns one mapping. Among the nodes of each kind, ordered by activity, it omits those from index
// leave on.
func (t *result) mapping(st *stage, active []int, leave int) (way []model.NodeID, spare bool) {
	way = make([]model.NodeID, len(t.stage.system.Nodes))
	for i := range way {
		way[i] = -1
	}
	used := map[model.NodeID]bool{}
	for _, lying := range []bool{true, false} { // nodes of the same kind, then others of the same role
		for _, role := range []model.Role{model.Client, model.Server, model.Peer} {
			for _, byzantine := range []bool{false, true} {
				matches := func(n model.NodeSpec) bool { return n.Role == role && (!lying || n.Byzantine == byzantine) }
				from := slices.DeleteFunc(t.stage.system.IDs(matches), func(id model.NodeID) bool { return way[id] >= 0 })
				to := slices.DeleteFunc(st.system.IDs(matches), func(id model.NodeID) bool { return used[id] })
				if len(from) > len(to) {
					spare = spare || leave+1 < len(from)
					from = t.selectNodes(from, len(to), active, leave)
				}
				for i, id := range from {
					way[id], used[to[i]] = to[i], true
				}
			}
		}
	}
	return way, spare
}

// selectNodes returns n of the nodes, in their order.
func (t *result) selectNodes(nodes []model.NodeID, n int, active []int, leave int) []model.NodeID {
	by := slices.Clone(nodes)
	slices.SortStableFunc(by, func(a, b model.NodeID) int { return cmp.Compare(active[a], active[b]) })
	gone := map[model.NodeID]bool{}
	for i := range len(nodes) - n {
		gone[by[(leave+i)%len(by)]] = true
	}
	return slices.DeleteFunc(slices.Clone(nodes), func(id model.NodeID) bool { return gone[id] })
}

func keyOf(way []model.NodeID) string {
	var key []byte
	for _, id := range way {
		key = append(key, byte(id+1))
	}
	return string(key)
}
