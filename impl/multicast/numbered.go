package multicast

import "contend/model"

// Numbered is [Multicast] with the number of its message, for processes that may forget their multicasts. As
// in an application, the content distinguishes the message from earlier messages.
type Numbered struct{ Number int }

// Number numbers the multicasts of the nodes.
func Number(specs []model.NodeSpec) []model.NodeSpec {
	for i := range specs {
		for k := range specs[i].Script {
			specs[i].Script[k].Call = Numbered{k + 1}
		}
	}
	return specs
}

// Others returns the nodes of a group without the given node.
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

// First returns the nodes of a group of n.
func First(n int) Nodes {
	var all Nodes
	for i := range n {
		all = append(all, model.NodeID(i))
	}
	return all
}
