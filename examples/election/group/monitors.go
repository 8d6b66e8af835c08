package group

import (
	"strings"

	"contend/model"
	"contend/program"
)

// leaders claims that no candidate begins to lead while another leads.
type leaders struct{ Leads map[model.NodeID]bool }

func (l *leaders) Observe(w model.Watch, o model.Observation) {
	if l.Leads == nil {
		l.Leads = map[model.NodeID]bool{}
	}
	led(l.Leads, o)
	if _, ok := o.Note("leads"); ok {
		w.Witness()
		if len(l.Leads) > 1 {
			w.Violate("it begins to lead while another leads")
		}
	}
}

// takes claims that the holder of a lease changes only after a release, or LeaseDuration after the last write. The lease is that
// of the record in the store, and is measured by a clock that does not drift.
type takes struct {
	drifts bool
	Holder string
}

func (t *takes) Observe(w model.Watch, o model.Observation) {
	is, ok := written(o)
	if !ok || t.drifts {
		return
	}
	if t.Holder != "" && is.Holder != "" && is.Holder != t.Holder {
		w.Witness()
		if w.Held("lease") {
			w.Violate("%s takes the lease of %s, which is not over", is.Holder, t.Holder)
		}
	}
	t.Holder = is.Holder
	w.Hold("lease", model.Below(is.Seconds*1000))
}

// releases claims that the holder of a lease is cleared by the holder.
type releases struct{ Holder string }

func (r *releases) Observe(w model.Watch, o model.Observation) {
	is, ok := written(o)
	if !ok {
		return
	}
	if is.Holder == "" {
		w.Witness()
		if is.By != r.Holder {
			w.Violate("%s releases the lease of %q", is.By, r.Holder)
		}
	}
	r.Holder = is.Holder
}

// gives claims that a node that has resigned holds no lease, if candidates release, and nothing fails. Either it was the leader, or another
// candidate.
type gives struct {
	system *model.System
	leader bool
	Holder string
	Leads  map[model.NodeID]bool
	Led    map[model.NodeID]bool // it was the leader when it was asked to resign
}

func (g *gives) Observe(w model.Watch, o model.Observation) {
	if g.Leads == nil {
		g.Leads, g.Led = map[model.NodeID]bool{}, map[model.NodeID]bool{}
	}
	if is, ok := written(o); ok {
		g.Holder = is.Holder
	}
	switch o.Kind {
	case model.Invoked:
		g.Led[o.Node] = g.Leads[o.Node]
	case model.Returned:
		if g.Led[o.Node] != g.leader || !g.system.Setup.(*Setup).Releases || !sound(g.system.Config) {
			return
		}
		w.Witness()
		if strings.HasPrefix(g.Holder, g.system.Nodes[o.Node].Name+"_") {
			w.Violate("it has resigned, but holds the lease")
		}
	}
	led(g.Leads, o)
}

// sound reports whether nothing fails, messages are fast enough for each request, and clocks do not drift.
func sound(c model.Config) bool {
	return Delay.Of(c) <= 1000 && c.Faults == model.Faults{} && c.Drift == 0 && program.Cuts.Of(c)+program.HalfOpens.Of(c)+program.Refusals.Of(c)+program.Sigterms.Of(c) == 0
}

// waits claims that somebody takes what is free within a time, while some candidate stands for election and nothing fails.
type waits struct {
	system   *model.System
	most     model.Ticks
	free     func(*waits) bool
	Stands   map[model.NodeID]bool
	Leads    map[model.NodeID]bool
	Released bool
}

func (m *waits) Observe(w model.Watch, o model.Observation) {
	if !sound(m.system.Config) {
		return
	}
	if m.Stands == nil {
		m.Stands, m.Leads = map[model.NodeID]bool{}, map[model.NodeID]bool{}
	}
	before, stood := m.free(m), len(m.Stands)
	led(m.Leads, o)
	if is, ok := written(o); ok {
		m.Released = is.Holder == ""
	}
	if _, ok := o.Note("stands"); ok {
		m.Stands[o.Node] = true
	}
	if o.Kind == model.Invoked || o.Kind == model.Returned { // a call may have waited for the election
		delete(m.Stands, o.Node)
	}
	switch is := m.free(m); {
	case !is || len(m.Stands) == 0:
		w.Cancel("free")
	case !before || stood != len(m.Stands):
		w.Witness()
		w.After("free", model.Exactly(m.most+10*Delay.Of(m.system.Config)))
	}
}

// Expire implements [model.Expirer].
func (m *waits) Expire(w model.Watch, _ any) { w.Violate("nobody takes it for too long") }

// changes is reached when two candidates have led.
type changes struct{ By map[model.NodeID]bool }

func (c *changes) Observe(_ model.Watch, o model.Observation) {
	if _, ok := o.Note("leads"); ok {
		if c.By == nil {
			c.By = map[model.NodeID]bool{}
		}
		c.By[o.Node] = true
	}
}

// Reached implements [model.Goal].
func (c *changes) Reached() bool { return len(c.By) >= 2 }
