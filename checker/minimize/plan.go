package minimize

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// A stage is a system in which plans are taken, with what is watched there.
type stage struct {
	header  traces.Trace
	system  *model.System
	codec   *value.Codec
	watched []model.Claim
	claim   model.Claim // that is to break; the zero value where no handler may fail
}

// stage builds what a header asks for, once.
func (m *minimizer) stage(header traces.Trace) (*stage, error) {
	key := fmt.Sprintf("%v %v", header.Config, header.Watched)
	if st := m.stages[key]; st != nil {
		return st, nil
	}
	s, err := m.protocol.System(header.Variant, header.Config.Model())
	if err != nil {
		return nil, err
	}
	st := &stage{header: header, system: s}
	for _, name := range header.Watched {
		i := slices.IndexFunc(m.claims, func(c model.Claim) bool { return c.Name == name })
		if i >= 0 {
			st.watched = append(st.watched, m.claims[i])
		}
		if name == header.Claim {
			st.claim = st.watched[len(st.watched)-1]
		}
	}
	if header.Cost != nil {
		cost, err := m.protocol.Cost(header.Cost.Name)
		if err != nil {
			return nil, err
		}
		st.claim = cost.Claim()
		st.watched, st.header.Watched = []model.Claim{st.claim}, nil
	}
	if st.codec, err = value.For(s, st.watched); err != nil {
		return nil, err
	}
	m.stages[key] = st
	return st, nil
}

// A birth tells apart the events of one name: nth, from 1, of those that a step created; step 0 is the
// beginning of the run.
type birth struct{ step, nth int }

// A place is where the message of a forgery stands in the alphabet of its liar, from 0, of how many.
type place struct{ at, of int }

// A taken is a run that breaks the claim, as it was taken.
type taken struct {
	stage   *stage
	world   *world.World
	parts   int64 // of a tick
	records []world.Record
	births  map[*world.Event]birth
	places  map[int]place // of forgeries, by step from 1
	loop    int           // the first step of the round that is repeated for ever, from 1; 0 for none
	honest  *honesty      // nil until somebody asks
}

// trace writes the run.
func (t *taken) trace() (*traces.Trace, error) {
	h := t.stage.header
	h.Loop, h.NoReturn = t.loop, nil
	for _, v := range t.world.Violations {
		if v.Claim == h.Claim {
			h.Text = model.Printable(v.Text)
			break
		}
	}
	return traces.FromRun(h, t.world, t.parts, t.records)
}

// A plan says which steps of a run are to be taken, where and how.
type plan struct {
	of    *taken
	stage *stage
	// nodes are the nodes of the stage in place of those of the run, -1 for one that is not there; nil where
	// nothing changes.
	nodes []model.NodeID
	drop  []bool // steps of the run, from 0, that are left out
	by    matching
	// ask has a node that is to send a message have what may make it do so.
	ask    bool
	parts  int64               // of a tick; 0 as in the run
	times  []world.Time        // of each step of the run, in parts of the plan; nil as in the run
	early  bool                // every step is taken as early as it may be
	forged map[int]int         // by step of the run, from 0: the place in the alphabet of what is said instead
	said   map[int]string      // by step of the run, from 0: what is said instead, as it is printed
	chosen map[int]map[int]int // by step of the run, from 0, and place: another answer
}

// matching is how a step finds its event.
type matching int

// Closest: the event that the same step made, or else one that stands in for it. Narrow: that event and no other. Oldest: the oldest of
// an equal value, or else the oldest, whichever step made it, and whether or not a later step takes it in the plan's run.
const (
	closest matching = iota
	narrow
	oldest
)

// plan is the plan that takes the best run as it is.
func (m *minimizer) plan() plan {
	return plan{of: m.best, stage: m.best.stage, drop: make([]bool, len(m.best.records))}
}

// without is the plan that leaves steps of the best run out.
func (m *minimizer) without(steps ...int) plan {
	p := m.plan()
	for _, i := range steps {
		p.drop[i] = true
	}
	return p
}

// node is a node of the run in the stage of the plan, or -1.
func (p *plan) node(id model.NodeID) model.NodeID {
	if p.nodes == nil || id < 0 {
		return id
	}
	return p.nodes[id]
}

// ticks is how many parts a tick has in the plan.
func (p *plan) ticks() int64 {
	if p.parts > 0 {
		return p.parts
	}
	return p.of.parts
}

// at is when a step of the run is to be taken.
func (p *plan) at(step int) world.Time {
	if p.times != nil {
		return p.times[step]
	}
	at := p.of.records[step].At
	if p.parts > 0 && p.parts != p.of.parts {
		return world.Time(int64(at) * p.parts / p.of.parts)
	}
	return at
}
