// Package wrapped has the interfaces of nodes that are made of objects not written for a checker, as in
// model/foreign and program. Their states are merged (merged.go) and a run can have its own objects
// (alone.go). The nodes report differences of states (split.go) and the origin of the objects (origin.go).
// describe.Teller describes their state.
package wrapped

import (
	"contend/model"
	"contend/model/value"
)

// A Historian is a node that stores the histories that lead to its states, and needs them to continue from a
// state. A search stores them with its states.
type Historian interface {
	// Histories encodes all known histories.
	Histories(c *value.Codec) []byte
	// Recall decodes the result of Histories.
	Recall(c *value.Codec, histories []byte)
}

// A Merged is a node whose states represent objects with different histories. Searches treat these objects as
// one, and runs without merging test that they react in the same way.
type Merged interface {
	// Alone sets the objects of the node and of its copies, for one run. The objects are stored in the map.
	// Only the nodes of that run share it.
	Alone(objects map[any]any)
	// Review compares the observed behavior of objects in a state with the behavior of new objects with other
	// histories of the state. It calls more before each comparison with the number of handlers run so far,
	// and stops when more returns false. Nodes that share objects are reviewed once; reviewed has these
	// objects. It panics with a [model.Refusal] if two objects differ.
	Review(reviewed map[any]bool, more func(runs int) bool) Reviewed
}

// A Reviewed is the statistics of a review.
type Reviewed struct {
	States    int // of objects
	Histories int // histories that were compared with another of the same state
	Reactions int // reactions to an input that were compared with the reaction of another history
	Left      int // reactions that were not compared
}

// MergedNodes returns the nodes of a system whose states are merged, as they are made.
func MergedNodes(sys *model.System) (all []Merged) {
	for _, spec := range sys.Nodes {
		if spec.Byzantine {
			continue
		}
		if n, is := spec.New().(Merged); is {
			all = append(all, n)
		}
	}
	return all
}
