package membership

import "contend/model"

// deaths stores the newest incarnation of each node whose death or departure each process has received.
type deaths struct {
	Of map[model.NodeID]map[model.NodeID]int
}

func (d *deaths) Observe(w model.Watch, o model.Observation) {
	if restarts(o) {
		delete(d.Of, o.Node)
	}
	switch v := o.Value.(type) {
	case Told:
		if d.Of[o.Node] == nil {
			d.Of[o.Node] = map[model.NodeID]int{}
		}
		d.Of[o.Node][v.Of] = max(d.Of[o.Node][v.Of], v.Incarnation)
	case Changed:
		if v.To.State != alive || !gone(v.From.State) || d.Of[o.Node][v.Of] == 0 {
			return
		}
		w.Witness()
		if noteNews := d.Of[o.Node][v.Of]; v.To.Incarnation <= noteNews {
			w.Violate("it was told that p%d is gone in incarnation %d, and has it as %v", v.Of+1, noteNews, v.To)
		}
	}
}

// restarts reports whether a process begins or ends.
func restarts(o model.Observation) bool {
	_, is := o.Value.(Rebooted)
	_, ends := o.Value.(Ended)
	return is || ends || o.Kind == model.Crashed
}

// makers remembers the newest incarnation that each node was in.
type makers struct{ Newest map[model.NodeID]int }

func (m *makers) Observe(w model.Watch, o model.Observation) {
	v, is := o.Value.(Changed)
	switch {
	case !is:
	case v.Of == o.Node:
		m.Newest[v.Of] = max(m.Newest[v.Of], v.To.Incarnation)
	default:
		w.Witness()
		if newest := max(1, m.Newest[v.Of]); v.To.Incarnation > newest {
			w.Violate("it has p%d as %v, which was never beyond %d", v.Of+1, v.To, newest)
		}
	}
}

// views has the entries of all processes for all nodes, and which nodes have left or are down.
type views struct {
	N       int
	Is      map[model.NodeID]map[model.NodeID]State
	Gone    map[model.NodeID]State
	reached func(*views) bool
}

func ends(reached func(*views) bool) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor {
		v := &views{N: len(s.Nodes), Is: map[model.NodeID]map[model.NodeID]State{}, reached: reached}
		for id := range model.NodeID(v.N) {
			v.Is[id] = map[model.NodeID]State{}
			for of := range model.NodeID(v.N) {
				v.Is[id][of] = alive
			}
		}
		return v
	}
}

func (v *views) Observe(w model.Watch, o model.Observation) {
	w.Witness()
	if restarts(o) {
		v.Is[o.Node] = map[model.NodeID]State{}
		delete(v.Gone, o.Node)
	}
	switch o.Kind {
	case model.Crashed:
		v.Gone[o.Node] = dead
	case model.Recovered:
		delete(v.Gone, o.Node)
	}
	switch note := o.Value.(type) {
	case Left:
		v.Gone[o.Node] = left
	case Ended:
		v.Gone[o.Node] = dead
	case Changed:
		v.Is[o.Node][note.Of] = note.To.State
	}
}

func (v *views) Reached() bool { return v.reached(v) }

// all reports whether a condition holds for each entry of each process that is up and has not left.
func (v *views) all(so func(is State, of model.NodeID) bool) bool {
	for id := range model.NodeID(v.N) {
		for of := range model.NodeID(v.N) {
			if v.Gone[id] == "" && !so(v.Is[id][of], of) {
				return false
			}
		}
	}
	return true
}

// agree reports whether all lists have the same nodes as dead or departed.
func (v *views) agree() bool {
	first := map[model.NodeID]State{}
	return v.all(func(is State, of model.NodeID) bool {
		if gone(is) {
			is = dead
		} else {
			is = alive
		}
		if first[of] == "" {
			first[of] = is
		}
		return first[of] == is
	})
}
