package wrapped

import "contend/model"

// A Splitter is a node that knows more of its state than its exported fields say, and can tell what
// makes states different.
type Splitter interface {
	// Splits compares states of this node.
	Splits(states []model.Node) Splits
}

// Splits tell what makes states different.
type Splits struct {
	States int // that were compared
	Parts  []Split
	Shown  int // how many states there would be without any part that is hidden
}

// A Split is a part of a state that is not the same in all states.
type Split struct {
	Path    string // with [] for the elements of a slice, an array or a map
	Values  int    // that it takes, at least 2
	Without int    // how many states there would be without it
	Hidden  bool   // it differs between states that claims and people see as one
}
