package drive

import (
	"fmt"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// find returns the move of a step of a trace in a state of the page. It reports false if the step's event is not
// pending there. The error is about a step that no state has.
func (d *driver) find(w *world.World, s traces.Step) (m world.Move, ok bool, err error) {
	if m.Kind, err = model.ParseEventKind(s.Kind); err != nil {
		return m, false, err
	}
	switch m.Kind {
	case model.Expire:
		return m, false, fmt.Errorf("a step of kind %s has no counterpart in an implementation", s.Kind)
	case model.Partition:
		m.Node = -1
	case model.Crash, model.Stop, model.Restart, model.Forge, model.Mistake:
		if m.Node, ok = d.vocabulary.Node(s.To); !ok {
			return m, false, fmt.Errorf("there is no node %.40q", s.To)
		}
		if m.From, ok = d.vocabulary.Node(s.From); !ok && m.Kind == model.Forge {
			return m, false, fmt.Errorf("there is no node %.40q", s.From)
		}
	default:
		w.EachPending(func(e *world.Event) {
			if m.Event == nil && (e.Kind == m.Kind || e.Kind == model.Deliver && m.Kind.Adversarial()) && sameName(traces.Named(w, m.Kind, e), s) {
				m.Event = e
			}
		})
		return m, m.Event != nil, nil
	}
	m.Value, err = s.Decode(w.Codec)
	return m, true, err
}

// sameName reports whether two steps are of events with the same name.
func sameName(a, b traces.Step) bool {
	return a.Kind == b.Kind && a.From == b.From && a.To == b.To && a.Type == b.Type && a.Occurrence == b.Occurrence
}
