package traces

import (
	"encoding/json"
	"fmt"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// FromRun turns a run of a world into a trace. The header says which protocol and
// variant it is and which claim it violates, and whether the world keeps time, as
// [New] makes it; parts are those of the world's tick.
func FromRun(header Trace, w *world.World, parts int64, records []world.Record) (*Trace, error) {
	t := header
	t.Boot, t.Picture, t.Steps = nil, nil, make([]Step, 0, len(records))
	for _, b := range w.Boot {
		t.Boot = append(t.Boot, b.Is)
	}
	for i, r := range records {
		s, err := recorded(w, r)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if t.Timed() {
			s.At = Ticks(r.At, parts)
		}
		t.Steps = append(t.Steps, s)
	}
	return &t, t.Validate()
}

// recorded writes one record of a run, without its time.
func recorded(w *world.World, r world.Record) (Step, error) {
	m := r.Move
	var s Step
	v := m.Value
	switch {
	case m.Event != nil:
		s, v = Named(w, m.Kind, m.Event), m.Event.Value
	default:
		s = Step{Kind: m.Kind.String(), To: placeOf(w, m.Node)}
		if m.Kind == model.Forge {
			s.From = w.System.Name(m.From)
		}
		if v != nil || m.Kind == model.Forge {
			s.Type = world.TypeName(v)
		}
	}
	s.Adversary = r.By
	for _, c := range r.Choices {
		s.Choices = append(s.Choices, c.Is)
	}
	var err error
	s.Value, err = ValueJSON(w.Codec, v)
	return s, err
}

// Named names a pending event that is taken as a step of a kind: a message in
// flight can be delivered, lost and duplicated.
func Named(w *world.World, kind model.EventKind, e *world.Event) Step {
	s := Step{Kind: kind.String(), Type: world.TypeName(e.Value), Occurrence: e.Occurrence}
	switch e.Kind {
	case model.Expire:
		s.To = w.ClaimOf(e)
	case model.Deliver:
		s.From, s.To = w.System.Name(e.From), w.System.Name(e.Node)
	default:
		s.To = placeOf(w, e.Node)
	}
	return s
}

// Network is where cuts of the network happen, and heal.
const Network = "network"

func placeOf(w *world.World, id model.NodeID) string {
	if id < 0 {
		return Network
	}
	return w.System.Name(id)
}

// typed is how a codec writes a value with its type. A step has the type in its
// name, so its value goes without.
type typed struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// ValueJSON writes a value, and makes sure that it can be read back.
func ValueJSON(codec *value.Codec, v any) (json.RawMessage, error) {
	raw, err := codec.JSON(v)
	if err != nil {
		return nil, err
	}
	if _, err := codec.FromJSON(raw); err != nil {
		return nil, fmt.Errorf("the %T could not be read again: %w", v, err)
	}
	var t typed
	err = json.Unmarshal(raw, &t)
	return t.Value, err
}

// Decode reads the value of a step.
func (s Step) Decode(codec *value.Codec) (any, error) {
	if s.Value == nil {
		return nil, nil
	}
	raw, _ := json.Marshal(typed{s.Type, s.Value}) // nothing where the value is no JSON, and nothing is not read
	return codec.FromJSON(raw)
}
