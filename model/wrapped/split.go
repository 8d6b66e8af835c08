package wrapped

import "contend/model"

// A Splitter is a node that can report in what its states differ, beyond its exported fields.
type Splitter interface {
	// Splits compares states of this node.
	Splits(states []model.Node) Splits
}

// A Splits is the result of a comparison of states.
type Splits struct {
	States int // the number of compared states
	Parts  []Split
	Shown  int // the number of distinct states without hidden parts
}

// A Split is a part of a state that is not equal in all states.
type Split struct {
	Path    string // with [] for the elements of a slice, an array or a map
	Values  int    // the number of its values, at least 2
	Without int    // the number of distinct states without it
	Hidden  bool   // it differs between states that are equal for claims and people
}
