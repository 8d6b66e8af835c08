package abd

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the messages and the delay of an operation: a write of an only writer has one phase,
// and other operations two.
var costed = []*model.Cost{messages(), costs.Latency()}

// behalf says for whose operation a message is sent: the client's, of whom or to whom it is.
func behalf(o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case Query, Update:
		return o.Node, true
	}
	return o.To, true
}

func messages() *model.Cost {
	c := costs.PerOperation(behalf)
	c.Name, c.Source = "messages of an operation", "Attiya–Bar-Noy–Dolev 1995"
	return c
}
