package abd

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the messages and the delay of an operation. A write has one phase if there is one writer. All other
// operations have two.
var costed = []*model.Cost{messages(), costs.Latency()}

// operation returns the client whose operation a message serves: its sender or receiver.
func operation(o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case Query, Update:
		return o.Node, true
	}
	return o.To, true
}

func messages() *model.Cost {
	c := costs.PerOperation(operation)
	c.Name, c.Source = "messages of an operation", "Attiya–Bar-Noy–Dolev 1995"
	return c
}
