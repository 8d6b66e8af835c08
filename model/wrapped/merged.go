// Package wrapped has what other rooms know of a node that is made of an object nobody wrote for a checker, as model/foreign and
// model/program make them: that its states are merged (merged.go), how to give a run objects of its own (alone.go), what its states
// differ in (split.go), and what was built to make it (origin.go). How such a node tells its state is describe.Teller.
package wrapped

import (
	"contend/model"
	"contend/model/value"
)

// A Historian is a node that knows by which histories its states are reached, and needs them to go
// on from there: a search keeps them with its states.
type Historian interface {
	// Histories writes all that are known.
	Histories(c *value.Codec) []byte
	// Recall reads what Histories wrote.
	Recall(c *value.Codec, histories []byte)
}

// A Merged is a node whose states stand for more than they hold: for objects of several histories, which a
// search takes for one. They are put to the test by runs in which nothing is merged.
type Merged interface {
	// Alone gives the node, and all copies of it, objects of its own for one run. They are kept in objects,
	// which the nodes of that run share, and no others.
	Alone(objects map[any]any)
	// Review compares what the objects of a state were seen to do with what new objects of other histories of
	// that state do, as long as more says so, which is told how many handlers ran. Nodes that share their
	// objects are reviewed once: what was is in reviewed. It panics with a [model.Refusal] if two differ.
	Review(reviewed map[any]bool, more func(runs int) bool) Reviewed
}

// Reviewed is what a review compared.
type Reviewed struct {
	States    int // of objects
	Histories int // that lead to them, and were compared with others
	Reactions int // to an input in a state, that were compared with that of another history
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
