package sample

import (
	"contend/checker/sample/adversary"
	"contend/checker/sample/stepper"
	"contend/model"
)

// strike returns the adversary's next action, and the index of a fault among the environment's moves.
func (r *run) strike(moves []stepper.Move, protocol bool) (place int, s adversary.Action) {
	r.faults = r.faults[:0]
	for _, m := range moves {
		r.faults = append(r.faults, adversary.Fault{Kind: m.Kind, Node: m.Node})
	}
	sent := func(place int) int { return int(r.Event(moves[place]).Cause) }
	return r.adversary.Next(r.c, r.faults, sent, protocol)
}

// lie returns a message of a Byzantine node, if the adversary sends one.
func (r *run) lie(idle bool) (m stepper.Move, ok bool) {
	l, ok := r.adversary.Lie(r.c, r, idle)
	if !ok || r.Failed() {
		return stepper.Move{}, false
	}
	return stepper.Move{Kind: model.Forge, Node: l.To, From: l.From, Place: l.Place, By: l.By}, true
}

// notifyAdversary notifies the adversary of a step and its messages.
func (r *run) notifyAdversary(m stepper.Move) {
	did := r.Effect()
	r.adversary.ObserveStep(adversary.Step{Number: r.Steps(), Kind: m.Kind, Node: m.Node, Sends: did.Sends, Notes: did.Notes, Returns: did.Returns})
	if r.adversary.Attentive() {
		r.Sent(func(from, to model.NodeID, key uint64, value func() any) {
			r.adversary.ObserveMessage(adversary.Sent{From: from, To: to, Key: key, Value: value})
		})
	}
}
