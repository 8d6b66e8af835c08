package multicast

import (
	"contend/model"
	"contend/model/claims"
)

// Held is noted for monitors when a process stores a message in its hold-back queue.
type Held struct{ Message Message }

// QueuedAreDelivered claims that messages in a hold-back queue are eventually delivered. A process that is
// down and may restart owes nothing.
func QueuedAreDelivered(source, proof string, assumes ...model.Assumption) model.Claim {
	return model.Claim{
		Name: "queued messages are delivered", Kind: model.Eventually, Source: source, Proof: proof, Assumes: assumes,
		Monitor: func(*model.System) model.Monitor { return &queued{} },
	}
}

// Once reports whether no process multicasts twice. Then no message waits for an earlier message of its
// sender.
func Once(s *model.System) bool {
	_, most := claims.Invokers(s)
	return most < 2
}

// An Outage is which processes are down. Monitors whose claim applies to a process again after its
// restart follow it.
type Outage struct{ Down map[model.NodeID]bool }

// Follow updates the outage by an observation.
func (d *Outage) Follow(o model.Observation) {
	switch o.Kind {
	case model.Crashed:
		d.Down[o.Node] = true
	case model.Recovered:
		delete(d.Down, o.Node)
	}
}

// Lasts reports whether a process is down.
func (d *Outage) Lasts() bool { return len(d.Down) > 0 }

type queued struct {
	Outage Outage
	Held   map[model.NodeID]map[Message]bool
}

func (q *queued) Observe(w model.Watch, o model.Observation) {
	q.Outage.Follow(o)
	switch o.Kind {
	case model.Noted:
		if h, is := o.Value.(Held); is {
			w.Witness()
			if q.Held[o.Node] == nil {
				q.Held[o.Node] = map[Message]bool{}
			}
			q.Held[o.Node][h.Message] = true
		}
	case model.Delivered:
		delete(q.Held[o.Node], o.Value.(Message))
		if len(q.Held[o.Node]) == 0 {
			delete(q.Held, o.Node)
		}
	}
}

// Reached reports whether no hold-back queue has a message.
func (q *queued) Reached() bool { return len(q.Held) == 0 || q.Outage.Lasts() }
