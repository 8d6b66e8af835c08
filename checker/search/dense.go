package search

import (
	"fmt"
	"slices"
	"sync/atomic"

	"contend/checker/search/classes"
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/runs"
)

// denseSearch are the state classes of a search in dense time.
type denseSearch struct {
	*classes.Set
	runs   runs.Dense
	x      *explorer
	layer  []uint32 // the classes to expand
	merges []*classes.Merger
}

func newClasses(x *explorer) *denseSearch {
	c := &denseSearch{Set: classes.New(x.Uses.Inclusion), x: x}
	c.runs = runs.Dense{Taker: x.taker, Classes: c.Set, Framer: x.workers[0].framer}
	for _, s := range x.workers {
		s.Emit, s.Fail = s.foundClass, s.failed
		s.finds = classes.Findings{}
		c.merges = append(c.merges, &classes.Merger{Off: !x.Uses.Merging})
	}
	return c
}

// foundClass is told of each successor.
func (s *searcher) foundClass(v []uint32) {
	s.transitions++
	if s.Move.Witness != 0 || len(s.Move.Broken) > 0 {
		s.report()
	}
	f := s.framer.Framed(v, s.Sum)
	s.arranged.Arrange(s.Zones.Made, f.Order)
	if s.x.classes.Has(f.Key, s.arranged) {
		return
	}
	parent := uint32(s.present.A)
	if s.rooted {
		parent = classes.NoClass
	}
	if s.finds.Add(f.Key, f.V, s.arranged, parent) {
		s.x.fresh.Add(1)
	}
}

// expand expands the classes of the present layer.
func (c *denseSearch) expand() {
	x := c.x
	x.look()
	var taken atomic.Int64
	x.inParallel(len(c.layer) >= 16, func(s *searcher) {
		for !x.stop.Load() {
			from := int(taken.Add(someClasses)) - someClasses
			if from >= len(c.layer) {
				break
			}
			for _, id := range c.layer[from:min(from+someClasses, len(c.layer))] {
				s.expandClass(id)
			}
			if s == x.workers[0] {
				x.look()
			}
		}
		x.generated.Add(s.transitions)
		s.transitions = 0
	})
	x.settleSymmetry()
	x.called()
}

// someClasses is how many classes a worker takes at once.
const someClasses = 8

func (s *searcher) expandClass(id uint32) {
	c := &s.x.classes.List[id]
	s.present = fingerprint.Print{A: uint64(id)}
	s.Zones.At = c.Zone
	s.expandState(s.x.classes.States[c.State].V)
}

// gather makes classes of what was found in a layer, and makes them the next.
func (c *denseSearch) gather() {
	x := c.x
	var found []classes.Findings
	for _, s := range x.workers {
		found = append(found, s.finds)
	}
	batches := c.Batches(found)
	c.share(len(batches), func(worker, k int) {
		c.Merge(&batches[k], c.merges[worker], x.workers[worker].framer.Exchanges)
	})
	c.layer = c.layer[:0]
	if x.stop.Load() {
		return // what was found in this layer is not all merged, and is left
	}
	for k := range batches {
		ids, fresh := c.Commit(&batches[k])
		c.layer = append(c.layer, ids...)
		if fresh {
			c.met(batches[k].V, ids[len(ids)-1])
		}
	}
	x.states = int64(len(c.List))
	x.fresh.Store(0)
}

// met judges a state that is new, by one of its classes.
func (c *denseSearch) met(v []uint32, class uint32) {
	s := c.x.workers[0] // which has merged its share, and knows all components since
	s.judge(v, fingerprint.Print{A: uint64(class)})
	if c.x.onState != nil {
		c.x.onState(v)
	}
}

// share does a job for each of n batches, on all workers, until a limit is hit.
func (c *denseSearch) share(n int, job func(worker, batch int)) {
	x := c.x
	var taken atomic.Int64
	x.inParallel(n >= someBatches, func(s *searcher) {
		s.Refresh()
		worker := slices.Index(x.workers, s)
		for from := int(taken.Add(someBatches)) - someBatches; from < n && !x.stop.Load(); from = int(taken.Add(someBatches)) - someBatches {
			if s == x.workers[0] {
				x.looks = 0 // merging takes longer than stepping: measure each time
				x.look()
			}
			for k := from; k < min(from+someBatches, n) && !x.stop.Load(); k++ {
				job(worker, k)
				x.glance()
			}
		}
	})
	x.called()
}

// someBatches is how many batches a worker takes at once.
const someBatches = 16

// search goes through the state classes layer by layer.
func (c *denseSearch) search() *Result {
	x := c.x
	first := x.workers[0]
	first.rooted = true
	first.Initial()
	first.rooted, first.transitions = false, 0 // it takes no step to be there
	for {
		c.gather()
		if !c.goesOn() {
			break
		}
		x.tellViolated()
		c.expand()
	}
	x.settleAll()
	if !x.refused() {
		x.finishUp()
	}
	return x.res
}

// goesOn settles what was found in a layer; false when there is no next.
func (c *denseSearch) goesOn() bool {
	x := c.x
	candidates := x.collect()
	if x.refused() {
		return false
	}
	x.confirmAll(candidates)
	x.keepFinals()
	if !x.goesOn() {
		return false
	}
	if len(c.layer) == 0 {
		x.res.Complete = true
		return false
	}
	x.res.Widths = append(x.res.Widths, int64(len(c.layer)))
	x.res.Depth = len(x.res.Widths) - 1
	x.tell(x.met())
	return true
}

// finish says what there is to say of a search in dense time.
func (c *denseSearch) finish() {
	x := c.x
	r := x.res
	r.Bytes = c.Size
	r.Omission = omission(int64(len(c.States)), r.Transitions, true) * x.crowding()
	if c.Merging {
		r.Reductions = append(r.Reductions, "convex merging")
	}
	r.Notes = append(r.Notes, fmt.Sprintf("dense time: %d classes of %d states without their times", len(c.List), len(c.States)))
	for i, claim := range x.claims {
		if e, may := decide.Before(claim, x.Sys, decide.Dense); !may {
			r.Claims[i].Limit = decide.Limited(e.Limit)
		}
	}
}
