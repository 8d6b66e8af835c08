package search

import (
	"fmt"
	"sync/atomic"

	"contend/checker/search/classes"
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/checker/search/symmetry"
	"contend/checker/zone"
)

// A denseSearch goes through the state classes of dense time.
type denseSearch struct {
	*explorer
	*classes.Set
	runs  runs.Dense
	layer []uint32 // the classes to expand
	each  []*denseWorker
}

// A denseWorker is a worker in dense time.
type denseWorker struct {
	*searcher
	classes  *classes.Set
	framer   symmetry.Framer
	merger   classes.Merger
	finds    classes.Findings // of this layer
	arranged zone.Zone
}

func newDense(x *explorer) *denseSearch {
	c := &denseSearch{explorer: x, Set: classes.New(x.Uses.Inclusion)}
	for _, s := range x.workers {
		w := &denseWorker{searcher: s, classes: c.Set, framer: symmetry.Framer{W: s.Worker, Orbits: s.orbits}, finds: classes.Findings{}, merger: classes.Merger{Off: !x.Uses.Merging}}
		s.Emit = w.found
		c.each = append(c.each, w)
	}
	c.runs = runs.Dense{Taker: x.taker, Classes: c.Set, Framer: &c.each[0].framer}
	return c
}

// found is called for each successor.
func (s *denseWorker) found(v []uint32) {
	s.transitions++
	if s.Move.Witness != 0 || len(s.Move.Broken) > 0 {
		s.report()
	}
	f := s.framer.Framed(v, s.Sum)
	s.arranged.Arrange(s.Zones.Made, f.Order)
	if s.classes.Has(f.Key, s.arranged) {
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
	x := c.explorer
	x.look()
	var taken atomic.Int64
	x.inParallel(len(c.layer) >= 16, func(s *searcher) {
		for !x.stop.Load() {
			from := int(taken.Add(someClasses)) - someClasses
			if from >= len(c.layer) {
				break
			}
			for _, id := range c.layer[from:min(from+someClasses, len(c.layer))] {
				c.each[s.number].expandClass(id)
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

// someClasses is the number of classes that a worker takes at once.
const someClasses = 8

func (s *denseWorker) expandClass(id uint32) {
	c := &s.classes.List[id]
	s.present = fingerprint.Print{A: uint64(id)}
	s.Zones.At = c.Zone
	v := s.classes.States[c.State].V
	s.expandState(v, s.PrintOfState(v))
}

// gather makes the next layer from what the workers found.
func (c *denseSearch) gather() {
	x := c.explorer
	var found []classes.Findings
	for _, w := range c.each {
		found = append(found, w.finds)
	}
	batches := c.Batches(found)
	c.share(len(batches), func(worker, k int) {
		w := c.each[worker]
		c.Merge(&batches[k], &w.merger, w.framer.Exchanges)
	})
	c.layer = c.layer[:0]
	if x.stop.Load() {
		return // the layer is not merged completely, and is dropped
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

// met judges a new state, with one of its classes.
func (c *denseSearch) met(v []uint32, class uint32) {
	s := c.workers[0] // it knows all components since it merged its share
	s.judge(v, fingerprint.Print{A: uint64(class)})
	c.observer.state(s, v)
}

// share does a job for each of n batches, on all workers, until a limit stops it.
func (c *denseSearch) share(n int, job func(worker, batch int)) {
	x := c.explorer
	var taken atomic.Int64
	x.inParallel(n >= someBatches, func(s *searcher) {
		s.Refresh()
		for from := int(taken.Add(someBatches)) - someBatches; from < n && !x.stop.Load(); from = int(taken.Add(someBatches)) - someBatches {
			if s == x.workers[0] {
				x.looks = 0 // merging takes longer than stepping: measure each time
				x.look()
			}
			for k := from; k < min(from+someBatches, n) && !x.stop.Load(); k++ {
				job(s.number, k)
				x.glance()
			}
		}
	})
	x.called()
}

// someBatches is the number of batches that a worker takes at once.
const someBatches = 16

// search expands the classes layer by layer.
func (c *denseSearch) search(*saved) (*Result, error) {
	x := c.explorer
	first := x.workers[0]
	first.rooted = true
	first.Initial()
	first.rooted, first.transitions = false, 0 // it takes no step to be there
	for {
		c.gather()
		if !c.goesOn() {
			break
		}
		x.reportViolated()
		c.expand()
	}
	x.settleAll()
	if !x.refused() {
		x.finishUp()
	}
	return x.res, nil
}

// goesOn settles what a layer found. It returns false if there is no next layer.
func (c *denseSearch) goesOn() bool {
	x := c.explorer
	candidates := x.collect()
	if x.refused() {
		return false
	}
	x.confirmAll(candidates)
	x.keepFinals()
	if !x.goesOn() {
		return false
	}
	return x.beginLayer(int64(len(c.layer)))
}

func (*denseSearch) open()  {}
func (*denseSearch) close() {}

func (c *denseSearch) runTo(key fingerprint.Print) runs.Route { return c.runs.To(uint32(key.A)) }

func (c *denseSearch) runOver(of suspect.Suspect) (runs.Route, step.Move) {
	breaks := func(w *step.Worker) bool { return breaks(w, of) }
	if of.Boot {
		return c.runs.Boots(of.Fails, breaks)
	}
	return c.runs.Breaking(uint32(of.Key.A), of.Fails, breaks)
}

func (*denseSearch) detail(*Candidate, suspect.Suspect, runs.Route) {}

func (*denseSearch) bytes() int64 { return 0 }
func (*denseSearch) spill()       {}
func (*denseSearch) shrink() bool { return false }

// finish adds to the result what only a search in dense time has.
func (c *denseSearch) finish() {
	x := c.explorer
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
