package traces

import (
	"encoding/json"
	"fmt"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// FromRun returns a trace of a run of w. The header is a trace from [New], and the result has its fields. A
// tick has the given number of parts in the times of w. The error is about a value without encoding, or from
// [Trace.Validate].
func FromRun(header Trace, w *world.World, parts int64, records []world.Record) (*Trace, error) {
	t := header
	t.Boot, t.Picture, t.Steps = nil, nil, make([]Step, 0, len(records))
	t.Clocks = w.Clocked()
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

// recorded returns one record of a run as a step without its instant.
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

// Named returns the step of a kind for a pending event, without value and choices. A message in flight can be
// delivered, lost or duplicated, so its event does not determine the kind.
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

// Network is the name, in place of a node's, under which the network is partitioned and heals.
const Network = "network"

func placeOf(w *world.World, id model.NodeID) string {
	if id < 0 {
		return Network
	}
	return w.System.Name(id)
}

// typed is the encoding of a value with its type by a codec. A step stores the type itself.
type typed struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// ValueJSON encodes a value. It returns an error if the encoding cannot be decoded.
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

// Decode decodes the value of a step; nil if it has none.
func (s Step) Decode(codec *value.Codec) (any, error) {
	if s.Value == nil {
		return nil, nil
	}
	raw, _ := json.Marshal(typed{s.Type, s.Value}) // invalid JSON results in nil, and FromJSON refuses nil
	return codec.FromJSON(raw)
}
