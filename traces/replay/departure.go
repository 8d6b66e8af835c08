package replay

import (
	"bytes"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces"
)

// A Departure is the first step of a mutant's run in which the protocol without the mutant reacts differently.
type Departure struct {
	Step   int // from 1; 0 is the initial state
	Node   model.NodeID
	Option string // the option that the mutant changes; "" for the protocol itself
	// Fields has the fields that differ after the step. Before is the mutant's value, After the protocol's. A
	// value is "" if it is zero.
	Fields  []describe.Change
	Extra   []Effect // what only the mutant does
	Missing []Effect // what only the protocol does
	// Chosen reports that the protocol makes a choice that the run does not record. Another result of the choice
	// may have another effect.
	Chosen bool
}

// An Effect is something that a node does: a verb in its base form and its object, such as "send" and "Grant". To
// is the receiver of a message, and "" otherwise.
type Effect struct{ Verb, Object, To string }

// Departure returns the first departure of a mutant's run. It returns nil if the run is not a mutant's, or
// has no departure: the mutant may only be a configuration or a network.
//
// A second world, without the mutant, executes the same steps with the same choices. Up to the first
// departure both worlds have equal states, so every step is possible in both. A mutant may change an option,
// and does not name the option. So the second world runs the protocol or the option with the latest
// departure. The cost is a replay for the protocol and for each of its options.
func (r *Run) Departure() *Departure {
	if r.protocol == nil || r.Diverged != nil {
		return nil
	}
	v, err := r.protocol.Variant(r.Trace.Variant)
	if err != nil || !v.Mutant() || v.Edit == nil {
		return nil
	}
	latest, same := r.departure("")
	if same {
		return nil
	}
	for _, o := range r.protocol.Variants {
		if o.Mutant() {
			continue
		}
		if d, _ := r.departure(o.Name); d != nil && (latest == nil || d.Step > latest.Step) {
			latest = d
		}
	}
	return latest
}

// departure returns the first departure from the protocol with an option. It reports whether there is none. If the
// option does not apply to the configuration, or a step is not possible with it, the result is nil and false.
func (r *Run) departure(option string) (d *Departure, same bool) {
	t := *r.Trace
	t.Variant = option
	right, err := newReplay(r.protocol, &t, r.claims, nil, r.Parts, true)
	if err != nil || len(right.World.System.Nodes) != len(r.began) {
		return nil, false
	}
	for id, was := range r.began {
		d := &Departure{Node: model.NodeID(id), Option: option}
		now := right.World.Status(d.Node)
		did := effects(r.World, world.Record{Sent: born(r.Initial, d.Node), Holds: r.Holds[id]}, nil)
		due := effects(right.World, world.Record{Sent: born(right.World.Pending(), d.Node), Holds: now.Holds}, nil)
		if d.compare(right.World, was, now.State, did, due) {
			return d, false
		}
	}
	returns := r.returns()
	for i, rec := range r.Records {
		d := &Departure{Step: i + 1, Node: rec.Node, Option: option}
		got, ok := d.execute(right, r.Trace.Steps[i], rec)
		if !ok {
			return nil, false
		}
		did := effects(r.World, rec, returns[i+1])
		due := effects(right.World, got, returned(right.World.Pending(), i+1))
		if d.compare(right.World, rec.After, got.After, did, due) {
			return d, false
		}
	}
	return nil, true
}

// execute executes a step of the run in the world without the mutant. It reports false if the step is not possible
// there.
func (d *Departure) execute(right *Replayer, s traces.Step, rec world.Record) (world.Record, bool) {
	m, instant, text := right.Find(s)
	if text != "" {
		return world.Record{}, false
	}
	given := rec.Choices
	got, err := right.World.Step(m, instant, func(n int, what string) int {
		for len(given) > 0 {
			c := given[0]
			if given = given[1:]; c.What == what && c.Is < n {
				return c.Is
			}
		}
		d.Chosen = true
		return 0
	})
	return got, err == nil
}

// compare stores the differences of two reactions, and reports whether there are any. The first state and did are
// the mutant's.
func (d *Departure) compare(w *world.World, state, right model.Node, did, due []Effect) bool {
	d.Fields = describe.DiffShared(state, right, w.System.Name)
	d.Extra, d.Missing = subtract(did, due), subtract(due, did)
	return len(d.Fields)+len(d.Extra)+len(d.Missing) > 0
}

// effects returns the effects of a node's step, apart from the change of its state.
func effects(w *world.World, rec world.Record, returns []*world.Event) (all []Effect) {
	value := func(v any) string { return describe.Value(v, w.System.Name) }
	for _, e := range slices.Concat(rec.Sent, rec.Armed, returns) {
		switch {
		case e.Kind == model.Deliver:
			all = append(all, Effect{"send", value(e.Value), w.System.Name(e.Node)})
		case e.Kind == model.Timeout:
			all = append(all, Effect{Verb: "set", Object: "the alarm " + value(e.Value) + timing(e.Window)})
		case e.Kind == model.Return && w.System.Nodes[e.Node].Script[e.Op].Release != nil:
			all = append(all, Effect{Verb: "enter", Object: "the section"})
		case e.Kind == model.Return && e.Value == nil:
			all = append(all, Effect{Verb: "return", Object: "from its operation"})
		case e.Kind == model.Return:
			all = append(all, Effect{Verb: "return", Object: value(e.Value)})
		}
	}
	for _, o := range rec.Observations {
		switch o.Kind {
		case model.Noted:
			all = append(all, Effect{Verb: "note", Object: value(o.Value)})
		case model.Delivered:
			all = append(all, Effect{Verb: "deliver", Object: value(o.Value)})
		}
	}
	for _, h := range rec.Holds {
		all = append(all, Effect{Verb: "hold", Object: value(h.Key) + " for " + length(h.Length.At)})
	}
	for _, e := range rec.Gone {
		if e.Kind == model.Timeout && e.Node == rec.Node && !rearmed(w, rec, e) {
			all = append(all, Effect{Verb: "cancel", Object: "the alarm " + value(e.Value)})
		}
	}
	return all
}

// timing returns a phrase for the window of an alarm, or "" if it may fire at any time.
func timing(w model.Window) string {
	if w == model.Anytime() {
		return ""
	}
	return fmt.Sprintf(" for %s", w)
}

// length formats a number of ticks.
func length(t model.Ticks) string {
	if t == 1 {
		return "1 tick"
	}
	return fmt.Sprintf("%d ticks", t)
}

// rearmed reports whether a step set an alarm again.
func rearmed(w *world.World, rec world.Record, alarm *world.Event) bool {
	key := w.Codec.Any(alarm.Value, nil)
	return slices.ContainsFunc(rec.Armed, func(e *world.Event) bool { return bytes.Equal(w.Codec.Any(e.Value, nil), key) })
}

// returns has the events in which applications see operations return, by the step that created the event.
func (r *Run) returns() map[int][]*world.Event {
	all := map[int][]*world.Event{}
	add := func(events ...*world.Event) {
		for _, e := range events {
			if e != nil && e.Kind == model.Return {
				all[e.BornStep] = append(all[e.BornStep], e)
			}
		}
	}
	add(r.World.Pending()...)
	for _, rec := range r.Records {
		add(rec.Gone...)
		if rec.Move.Kind == model.Return {
			add(rec.Move.Event)
		}
	}
	return all
}

// returned returns the events in which an application sees an operation return that returned in the step.
func returned(pending []*world.Event, step int) []*world.Event {
	return slices.DeleteFunc(slices.Clone(pending), func(e *world.Event) bool { return e.Kind != model.Return || e.BornStep != step })
}

// born returns the pending messages and alarms of a node in the initial state.
func born(pending []*world.Event, id model.NodeID) []*world.Event {
	return slices.DeleteFunc(slices.Clone(pending), func(e *world.Event) bool {
		return e.Kind == model.Deliver && e.From != id || e.Kind != model.Deliver && e.Node != id
	})
}

// subtract returns the first list without the elements of the second, with multiplicity.
func subtract(list, others []Effect) (rest []Effect) {
	left := slices.Clone(others)
	for _, e := range list {
		if i := slices.Index(left, e); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			rest = append(rest, e)
		}
	}
	return rest
}
