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

// A Trace is one run of a protocol, in the form that a file stores.
type Trace struct {
	Version  int    `json:"version"`
	Protocol string `json:"protocol"`
	Variant  string `json:"variant,omitempty"`
	Config   Config `json:"config"`
	// Time is "untimed" or "dense". A run that a search on the grid found has exact times, so it is dense.
	Time string `json:"time"`
	// Claim is the name of the claim that the run violates, or "".
	Claim string `json:"claim,omitempty"`
	// Text describes the violation.
	Text string `json:"text,omitempty"`
	// Watched has the names of the monitored claims, in order. It matters because alarms of monitors are steps,
	// and untimed queries of their holds are choices. If it is empty, [contend/traces/replay.Replay] monitors
	// the claims whose assumptions the configuration and the time model meet.
	Watched []string `json:"watched,omitempty"`
	// Cost is the cost of the run, or nil. If it is set, only its meter observes the run, and Claim and Watched
	// are empty.
	Cost *Cost `json:"cost,omitempty"`
	// Loop is the first step, from 1, of the loop that the run repeats forever: the last state equals the state
	// before that step. It is 0 if the run is no lasso.
	Loop int `json:"loop,omitempty"`
	// NoReturn is the point of no return, or nil if it was not computed.
	NoReturn *NoReturn `json:"noReturn,omitempty"`
	Note     string    `json:"note,omitempty"` // a comment
	// Programs has the origins of the programs that nodes execute, if any.
	Programs []wrapped.Origin `json:"programs,omitempty"`
	// Clocks reports that programs showed the time of each step, so that a replay shows it too. Without it their
	// clocks show the time of their last timer.
	Clocks bool `json:"clocks,omitempty"`
	// Boot has the choices that Start made in the initial state, node by node, as in [Step.Choices].
	Boot  []int  `json:"boot,omitempty"`
	Steps []Step `json:"steps"`
	// Picture is the recorded appearance of the run, so that it can be shown without its protocol, or nil.
	// [contend/traces/picture] decodes it, and a replay ignores it.
	Picture json.RawMessage `json:"picture,omitempty"`
}

// A Cost is the value of a named cost in a run.
type Cost struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
}

// A Step is one event, or one move of the environment.
type Step struct {
	// Kind is the String of a [model.EventKind].
	Kind string `json:"kind"`
	// From is the sender of a message. To is the node at which the step happens, or the claim if a monitor's
	// alarm fires.
	From string `json:"from,omitempty"`
	To   string `json:"to"`
	// Type is the type of Value, formatted by [contend/model/world.TypeName].
	Type string `json:"type,omitempty"`
	// Occurrence numbers, from 1, the events of the same kind, nodes and type in the order of their creation.
	// It is 0 for a move of the environment without an event.
	Occurrence int `json:"occurrence,omitempty"`
	// At is the instant in ticks, such as "3/2", or "" if the trace is untimed.
	At string `json:"at,omitempty"`
	// Choices has the results of the choices in this step, in order. In an untimed trace a query of a hold is a
	// choice too: 0 if the hold lasts, 1 if it is over.
	Choices []int `json:"choices,omitempty"`
	// Value is the message, key, call or result of type Type, encoded by the codec of the system; empty for
	// nil. A forged message is decoded from it. In all other steps a replay only compares it.
	Value json.RawMessage `json:"value,omitempty"`
	// Adversary is the strategy that chose a move of the environment in a sampled run, such as "replay". It is
	// informative only.
	Adversary string `json:"adversary,omitempty"`
}

// New returns a trace without steps. The trace is dense if timed is set, and untimed otherwise.
func New(p *model.Protocol, variant string, c model.Config, timed bool, claim, text string) Trace {
	t := Trace{Version: Version, Protocol: p.Name, Variant: variant, Config: configOf(p, c), Claim: claim, Text: text}
	t.Time = model.Untimed.String()
	if timed {
		t.Time = model.Dense.String()
	}
	return t
}

// Renamed returns the trace with the current names of types that were renamed. The keys of names are former
// names.
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

// Reading returns the time model of the trace.
func (t *Trace) Reading() model.Reading {
	if t.Timed() {
		return model.Dense
	}
	return model.Untimed
}

// String returns the name of the step's event, such as "deliver s1→c1 backoff.Answer #2".
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
