package sigma

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of §4.2.
var costed = []*model.Cost{run(), messages(), latency()}

// Behalf is the client for whose entry a message is sent: its sender, or who gets it from a server.
func Behalf(o model.Observation) (model.NodeID, bool) {
	if m, ok := o.Value.(Message); ok && m.Tag != CHECK {
		return o.Node, true
	}
	return o.To, true
}

// run are all messages of one entry and exit with nobody else: "3n in low load cases".
func run() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages per entry and exit, low load", "Sigma, §4.2"
	c.Meaning = "Messages of a run to its end, in which one client enters and leaves once; without CHECKs."
	c.Check.Config = model.Config{N: 3}.With(model.Clients.Is(1))
	return c
}

// messages are those of an entry: there is no bound while another client is inside.
func messages() *model.Cost {
	c := costs.PerOperation(Behalf)
	c.Name, c.Source = "messages per entry", "Sigma, §4.2"
	c.Meaning = "Messages of a client and responses to it, from its request to its entry."
	c.Most = 40
	c.Check.Config = model.Config{N: 1}
	return c
}

// latency is "the response time for a single request", 2T, with nobody else.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name, c.Source = "latency of an entry, low load", "Sigma, §4.2"
	c.Check.Config = model.Config{N: 3}.With(model.Clients.Is(1))
	return c
}
