package minimize

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// A stage is a system with watched claims, for the execution of plans.
type stage struct {
	header  traces.Trace
	system  *model.System
	codec   *value.Codec
	watched []model.Claim
	claim   model.Claim // to break; zero if a handler may not fail
}

// stage returns the stage of a trace's header, built once.
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

// A birth identifies an event: it is the nth event of its name, from 1, that a step created. Step 0 is the
// run's beginning.
type birth struct{ step, nth int }

// A place is the index of a forged message in its alphabet, and the alphabet's size.
type place struct{ index, size int }

// A result is an executed run that breaks the claim.
type result struct {
	stage   *stage
	world   *world.World
	parts   int64 // fractions of a tick
	records []world.Record
	births  map[*world.Event]birth
	places  map[int]place // of forged messages, by step from 1
	loop    int           // first step of the repeated cycle, from 1; 0 for none
	honest  *honesty      // nil until computed
}

// trace returns the run as a trace.
func (t *result) trace() (*traces.Trace, error) {
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

// A plan selects and modifies steps of a base run.
type plan struct {
	base  *result
	stage *stage
	// nodes maps the base run's nodes to the stage's, -1 for a removed node. Nil is the identity.
	nodes    []model.NodeID
	drop     []bool // omitted steps, from 0
	matching matching
	// prompt delivers messages to a node that must send one.
	prompt bool
	parts  int64               // fractions of a tick; 0 as in the base run
	times  []world.Time        // instants of the steps, in the plan's fractions; nil as in the base run
	early  bool                // every step is as early as possible
	forged map[int]int         // by step from 0: index of another message in the alphabet
	texts  map[int]string      // by step from 0: text of another message
	chosen map[int]map[int]int // by step from 0 and index of the answer: another answer
}

// A matching is a rule for finding the event of a step.
type matching int

// Rules. Closest: the event that the same step created, else a substitute. Narrow: only that event. Oldest:
// the oldest event of the name with an equal value, else the oldest of the name, even if a later step needs
// it.
const (
	closest matching = iota
	narrow
	oldest
)

// plan returns the plan that repeats the best run.
func (m *minimizer) plan() plan {
	return plan{base: m.best, stage: m.best.stage, drop: make([]bool, len(m.best.records))}
}

// omit returns the plan that omits steps of the best run.
func (m *minimizer) omit(steps ...int) plan {
	p := m.plan()
	for _, i := range steps {
		p.drop[i] = true
	}
	return p
}

// node returns the stage's node for a node of the base run, or -1.
func (p *plan) node(id model.NodeID) model.NodeID {
	if p.nodes == nil || id < 0 {
		return id
	}
	return p.nodes[id]
}

// ticks returns the fractions of a tick in the plan.
func (p *plan) ticks() int64 {
	if p.parts > 0 {
		return p.parts
	}
	return p.base.parts
}

// instant returns the planned instant of a step.
func (p *plan) instant(step int) world.Time {
	if p.times != nil {
		return p.times[step]
	}
	at := p.base.records[step].At
	if p.parts > 0 && p.parts != p.base.parts {
		return world.Time(int64(at) * p.parts / p.base.parts)
	}
	return at
}
