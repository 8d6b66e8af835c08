package search

import (
	"contend/checker/search/graph"
	"contend/checker/search/statespace"
)

// An observer watches the states of a search. Workers call it; it must not change anything.
type observer interface {
	// state is called for each new state.
	state(s *searcher, v []uint32)
	// expanded is called after each expansion.
	expanded(locked bool)
	// finish is called at the end.
	finish()
}

// unobserved observes nothing.
type unobserved struct{}

func (unobserved) state(*searcher, []uint32) {}
func (unobserved) expanded(bool)             {}
func (unobserved) finish()                   {}

// A drawing records the whole state space. Its searches have one worker.
type drawing struct {
	*statespace.Keeper
	x *explorer
}

func (drawing) state(*searcher, []uint32) {}

func (d drawing) expanded(locked bool) { d.Close(locked) }

func (d drawing) finish() {
	var whole *graph.Graph
	if d.x.res.Complete {
		whole = d.x.notes.whole()
	}
	d.x.res.Space = d.Finish(whole)
}
