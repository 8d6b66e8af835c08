package sample

import (
	"slices"

	"contend/checker/sample/adversary"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// newCast has all adversaries.
func newCast(s *model.System, codec *value.Codec) *adversary.Cast {
	return adversary.NewCast(s, func(v any) uint64 { return named(codec, v) })
}

// faults describes the moves of the environment.
func faults(moves []world.Move) []adversary.Fault {
	all := make([]adversary.Fault, len(moves))
	for i, m := range moves {
		all[i] = adversary.Fault{Kind: m.Kind, Node: m.Node}
		if m.Event != nil {
			all[i].Node, all[i].Sent = m.Event.Node, m.Event.BornStep
		}
	}
	return all
}

// lie asks a Byzantine node whether it speaks.
func (r *run) lie(idle bool) (m world.Move, ok bool) {
	l, ok := r.adversary.Lie(r.c, r.alphabet, idle)
	if !ok || r.w.Failed() {
		return world.Move{}, false
	}
	r.by = l.By
	return world.Move{Kind: model.Forge, Node: l.To, From: l.From, Value: l.Value()}, true
}

func (r *run) alphabet(to, from model.NodeID) adversary.Messages {
	if r.w.Failed() {
		return nil
	}
	if messages := r.w.Alphabet(to, from); len(messages) > 0 {
		return &alphabet{r.w.Codec, messages, nil}
	}
	return nil
}

// alphabet has the values of messages, and their keys once these are asked for.
type alphabet struct {
	codec  *value.Codec
	values []any
	keys   []uint64
}

func (a *alphabet) Len() int { return len(a.values) }

func (a *alphabet) Value(place int) any { return a.values[place] }

func (a *alphabet) Key(place int) uint64 {
	if a.keys == nil {
		a.keys = make([]uint64, len(a.values))
	}
	if a.keys[place] == 0 {
		a.keys[place] = named(a.codec, a.values[place])
	}
	return a.keys[place]
}

// tell tells the adversary of a step, and of what was sent in it.
func (r *run) tell(record world.Record) {
	liars := r.w.ToLiars[r.told:]
	r.told = len(r.w.ToLiars)
	did := func(kind model.ObservationKind) bool {
		return slices.ContainsFunc(record.Observations, func(o model.Observation) bool { return o.Kind == kind })
	}
	r.adversary.Took(adversary.Step{Number: r.w.Steps, Kind: record.Move.Kind, Node: record.Node, Sends: len(record.Sent) + len(liars),
		Notes: did(model.Noted), Returns: did(model.Returned)})
	if !r.adversary.Attentive() {
		return
	}
	for _, sent := range [...][]*world.Event{record.Sent, liars} {
		for _, e := range sent {
			r.adversary.Heard(adversary.Sent{From: e.From, To: e.Node, Key: named(r.w.Codec, e.Value), Value: func() any { return e.Value }})
		}
	}
}
