package maekawa

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of the lecture's table.
var costed = []*model.Cost{messages(), passage(), delay()}

// Behalf says for whose entry a message is sent: what a voter says is for whom it says it to, the
// rest for its sender. It is a pure function of the sending of a message.
func Behalf(o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case OK, Failed, Inquire:
		return o.To, true
	}
	return o.Node, true
}

// messages are those of an entry: "K request + K OK".
func messages() *model.Cost {
	c := costs.PerOperation(Behalf)
	c.Name, c.Source = "messages per entry", lecture
	c.Meaning = "Requests of a process and votes for it, its own to itself among them, from its request to its entry."
	return c
}

// passage are those of an entry and an exit: "3K". They are counted to the end of a run of one
// entry and one exit.
func passage() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages per entry and exit", lecture
	c.Meaning = "Requests, votes and releases of a run in which one process enters and leaves once."
	c.Check.Config = model.Config{N: 7}.With(mutex.Asking.Is(1), model.Ops.Is(1))
	return c
}

// delay is the client delay: "round-trip", where nobody else wants the section.
func delay() *model.Cost {
	c := costs.Latency()
	c.Name, c.Source = "client delay", lecture
	c.Meaning = "Messages, one after another, from a request to the entry, where nobody else is inside or waits."
	c.Check.Config = model.Config{N: 7}.With(mutex.Asking.Is(1), model.Ops.Is(1))
	return c
}
