package stepper

import (
	"contend/checker/search/component"
	"contend/model"
)

// What an adversary is told of a run of interned components.

// MessageKey implements [Stepper].
func (x *Interned) MessageKey(to, from model.NodeID, place int) uint64 {
	return x.messageKey(x.forgeable(to, from)[place])
}

// messageKey names the message of a base.
func (x *Interned) messageKey(base uint32) (key uint64) {
	for int(base) >= len(x.names) {
		x.names = append(x.names, 0)
	}
	if x.names[base] == 0 {
		x.walk.Ask(func() { x.names[base] = messageKey([]byte(x.walk.Values.Items[x.walk.Bases.Items[base].Value])) })
	}
	return x.names[base]
}

// Did implements [Stepper].
func (x *Interned) Did() Did {
	d := Did{Sends: len(x.walk.ToLiars)}
	x.sent(func(uint32) { d.Sends++ })
	for _, seen := range x.walk.Seen[x.seen:] {
		kind := x.observed(seen)
		d.Notes, d.Returns = d.Notes || kind == model.Noted, d.Returns || kind == model.Returned
	}
	return d
}

// observed is the kind of an observation.
func (x *Interned) observed(seen uint32) model.ObservationKind {
	for int(seen) >= len(x.kinds) {
		x.walk.Ask(func() { x.kinds = append(x.kinds, x.walk.Store.Seen.Items[len(x.kinds)].Kind) })
	}
	return x.kinds[seen]
}

// sent tells of each message that the last step put into flight.
func (x *Interned) sent(tell func(base uint32)) {
	for i := range x.walk.At {
		p := &x.walk.At[i]
		if p.Step == x.walk.Steps && p.Kind == component.Kind(model.Deliver) && !p.Optional {
			tell(x.walk.Flats[x.walk.V[x.walk.Head+i]].Trigger)
		}
	}
}

// Sent implements [Stepper].
func (x *Interned) Sent(tell func(from, to model.NodeID, key uint64, message func() any)) {
	of := func(base uint32) {
		var b component.Base
		x.walk.Ask(func() { b = x.walk.Bases.Items[base] })
		tell(model.NodeID(b.From), model.NodeID(b.Slot), x.messageKey(base), func() (message any) {
			x.walk.Ask(func() { message = x.walk.Decoded(b.Value) })
			return message
		})
	}
	x.sent(of)
	for _, base := range x.walk.ToLiars {
		of(base)
	}
}
