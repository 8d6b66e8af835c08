package search

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"contend/checker/search/fingerprint"
	"contend/checker/search/suspect"
	"contend/model"
)

// inParallel lets each worker take its share of a job, and passes on the first panic. If the job is not worth more
// than one worker, one does it all.
func (x *explorer) inParallel(worth bool, share func(s *searcher)) {
	if !worth || len(x.workers) == 1 {
		share(x.workers[0])
		return
	}
	var wait sync.WaitGroup
	for _, s := range x.workers[1:] {
		wait.Go(func() { x.guarded(s, share) })
	}
	x.guarded(x.workers[0], share)
	wait.Wait()
	for _, s := range x.workers {
		if s.failure != nil {
			panic(s.failure)
		}
	}
}

func (x *explorer) guarded(s *searcher, share func(s *searcher)) {
	returned := false
	defer func() {
		if s.failure = recover(); s.failure == nil && !returned {
			s.failure = model.Refused{Text: "a handler leaves its goroutine, by runtime.Goexit"}
		}
		if s.failure != nil {
			x.stop.Store(true)
		}
	}()
	share(s)
	returned = true
}

// atLeast is the number of states that makes a layer worth more than one worker.
var atLeast int64 = 128

// drafting makes workers look up successors before they are made, if possible. Without it the search makes every
// successor, with the same result.
var drafting = true

// expandLayer expands the present layer.
func (x *discreteSearch) expandLayer() {
	x.stop.Store(false)
	x.look()
	share := x.layer.Divide(len(x.workers))
	x.inParallel(x.layer.States >= atLeast, func(s *searcher) {
		if drafting && x.drafts {
			s.Sketch = s.sketched
		}
		for at, left := share.Take(s.number); left && !x.stop.Load(); at, left = share.Take(s.number) {
			c, err := at.Load(&s.loaded)
			must(err)
			s.expandChunk(c)
			s.flush() // before the chunk's memory is used again
		}
		s.Sketch = nil
	})
	x.settleSymmetry()
	x.called()
}

// settleSymmetry checks at the end of a layer that renaming commutes with the computed results, and records the
// successors of renamed nodes. It checks all results if a checkpoint keeps them for a later process, and else as
// many as the layer has states. If components mention many clients, the check takes far longer than the layer. A
// violation need not wait for it; only a complete search needs it.
func (x *explorer) settleSymmetry() {
	most := int(x.width()) + settledAtLeast
	if x.opt.Checkpoint != "" {
		most = math.MaxInt
	}
	x.settle(most)
}

// settledAtLeast is the number of results that are checked in a layer besides one for each state.
var settledAtLeast = 1024

// someRenamings is the number of results that are checked between two looks at the limits.
var someRenamings = 1024

// settle checks up to so many results, until a limit stops the search.
func (x *explorer) settle(most int) {
	for left := len(x.reductions) > 0; left && most > 0; most -= someRenamings {
		left = false
		x.workers[0].Ask(func() {
			for _, r := range x.reductions {
				left = r.Settle(someRenamings) || left
			}
		})
		left = left && !x.overdue()
	}
}

// settleAll checks at the end of a complete search that renaming commutes with all computed results. If a limit
// stops it, the search is not complete.
func (x *explorer) settleAll() {
	if !x.res.Complete {
		return
	}
	x.settle(math.MaxInt)
	if slices.ContainsFunc(x.reductions, reduction.Unsettled) {
		x.res.Complete = false
		x.res.Notes = append(x.res.Notes, unsettled)
	}
}

// unsettled is the note of a search that met all states and is not complete.
const unsettled = "all states were met, but that the nodes are interchangeable was not checked to the end"

// endLayer settles what a layer found.
func (x *discreteSearch) endLayer() {
	must(x.winnow())
	x.settleStates()
	candidates := x.collect()
	if x.refused() {
		return
	}
	x.again = x.notes.again(candidates)
	if x.again && x.opt.patient {
		return
	}
	x.confirmAll(candidates)
	if x.again {
		x.reportViolated()
		return
	}
	x.keepFinals()
	x.notes.layer()
}

// confirmAll passes the candidates of a layer to the interpreter. If the search is stopped from outside, it passes
// only the first of each claim.
func (x *explorer) confirmAll(candidates []suspect.Suspect) {
	for i, c := range candidates {
		if i == 0 || candidates[i-1].Claim != c.Claim || x.outside() == "" {
			x.confirm(c)
		}
	}
}

// wantsExactParents reports whether the result of a candidate must not depend on which of its parents was met
// first. The run of a witness may depend on it, unless the witness can be spurious: the run is not shown.
func (x *explorer) wantsExactParents(c suspect.Suspect) bool {
	return x.kind(c.Claim) != model.Sometimes || x.Closing() && x.Strict.Any()
}

// collect takes from the workers what they found in a layer, and returns the candidates.
func (x *explorer) collect() (candidates []suspect.Suspect) {
	for _, s := range x.workers {
		for i := range x.claims {
			o := &x.res.Claims[i]
			o.Witnessed = o.Witnessed || s.witnessed[i]
		}
		for k, c := range x.Sys.Cuts {
			x.res.Cut[c.Name] += s.cutStates[k]
			s.cutStates[k] = 0
		}
		x.locked += s.locks
		s.locks = 0
		candidates = append(candidates, s.candidates...)
		x.finals = append(x.finals, s.finals...)
		s.candidates, s.finals = nil, nil
		s.Refresh()
	}
	x.takeCosts()
	candidates = suspect.Least(candidates)
	x.failures = x.failures || slices.ContainsFunc(candidates, func(c suspect.Suspect) bool { return c.Claim == x.failing() })
	return candidates
}

// keepFinals drops the final states that are not to be judged.
func (x *explorer) keepFinals() {
	if len(x.finals) > x.opt.Histories {
		slices.SortFunc(x.finals[x.judged:], func(p, q fingerprint.Print) int { return cmp.Compare(p.A, q.A) })
		x.finals = x.finals[:x.opt.Histories]
	}
	x.judged = len(x.finals)
}

// settleStates counts the new states, and marks them as states of a complete layer.
func (x *discreteSearch) settleStates() {
	x.notes.settle()
	x.states += x.found()
	x.fresh.Store(0)
}

// found returns the number of states that were found in the present layer.
func (x *explorer) found() (states int64) {
	for _, s := range x.workers {
		states += s.next.States
	}
	return states
}
