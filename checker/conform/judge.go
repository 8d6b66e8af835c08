package conform

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// A named is a step of a run whose event is known by name, so that another world can take it.
type named struct {
	name    eventName
	value   any // of a forged message
	answers []int
}

// An eventName determines an event of a run.
type eventName struct {
	kind       model.EventKind
	node, from model.NodeID
	label      string
	occurrence int
}

// nameOfEvent returns the name of an event that is used by a step of a kind.
func nameOfEvent(kind model.EventKind, e *world.Event) eventName {
	return eventName{kind, e.Node, e.From, world.TypeName(e.Value), e.Occurrence}
}

// ofMessage returns the kind of the event of a step: a message that is lost or duplicated is one in flight.
func ofMessage(kind model.EventKind) model.EventKind {
	if kind == model.Lose || kind == model.Duplicate {
		return model.Deliver
	}
	return kind
}

// A rerun takes the steps of a run in a new world.
type rerun struct {
	world  *world.World
	events map[eventName]*world.Event
}

// newRerun begins a run with the answers to Start. The options may be those of the caller, besides Boot and Created.
func newRerun(s *model.System, claims []model.Claim, boot []int, opt world.Options) (*rerun, error) {
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	r := &rerun{events: map[eventName]*world.Event{}}
	opt.Created = func(e *world.Event) { r.events[nameOfEvent(e.Kind, e)] = e }
	opt.Boot = world.Answering(boot, nil)
	r.world, err = world.Start(s, codec, claims, opt)
	return r, err
}

// take takes a step.
func (r *rerun) take(x named) (world.Record, error) {
	m := world.Move{Kind: x.name.kind, Node: x.name.node, From: x.name.from, Value: x.value}
	if !m.Kind.Adversarial() || m.Kind == model.Lose || m.Kind == model.Duplicate {
		name := x.name
		name.kind = ofMessage(m.Kind)
		if m.Event = r.events[name]; m.Event == nil {
			return world.Record{}, fmt.Errorf("%v of a %s at %s is not pending", m.Kind, x.name.label, r.world.System.Name(x.name.node))
		}
		if m.Kind != model.Duplicate {
			delete(r.events, name)
		}
		m.Value = nil
	}
	return r.world.Step(m, 0, world.Answering(x.answers, nil))
}

// run returns the steps of a position, first to last.
func (p *position) run() (all []named) {
	for t := p.tail; t != nil; t = t.before {
		x := named{name: eventName{kind: t.kind, node: t.node, from: t.from}, value: t.value, answers: t.answers}
		if t.event != nil {
			x.name = nameOfEvent(t.kind, t.event)
		}
		all = append(all, x)
	}
	slices.Reverse(all)
	return all
}

// judge takes the run of a position again with the monitors of the claims, and makes its trace. Claims are those
// whose assumptions the system meets.
func (g *search) judge(r *Result, p *model.Protocol, variant string, at *position) error {
	v, _ := p.Variant(variant)
	var claims []model.Claim
	for _, c := range g.opt.Claims {
		if (c.Monitor != nil || c.Invariant != nil) && len(v.Made(c).Unmet(g.system, model.Untimed)) == 0 {
			claims = append(claims, c)
			if c.Kind == model.Always || c.Kind == model.Linearizable || c.Kind == model.Refines {
				r.Judged = append(r.Judged, c.Name)
			}
		}
	}
	var boot []int
	for _, b := range at.world.Boot {
		boot = append(boot, b.Is)
	}
	steps := at.run()
	arrives := map[eventName]bool{}
	for _, x := range steps {
		x.name.kind = ofMessage(x.name.kind)
		arrives[x.name] = true
	}
	opt := world.Options{InPlace: true}
	if g.bag && !g.fifo && g.system.Faults.Duplication == 0 {
		opt.Unwanted = func(e *world.Event) bool { return !arrives[nameOfEvent(e.Kind, e)] }
	}
	again, err := newRerun(g.system, claims, boot, opt)
	if err != nil {
		return err
	}
	var records []world.Record
	for i, x := range steps {
		rec, err := again.take(x)
		if err != nil {
			return fmt.Errorf("step %d of the run: %w", i+1, err)
		}
		records = append(records, rec)
	}
	r.Violations = again.world.Violations
	claim, text := "", ""
	if len(r.Violations) > 0 {
		claim, text = r.Violations[0].Claim, r.Violations[0].Text
	}
	if r.Trace, err = traces.FromRun(traces.New(p, variant, r.Config, false, claim, text), again.world, 1, records); err != nil {
		r.Trace, r.Untraced = nil, err.Error()
	}
	return nil
}
