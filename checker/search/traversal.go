package search

import (
	"time"

	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/checker/search/visited"
)

// A traversal goes through the states of a search, layer by layer: through single states, or in dense time through
// classes of states.
type traversal interface {
	open()
	close()
	// search searches, from a checkpoint unless from is nil.
	search(from *saved) (*Result, error)
	// runTo returns a run to the state, or the class, with a key.
	runTo(key fingerprint.Print) runs.Route
	// runOver returns a run that ends with the step of a candidate, and the step's move.
	runOver(c suspect.Suspect) (runs.Route, step.Move)
	// detail completes a candidate with its run.
	detail(out *Candidate, c suspect.Suspect, r runs.Route)
	// bytes returns the bytes of the table, which is outside the heap.
	bytes() int64
	// spill lets the table move states to files.
	spill()
	// shrink halves the table's share of the memory, and reports whether it can.
	shrink() bool
	// finish adds sizes to the result.
	finish()
}

// A discreteSearch goes through single states, untimed or on a grid. The set knows them by their keys.
type discreteSearch struct {
	*explorer
	layer          frontier.Layer // of states to expand
	before         counts         // when the layer began
	checkpointAt   time.Time
	checkpointTook time.Duration
}

func (d *discreteSearch) open() {
	d.set = visited.New(d.opt.Wide, len(d.workers))
	d.checkpointAt = d.begun
}

func (d *discreteSearch) close() {
	d.layer.Close()
	for _, s := range d.workers {
		s.next.Close()
	}
	d.set.Close()
}

// search expands layer by layer. It finishes a layer even if the last claim was violated in it. So the number of
// states and the counterexample do not depend on the number of workers.
func (d *discreteSearch) search(from *saved) (*Result, error) {
	goes := false
	if from != nil {
		if err := d.restore(from); err != nil {
			return nil, err
		}
		goes = true
	} else {
		d.workers[0].begin()
		d.settleSymmetry()
		d.endLayer()
		goes = d.goesOn() && d.promote()
	}
	for goes {
		d.reportViolated()
		d.keepCheckpoint()
		d.expandLayer()
		d.keepStopped()
		d.endLayer()
		goes = d.goesOn() && d.promote()
	}
	d.settleAll()
	if !d.refused() && !d.again {
		d.finishUp()
		if d.opt.Checkpoint != "" && d.res.Limit.None() {
			d.files.Forget()
		}
	}
	return d.res, nil
}

// promote makes the states that were found the present layer. It returns false if there are none.
func (d *discreteSearch) promote() bool {
	var found []*frontier.Part
	for _, s := range d.workers {
		found = append(found, &s.next)
		s.Refresh()
	}
	d.layer.Replace(found)
	if !d.beginLayer(d.layer.States) {
		return false
	}
	d.set.BeginLayer(len(d.res.Widths))
	d.before = counts{d.generated.Load(), d.Calls}
	return true
}

func (d *discreteSearch) runTo(key fingerprint.Print) runs.Route { return d.taker.Way(key) }

func (d *discreteSearch) runOver(c suspect.Suspect) (r runs.Route, by step.Move) {
	if !c.Boot {
		r = d.runTo(c.Key)
	}
	return d.taker.Further(r, c.Fails, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return breaks(w, c) })
}

func (d *discreteSearch) detail(out *Candidate, c suspect.Suspect, r runs.Route) {
	out.NoReturn, out.Parts = d.notes.noReturn(c.Claim, r), int64(d.Refine.Parts)
	out.Pinned = c.Pinned && d.workers[0].PendingEvent(r.V)
}

func (d *discreteSearch) bytes() int64 { return d.set.Bytes() }

func (d *discreteSearch) spill() {
	if d.notes.spills() {
		d.set.SpillTo(d.files, d.forTable)
	}
}

func (d *discreteSearch) shrink() bool {
	if !d.notes.spills() || d.opt.table != 0 || d.forTable <= leastTable {
		return false
	}
	if d.gaveWay == d.heap {
		return true // the last one is not collected yet
	}
	d.gaveWay = d.heap
	d.forTable = max(d.forTable/2, leastTable)
	d.held.Most = d.forTable / 2
	d.set.Shrink(d.forTable)
	return true
}

func (d *discreteSearch) finish() {
	r := d.res
	r.Bytes, r.DiskBytes = d.set.Bytes(), d.set.DiskBytes()
	r.Omission = omission(r.States, r.Transitions, d.opt.Wide) * d.crowding()
}
