package sample

import (
	"contend/checker/sample/adversary"
	"contend/checker/sample/stepper"
	"contend/model"
)

// strike asks the adversary which of the environment's moves is taken, if any.
func (r *run) strike(moves []stepper.Move, protocol bool) (place int, s adversary.Action) {
	r.faults = r.faults[:0]
	for _, m := range moves {
		r.faults = append(r.faults, adversary.Fault{Kind: m.Kind, Node: m.Node})
	}
	sent := func(place int) int { return int(r.Event(moves[place]).Cause) }
	return r.adversary.Next(r.c, r.faults, sent, protocol)
}

// lie asks a Byzantine node whether it speaks.
func (r *run) lie(idle bool) (m stepper.Move, ok bool) {
	l, ok := r.adversary.Lie(r.c, r, idle)
	if !ok || r.Failed() {
		return stepper.Move{}, false
	}
	return stepper.Move{Kind: model.Forge, Node: l.To, From: l.From, Place: l.Place, By: l.By}, true
}

// tell tells the adversary of a step, and of what was sent in it.
func (r *run) tell(m stepper.Move) {
	did := r.Did()
	r.adversary.ObserveStep(adversary.Step{Number: r.Steps(), Kind: m.Kind, Node: m.Node, Sends: did.Sends, Notes: did.Notes, Returns: did.Returns})
	if r.adversary.Attentive() {
		r.Sent(func(from, to model.NodeID, key uint64, value func() any) {
			r.adversary.ObserveMessage(adversary.Sent{From: from, To: to, Key: key, Value: value})
		})
	}
}
