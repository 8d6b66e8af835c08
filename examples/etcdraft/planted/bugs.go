package main

import (
	"slices"

	"contend/checker/plant"
)

// A Bug is a mistake that somebody might have made in the library, or did make once, as a few edits of its text.
type Bug struct {
	Name   string
	Models string // the kind of the bug, and a reference
	Edits  []Edit
	Claim  string // that it breaks
	Row    string // what to check: the variant, and the bounds
	Quick  bool   // a test plants it: it is caught within a second, and another like it is not there
}

// An Edit is a [plant.Edit] in the library.
type Edit struct{ File, Old, New string }

// edits returns the bug's edits in the form of package plant.
func (b Bug) edits() (all []plant.Edit) {
	for _, e := range b.Edits {
		all = append(all, plant.Edit(e))
	}
	return all
}

// bugs are all planted bugs, by the mechanism that they break.
var bugs = slices.Concat(elections, logs, commits, reads, membership)

// The claims, as the protocol has them.
const (
	electionSafety     = "Election Safety"
	logMatching        = "Log Matching"
	leaderCompleteness = "Leader Completeness"
	stateMachine       = "State Machine Safety"
	commitIndex        = "commit never regresses"
	inOrder            = "each entry is applied once, in order"
	handsOver          = "leadership is handed to who has the log"
	keepsTerm          = "PreVote and CheckQuorum keep the term"
	linearizable       = "linearizable"
)
