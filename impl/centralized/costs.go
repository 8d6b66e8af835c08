package centralized

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the lecture's metrics, and what it calls a problem.
var costed = append(ofLock(), bottleneck())

// ofLock are the costs of any lock. A process that is denied may ask any number of times, so
// little is counted.
func ofLock() []*model.Cost {
	all := append(costs.OfLock(behalf), costs.DelaysInTime()...)
	for _, c := range all {
		c.Most = 12
	}
	return all
}

// behalf says for whose entry and exit a message is sent: a request and a release for the sender,
// an answer for the receiver. Messages between applications are for nobody.
func behalf(o model.Observation) (model.NodeID, bool) {
	m := o.Value
	if n, numbered := m.(Numbered); numbered {
		m = n.Message
	}
	switch m.(type) {
	case Word:
		return 0, false
	case Request, Again, Release:
		return o.Node, true
	}
	return o.To, true
}

// bottleneck are the messages that the coordinator sends and receives: "Coordinator can be a
// performance bottleneck".
func bottleneck() *model.Cost {
	c := &model.Cost{
		Name: "messages of the coordinator", Unit: "messages", Source: problems,
		Meaning: "Messages that the coordinator sends or receives in a whole run.",
		Sends:   true, AtEnd: true, Most: 64,
	}
	c.Meter = func(*model.System) model.Monitor { return &handled{cost: c} }
	return c
}

type handled struct {
	cost *model.Cost
	Sent int
}

func (h *handled) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Sent && (o.Node == coordinator || o.To == coordinator) {
		h.Sent = h.cost.Counted(h.Sent)
	}
}

// Total returns how many there were.
func (h *handled) Total() int { return h.Sent }
