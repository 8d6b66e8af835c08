package search

import (
	"slices"

	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/graph"
	"contend/checker/search/runs"
	"contend/checker/search/suspect"
	"contend/checker/search/visited"
)

// notes determines the note of each state in the set: its parent, or its number in the graph of all states.
type notes interface {
	// batch returns how many successors a worker looks up at once.
	batch() int
	// write notes the steps to a batch of successors, which are in the set. It returns the number of fresh states.
	write(s *searcher) (fresh int64)
	// state is called for each new state, in the order of discovery.
	state(s *searcher, v []uint32)
	// expanded is called after each expansion.
	expanded(s *searcher, locked bool)
	// parents returns the keys of the parents that a note names.
	parents(note uint32) []fingerprint.Print
	// settle marks the new states when their layer is complete.
	settle()
	// again reports whether candidates need a search with exact parents.
	again(candidates []suspect.Suspect) bool
	// layer is called when everything that a layer found is confirmed.
	layer()
	// spills reports whether states may leave the table for files.
	spills() bool
	// limit returns the limit that so many states reach.
	limit(states int64) decide.Limit
	// finish judges the claims that need all states.
	finish()
	// whole returns the graph of all states; nil if there is none.
	whole() *graph.Graph
	// noReturn returns a run's point of no return; nil if the claim has none.
	noReturn(claim int, r runs.Route) *graph.NoReturn
}

// exactUntil is the number of states up to which a search notes the least parent of each state, so that the
// counterexample does not depend on the number of workers. Beyond it the search notes the first parent that it
// meets, which is faster. If a claim turns out to be violated then, the search starts again with exact parents.
var exactUntil int64 = 50_000

// parentNotes notes the parent of each state.
type parentNotes struct {
	*explorer
	exact bool   // the least parents are noted
	mark  uint32 // 1 if notes mark the states of the present layer: the table may be emptied
}

func newParentNotes(x *explorer) *parentNotes {
	n := &parentNotes{explorer: x, exact: true}
	if x.opt.MaxMemory > 0 || x.opt.Checkpoint != "" {
		n.mark = 1
	}
	return n
}

// batchSize is how many successors are looked up at once.
const batchSize = 256

func (*parentNotes) batch() int { return batchSize }

func (n *parentNotes) write(s *searcher) (fresh int64) {
	for i := range s.batch {
		l := &s.batch[i]
		note := n.set.Note(l)
		if n.exact {
			visited.LeastParent(note, l.From)
		} else if l.Fresh {
			*note = l.From<<1 | n.mark
		}
		if l.Fresh {
			fresh++
		}
	}
	return fresh
}

func (*parentNotes) state(*searcher, []uint32) {}

func (*parentNotes) expanded(*searcher, bool) {}

func (n *parentNotes) parents(note uint32) []fingerprint.Print {
	all, err := n.set.Parents(note >> 1)
	must(err)
	return all
}

func (n *parentNotes) settle() {
	if !n.exact && n.mark == 0 {
		return
	}
	n.inParallel(true, func(s *searcher) { // several workers may have found even few states
		s.each(func(key fingerprint.Print, _ []uint32) {
			if note := n.set.Find(key); note != nil { // else the state is in a file
				visited.Settle(note)
			}
		})
	})
}

func (n *parentNotes) again(candidates []suspect.Suspect) bool {
	return !n.exact && n.outside() == "" && slices.ContainsFunc(candidates, n.wantsExactParents)
}

func (n *parentNotes) layer() { n.setExact(n.exact && (n.opt.Exact || n.states < exactUntil)) }

// setExact sets whether the least parents are noted. Else a step to a state that was met a moment ago adds nothing.
func (n *parentNotes) setExact(exact bool) { n.exact, n.dropsRecent = exact, !exact }

func (*parentNotes) spills() bool { return true }

func (*parentNotes) limit(int64) decide.Limit { return decide.Limit{} }

func (*parentNotes) finish() {}

func (*parentNotes) whole() *graph.Graph { return nil }

func (*parentNotes) noReturn(int, runs.Route) *graph.NoReturn { return nil }
