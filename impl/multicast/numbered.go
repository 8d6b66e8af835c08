package multicast

import "contend/model"

// Numbered is [Multicast] with the number of its message, for processes that may forget what they
// have multicast: the message is told apart from former ones by its content, as an application does.
type Numbered struct{ Number int }

// Number gives every multicast of these nodes its number.
func Number(specs []model.NodeSpec) []model.NodeSpec {
	for i := range specs {
		for k := range specs[i].Script {
			specs[i].Script[k].Call = Numbered{k + 1}
		}
	}
	return specs
}

// Others are the nodes of a group without one of them.
func (n Nodes) Others(self model.NodeID) []model.NodeID {
	var others []model.NodeID
	for _, id := range n {
		if id != self {
			others = append(others, id)
		}
	}
	return others
}

// Nodes are the processes of a group.
type Nodes []model.NodeID

// First are the nodes of a group of n.
func First(n int) Nodes {
	var all Nodes
	for i := range n {
		all = append(all, model.NodeID(i))
	}
	return all
}
