package minimize

import (
	"cmp"
	"slices"

	"contend/model"
	"contend/traces"
)

// smallerSizes makes the configuration smaller: the budgets of faults, what goes beyond bounds, and each parameter, with
// liars and servers together, since the bounds of papers join them.
func (m *minimizer) smallerSizes() {
	if m.opt.KeepConfig || m.best.stage.header.Cost != nil {
		return // what a run costs is of its configuration
	}
	m.pass = "configuration"
	m.budgets()
	for again := true; again && !m.over(); {
		again = m.fewerLiars()
		for _, param := range m.protocol.Params {
			again = m.smallerParam(param.Declared()) || again
		}
	}
}

// budgets gives the environment no more than it spends, and takes away the leave to go beyond bounds.
func (m *minimizer) budgets() {
	c := m.config()
	c.Faults = m.best.spent()
	m.sized(c)
	c = m.config()
	if c.Beyond {
		c.Beyond = false
		m.sized(c)
	}
	if c = m.config(); c.Drift > 0 {
		c.Drift = 0
		m.sized(c)
	}
}

// config is the configuration of the best run.
func (m *minimizer) config() model.Config { return m.best.stage.system.Config }

// fewerLiars takes a liar away, with as many servers as may go.
func (m *minimizer) fewerLiars() bool {
	c := m.config()
	if c.B == 0 {
		return false
	}
	fewer := c
	fewer.B--
	for n := 1; n <= c.N; n++ {
		fewer.N = n
		if m.sized(fewer) {
			return true
		}
	}
	return false
}

// smallerParam gives a parameter the least value that serves.
func (m *minimizer) smallerParam(d model.Declaration) bool {
	is, set := m.protocol.Spelled(m.config()).Setting(d.Name)
	if !set || d.Name == model.B.Name {
		return false
	}
	for _, v := range valuesBelow(leastOf(d), is) {
		if m.sized(m.config().With(model.Setting{Name: d.Name, Value: v})) {
			return true
		}
	}
	return false
}

// leastOf is the least value of a parameter that stands for itself.
func leastOf(d model.Declaration) int64 {
	if d.All {
		return max(d.Least, 1) // 0 stands for all
	}
	return d.Least
}

// valuesBelow are values to try in place of another, the least first, at most eight of them: the first ones, then halfway to
// the value, and the one just below it.
func valuesBelow(least, is int64) (all []int64) {
	for v := least; v < is && len(all) < 6; v++ {
		all = append(all, v)
	}
	if last := least + int64(len(all)); last < is {
		if half := last + (is-last)/2; half < is-1 {
			all = append(all, half)
		}
		all = append(all, is-1)
	}
	return all
}

// sized tries another configuration, as it is and without what is worked out from others, such as the size of a quorum; and
// each way to leave out one of the nodes of a kind, the least active first.
func (m *minimizer) sized(c model.Config) bool {
	for _, one := range m.open(c) {
		st, err := m.settled(m.best.stage.header, one)
		if err != nil || m.worse(st) {
			continue
		}
		for _, nodes := range m.best.into(st) {
			for _, ask := range []bool{false, true} {
				p := m.plan()
				p.stage, p.nodes, p.ask = st, nodes, ask
				if m.try(p) {
					return true
				}
			}
		}
	}
	return false
}

// settled is the stage of a configuration, as it is built.
func (m *minimizer) settled(header traces.Trace, c model.Config) (*stage, error) {
	header.Config = m.spelled(header, c)
	st, err := m.stage(header)
	if err != nil {
		return nil, err
	}
	header.Config = m.spelled(header, st.system.Config)
	return m.stage(header)
}

// spelled is a configuration as the header of a trace has it.
func (m *minimizer) spelled(header traces.Trace, c model.Config) traces.Config {
	return traces.New(m.protocol, header.Variant, c, header.Timed(), "", "").Config
}

// open are a configuration as it is, and one in which the parameters without a default are left open.
func (m *minimizer) open(c model.Config) []model.Config {
	var told []model.Setting
	opened := model.Config{N: c.N, B: c.B, Network: c.Network, Drift: c.Drift, Faults: c.Faults, Beyond: c.Beyond}
	for _, param := range m.protocol.Params {
		d := param.Declared()
		if v, set := c.Setting(d.Name); set && d.HasDefault() {
			told = append(told, model.Setting{Name: d.Name, Value: v})
		}
	}
	if opened = opened.With(told...); opened == c {
		return []model.Config{c}
	}
	return []model.Config{c, opened}
}

// worse reports whether a stage does not meet an assumption of the claim that the trace met.
func (m *minimizer) worse(st *stage) bool {
	return slices.ContainsFunc(m.unmetIn(st), func(a model.Assumption) bool { return !slices.Contains(m.unmet, a) })
}

// unmetIn are the assumptions of the claim that a stage does not meet.
func (m *minimizer) unmetIn(st *stage) []model.Assumption {
	variant, _ := m.protocol.Variant(st.header.Variant) // none of the protocol itself
	return variant.Made(st.claim).Unmet(st.system, st.header.Reading())
}

// into are ways to put the nodes of another stage in place of those of the run: nodes of the same role, liars in place of
// liars first, and as few left out as may be.
func (t *taken) into(st *stage) (ways [][]model.NodeID) {
	if slices.EqualFunc(t.stage.system.Nodes, st.system.Nodes, func(a, b model.NodeSpec) bool {
		return a.Name == b.Name && a.Role == b.Role && a.Byzantine == b.Byzantine
	}) {
		return [][]model.NodeID{nil}
	}
	active := t.active()
	seen := map[string]bool{}
	for leave := range mostLeft {
		way, spare := t.leaving(st, active, leave)
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
				ways = append(ways, t.stoodFor(way, d)...)
			}
		}
	}
	return ways[:min(len(ways), mostWays)]
}

// mostWays is how many ways to put nodes in place of others are tried in a configuration, and mostLeft how many of them leave
// nodes out.
const (
	mostWays = 24
	mostLeft = 8
)

// stoodFor are ways in which another client does besides its own part that of one that is not there. What it cannot do twice
// is left out.
func (t *taken) stoodFor(way []model.NodeID, gone int) (ways [][]model.NodeID) {
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

// active counts the steps that each node has part in.
func (t *taken) active() []int {
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

// leaving is one way: of the nodes of each kind, by how active they are, those go first which stand at a place, leave.
func (t *taken) leaving(st *stage, active []int, leave int) (way []model.NodeID, spare bool) {
	way = make([]model.NodeID, len(t.stage.system.Nodes))
	for i := range way {
		way[i] = -1
	}
	used := map[model.NodeID]bool{}
	for _, lying := range []bool{true, false} { // nodes of the same kind, then others of the same role
		for _, role := range []model.Role{model.Client, model.Server, model.Peer} {
			for _, byzantine := range []bool{false, true} {
				of := func(n model.NodeSpec) bool { return n.Role == role && (!lying || n.Byzantine == byzantine) }
				from := slices.DeleteFunc(t.stage.system.IDs(of), func(id model.NodeID) bool { return way[id] >= 0 })
				to := slices.DeleteFunc(st.system.IDs(of), func(id model.NodeID) bool { return used[id] })
				if len(from) > len(to) {
					spare = spare || leave+1 < len(from)
					from = t.fewer(from, len(to), active, leave)
				}
				for i, id := range from {
					way[id], used[to[i]] = to[i], true
				}
			}
		}
	}
	return way, spare
}

// fewer keeps so many nodes, in their order.
func (t *taken) fewer(nodes []model.NodeID, n int, active []int, leave int) []model.NodeID {
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
