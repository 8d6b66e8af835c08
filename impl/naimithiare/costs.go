package naimithiare

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers that the text gives, "0 when a process holds the token and n in the
// other case", and those by which locks are compared.
var costed = small(append([]*model.Cost{messages(), asked(), latency()}, append(costs.OfLock(Behalf), costs.DelaysInTime()...)...)...)

// small has costs read where each process enters once: timestamps make many states of two entries.
func small(all ...*model.Cost) []*model.Cost {
	for _, c := range all {
		c.Check.Config = model.Config{N: 3}.With(model.Ops.Is(1))
	}
	return all
}

// Behalf says for which process's entry a message is sent: a request for its sender's, the token
// for that of the process that gets it.
func Behalf(o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case REQ:
		return o.Node, true
	case TOKEN:
		return o.To, true
	}
	return 0, false
}

func messages() *model.Cost {
	c := costs.PerOperation(Behalf)
	c.Name, c.Source = "messages per entry", "Naimi–Thiare, conclusion"
	c.Meaning = "Requests of a process, and the token sent to it, from its request to its entry."
	return c
}

// asked leaves out entries of a process that has the token, which cost nothing: between 0 and n
// there is nothing.
func asked() *model.Cost {
	c := costs.PerOperationThatSends(Behalf)
	c.Name, c.Source = "messages per entry that asks", "Naimi–Thiare, conclusion"
	c.Meaning = "Requests of a process, and the token sent to it, from its request to its entry; entries without messages do not count."
	return c
}

// latency is how many messages an entry waits for one after another.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name = "latency of an entry"
	return c
}
