package sequencer

import (
	"contend/impl/multicast"
	"contend/model"
)

var costed = []*model.Cost{perMulticast(), multicast.DeliveryLatency(), bottleneck()}

// behalf returns the process whose multicast a message serves: the sender of the message that it carries.
func behalf(o model.Observation) (model.NodeID, bool) {
	switch m := o.Value.(type) {
	case Request:
		return m.Message.Sender, true
	case Numbered:
		return m.Message.Sender, true
	case Order:
		return m.Message.Sender, true
	}
	return 0, false
}

// perMulticast returns the cost of messages for one multicast of each process. So each message of the
// protocol serves the only multicast of its sender.
func perMulticast() *model.Cost {
	c := multicast.PerMulticast(behalf)
	c.Source, c.Check.Config = way, sized(3, 1)
	return c
}

// bottleneck returns the cost of messages that the sequencer sends and receives: "performance bottleneck".
func bottleneck() *model.Cost {
	c := &model.Cost{
		Name: "messages of the sequencer", Unit: "messages", Source: way,
		Meaning: "Messages that the sequencer sends or is sent in a run to its end.",
		Sends:   true, AtEnd: true, Most: 64,
	}
	c.Meter = func(s *model.System) model.Monitor {
		return &handled{cost: c, sequencer: s.Setup.(*Config).Sequencer}
	}
	return c
}

type handled struct {
	cost      *model.Cost
	sequencer model.NodeID
	Sent      int
}

func (h *handled) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Sent && (o.Node == h.sequencer || o.To == h.sequencer) {
		h.Sent = h.cost.Counted(h.Sent)
	}
}

// Total returns how many there were.
func (h *handled) Total() int { return h.Sent }
