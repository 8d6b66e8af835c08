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

// since returns the steps of a position after one of them, or all, first to last.
func (p *position) since(last *taken) (all []named) {
	for t := p.tail; t != last; t = t.before {
		x := named{name: eventName{kind: t.kind, node: t.node, from: t.from}, value: t.value, answers: t.answers}
		if t.event != nil {
			x.name = nameOfEvent(t.kind, t.event)
		}
		all = append(all, x)
	}
	slices.Reverse(all)
	return all
}

// A court takes the run that explains the logs again, with the monitors of claims.
type court struct {
	search  *search
	again   *rerun
	claims  []model.Claim
	variant model.Variant
	arrives map[eventName]bool // what is used in the steps that are taken now, or later
	last    *taken             // the last step that was taken again
	steps   int
	keep    bool // for the trace
	sent    []Sent
	records []world.Record
}

// newCourt returns the court of the runs that begin as one does. Claims are those whose assumptions the system meets.
func (g *search) newCourt(v model.Variant, at *position) (c *court, err error) {
	c = &court{search: g, variant: v, keep: true}
	for _, x := range g.opt.Claims {
		if (x.Monitor != nil || x.Invariant != nil) && len(v.Made(x).Unmet(g.system, model.Untimed)) == 0 {
			c.claims = append(c.claims, x)
		}
	}
	var boot []int
	for _, b := range at.world.Boot {
		boot = append(boot, b.Is)
	}
	opt := world.Options{InPlace: true, Unlimited: g.book.streamed}
	if g.opt.Taken != nil {
		opt.Sending = func(_, to model.NodeID, m any) { c.sent = append(c.sent, Sent{To: to, Value: m}) }
	}
	if g.bag && !g.fifo && g.system.Faults.Duplication == 0 {
		opt.Unwanted = func(e *world.Event) bool { return !c.arrives[nameOfEvent(e.Kind, e)] }
	}
	c.arrives = arrivals(at.since(nil), at)
	c.again, err = newRerun(g.system, c.claims, boot, opt)
	return c, err
}

// arrivals returns the names of events that some steps use, or that are pending at their end.
func arrivals(steps []named, at *position) map[eventName]bool {
	all := map[eventName]bool{}
	for _, x := range steps {
		x.name.kind = ofMessage(x.name.kind)
		all[x.name] = true
	}
	at.world.EachPending(func(e *world.Event) { all[nameOfEvent(e.Kind, e)] = true })
	return all
}

// take takes the steps up to a position.
func (c *court) take(at *position) error {
	steps := at.since(c.last)
	c.arrives = arrivals(steps, at)
	for _, x := range steps {
		c.sent = c.sent[:0]
		rec, err := c.again.take(x)
		if c.steps++; err != nil {
			return fmt.Errorf("step %d of the run: %w", c.steps, err)
		}
		if taken := c.search.opt.Taken; taken != nil {
			taken(rec, c.sent)
		}
		if c.keep {
			c.records = append(c.records, rec)
		}
	}
	c.last = at.tail
	return nil
}

// judge takes the steps up to a position, and sets the judged claims, whose assumptions the faults in the logs leave, with
// their violations.
func (c *court) judge(r *Result, at *position) error {
	if err := c.take(at); err != nil {
		return err
	}
	s := *c.search.system
	s.Faults = r.Config.Faults
	unjudged := map[string]bool{}
	for _, x := range c.claims {
		if len(c.variant.Made(x).Unmet(&s, model.Untimed)) > 0 {
			unjudged[x.Name] = true
		} else if x.Kind == model.Always || x.Kind == model.Linearizable || x.Kind == model.Refines {
			r.Judged = append(r.Judged, x.Name)
		}
	}
	for _, v := range c.again.world.Violations {
		if !unjudged[v.Claim] {
			r.Violations = append(r.Violations, v)
		}
	}
	return nil
}

// trace sets the trace of the run that was judged.
func (c *court) trace(r *Result, p *model.Protocol, variant string) (err error) {
	if !c.keep {
		r.Untraced = "its steps are not stored"
		return nil
	}
	claim, text := "", ""
	if len(r.Violations) > 0 {
		claim, text = r.Violations[0].Claim, r.Violations[0].Text
	}
	if r.Trace, err = traces.FromRun(traces.New(p, variant, r.Config, false, claim, text), c.again.world, 1, c.records); err != nil {
		r.Trace, r.Untraced = nil, err.Error()
	}
	return nil
}

// forget forgets the events that are not pending at a position, which is that of the court.
func (c *court) forget(at *position) {
	if at.old > 0 && !c.search.fifo {
		c.again.world.Forget(func(e *world.Event) bool { return e.BornStep < at.old })
	}
	pending := map[eventName]*world.Event{}
	c.again.world.EachPending(func(e *world.Event) {
		name := nameOfEvent(e.Kind, e)
		pending[name] = c.again.events[name]
	})
	c.again.events = pending
}
