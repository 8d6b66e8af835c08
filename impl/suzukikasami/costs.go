package suzukikasami

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers that the text gives, "N messages in all or 0", and those by which locks
// are compared.
var costed = append([]*model.Cost{messages(), asked(), latency()}, append(costs.OfLock(Behalf), costs.DelaysInTime()...)...)

// Behalf says for which process's entry a message is sent: a request for its sender's, the token
// for that of the process that gets it.
func Behalf(o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case Request:
		return o.Node, true
	case Token:
		return o.To, true
	}
	return 0, false
}

func messages() *model.Cost {
	c := costs.PerOperation(Behalf)
	c.Name, c.Source = "messages per entry", source
	c.Meaning = "Requests of a process, and the token sent to it, from its request to its entry."
	return c
}

// asked leaves out entries of a process that has the token, which cost nothing: between 0 and N
// there is nothing.
func asked() *model.Cost {
	c := costs.PerOperationThatSends(Behalf)
	c.Name, c.Source = "messages per entry that asks", source
	c.Meaning = "Requests of a process, and the token sent to it, from its request to its entry; entries without messages do not count."
	return c
}

// latency is how many messages an entry waits for one after another.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name = "latency of an entry"
	return c
}
