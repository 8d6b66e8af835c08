package simulate

import (
	"fmt"

	"contend/model"
	"contend/model/rules"
)

// send puts a message into flight, or passes it to a faulty server.
func (r *simulation) send(from, to model.NodeID, m any) {
	r.result.Messages++
	if r.System.Nodes[to].Byzantine {
		r.Faulty.receive(r, to, from)
		return
	}
	e := &event{kind: model.Deliver, node: to, from: from, value: m, window: rules.Flight(r.System, from, to, m)}
	switch r.System.Network.Channel {
	case model.Bag:
		r.later(e)
	case model.FIFO:
		r.queued(e)
	case model.Set:
		if e.key = r.setKey(e); r.coalesce[e.key] {
			return
		}
		r.coalesce[e.key] = true
		r.later(e)
	}
	r.inFlight++
}

// queued schedules a message no earlier than the last one of its FIFO channel. That is within its window if
// the windows of the channel are equal, since the last one was sent before.
func (r *simulation) queued(e *event) {
	r.later(e)
	last, ok := r.channels[pair{e.from, e.node}]
	if ok && e.before(last) {
		r.events.remove(e)
		e.instant, e.tie = last.instant, last.tie
		r.events.add(e)
	}
	r.channels[pair{e.from, e.node}] = e.slot
}

// arrived removes a message from flight.
func (r *simulation) arrived(e *event) {
	r.inFlight--
	if r.System.Network.Channel == model.Set {
		delete(r.coalesce, e.key)
	}
}

func (r *simulation) setKey(e *event) string {
	return fmt.Sprintf("%d %d %s", e.from, e.node, r.Codec.Any(e.value, nil))
}
