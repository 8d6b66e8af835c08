package traces

import (
	"encoding/json"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/wrapped"
)

// Version is the version of the format that this package reads and writes.
const Version = 1

// A Trace is one run of a protocol, as it is kept in a file.
type Trace struct {
	Version  int    `json:"version"`
	Protocol string `json:"protocol"`
	Variant  string `json:"variant,omitempty"`
	Config   Config `json:"config"`
	// Time is "untimed" or "dense". A run that a search found on the grid is dense:
	// its times are exact.
	Time string `json:"time"`
	// Claim names the claim that the run violates; "" for a run that passes.
	Claim string `json:"claim,omitempty"`
	// Text says how it is violated.
	Text string `json:"text,omitempty"`
	// Watched names the claims that were watched, in order, since the alarms of their
	// monitors and, untimed, their questions about holds are part of the run. When it
	// is empty [contend/traces/replay.Replay] watches those that the configuration and the reading of time
	// meet.
	Watched []string `json:"watched,omitempty"`
	// Cost is what the run comes to, where it is kept for that. Then its meter alone watches,
	// and no claim is named.
	Cost *Cost `json:"cost,omitempty"`
	// Loop is the first step, from 1, of the round that the run repeats for ever: its end is the state
	// before that step. 0 where it is no lasso.
	Loop int `json:"loop,omitempty"`
	// NoReturn says from where on the goal of the claim cannot be reached; nil where that was not
	// asked.
	NoReturn *NoReturn `json:"noReturn,omitempty"`
	Note     string    `json:"note,omitempty"` // a comment
	// Programs are those that nodes ran, if they ran programs of their own.
	Programs []wrapped.Origin `json:"programs,omitempty"`
	// Boot are the answers that Start was given as the run began, the nodes in order, as
	// [Step.Choices] are those of a step.
	Boot  []int  `json:"boot,omitempty"`
	Steps []Step `json:"steps"`
	// Picture is what the run looked like when it was recorded, so that it can be shown without its
	// protocol; nil where it was not kept. [contend/traces/picture] reads it, a replay does not.
	Picture json.RawMessage `json:"picture,omitempty"`
}

// A Cost is what a run comes to.
type Cost struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
}

// A Step is one event that happens, or one move of the environment.
type Step struct {
	// Kind is the String of a [model.EventKind].
	Kind string `json:"kind"`
	// From names the sender of a message, To the node where the step happens; for the
	// alarm of a monitor To is the claim.
	From string `json:"from,omitempty"`
	To   string `json:"to"`
	// Type is the type of Value, as [contend/model/world.TypeName] gives it.
	Type string `json:"type,omitempty"`
	// Occurrence counts, from 1, the events of this kind, nodes and type in the order
	// in which they came to be. Moves of the environment that take no event have none.
	Occurrence int `json:"occurrence,omitempty"`
	// At is the instant in ticks, such as "3/2"; "" when the trace is untimed.
	At string `json:"at,omitempty"`
	// Choices are the answers that the step was given, in order. The question whether
	// a hold lasts is one when the trace is untimed: 0 when it lasts, 1 when it is
	// over.
	Choices []int `json:"choices,omitempty"`
	// Value is the message, key, call or result, as the codec of the system writes a
	// value of Type; nothing for nil. A forgery arrives with this very value; of all
	// other steps it is checked.
	Value json.RawMessage `json:"value,omitempty"`
	// Adversary names what chose a move of the environment when the run was sampled, such as
	// "replay": for people, and of no consequence.
	Adversary string `json:"adversary,omitempty"`
}

// New starts a trace without steps.
func New(p *model.Protocol, variant string, c model.Config, timed bool, claim, text string) Trace {
	t := Trace{Version: Version, Protocol: p.Name, Variant: variant, Config: configOf(p, c), Claim: claim, Text: text}
	t.Time = model.Untimed.String()
	if timed {
		t.Time = model.Dense.String()
	}
	return t
}

// Renamed returns the trace with the names that types have now.
func (t *Trace) Renamed(names map[string]string) *Trace {
	if len(names) == 0 {
		return t
	}
	now := *t
	now.Steps = slices.Clone(t.Steps)
	for i := range now.Steps {
		if name, ok := names[now.Steps[i].Type]; ok {
			now.Steps[i].Type = name
		}
	}
	return &now
}

// Timed reports whether the steps have times.
func (t *Trace) Timed() bool { return t.Time == model.Dense.String() }

// Reading is how the trace reads time.
func (t *Trace) Reading() model.Reading {
	if t.Timed() {
		return model.Dense
	}
	return model.Untimed
}

// String names the step's event: deliver s1→c1 backoff.Answer #2.
func (s Step) String() string {
	name := s.Kind + " "
	if s.From != "" {
		name += s.From + "→"
	}
	name += s.To
	if s.Type != "" {
		name += " " + s.Type
	}
	if s.Occurrence > 0 {
		name += fmt.Sprintf(" #%d", s.Occurrence)
	}
	return name
}

// Same reports whether two steps name the same event.
func (s Step) Same(o Step) bool {
	return s.Kind == o.Kind && s.From == o.From && s.To == o.To && s.Type == o.Type && s.Occurrence == o.Occurrence
}
