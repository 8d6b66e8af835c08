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

// inParallel lets workers do their share of what anyone may do, and passes on the first
// panic. Where it is not worth more than one, that one does all.
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

// atLeast is how many states make a layer worth more than one worker.
var atLeast int64 = 128

// drafting has successors looked up before they are made, where that can be. Without it every
// successor is made, and a search shows the same.
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

// settleSymmetry checks at the end of a layer that renaming commutes with what was computed, and notes
// what renamed nodes go on to. It does so with all of it where it is kept for a later process, and else with
// as much as there are states in the layer. Where components name many of many clients it takes far longer
// than to go through the states; a violation need not wait for it, and only a complete search has to have it.
func (x *explorer) settleSymmetry() {
	most := int(x.width()) + settledAtLeast
	if x.opt.Checkpoint != "" {
		most = math.MaxInt
	}
	x.settle(most)
}

// settledAtLeast is how many results are checked in a layer besides one for each state.
var settledAtLeast = 1024

// someRenamings is how many results are checked before the search looks whether it is to stop.
var someRenamings = 1024

// settle checks up to so many results, or until the search has to stop; then it has a limit.
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

// settleAll checks at the end of a search that is complete that renaming commutes with all that was
// computed. If it is stopped meanwhile the search is not complete.
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

// unsettled notes why a search that met all states is not complete.
const unsettled = "all states were met, but that the nodes are interchangeable was not checked to the end"

// endLayer settles what was found in a layer.
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

// confirmAll takes the candidates of a layer to the interpreter; of each claim only the first when the
// search is stopped from outside.
func (x *explorer) confirmAll(candidates []suspect.Suspect) {
	for i, c := range candidates {
		if i == 0 || candidates[i-1].Claim != c.Claim || x.outside() == "" {
			x.confirm(c)
		}
	}
}

// wantsExactParents reports whether what comes of a candidate must not depend on which of
// its ways was met first. That of a witness may, unless it can be spurious: it is not shown.
func (x *explorer) wantsExactParents(c suspect.Suspect) bool {
	return x.kind(c.Claim) != model.Sometimes || x.Closing() && x.Strict.Any()
}

// collect takes from the workers what they saw in a layer, and returns the candidates.
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

// keepFinals keeps as many final states as shall be judged.
func (x *explorer) keepFinals() {
	if len(x.finals) > x.opt.Histories {
		slices.SortFunc(x.finals[x.judged:], func(p, q fingerprint.Print) int { return cmp.Compare(p.A, q.A) })
		x.finals = x.finals[:x.opt.Histories]
	}
	x.judged = len(x.finals)
}

// settleStates marks the new states as those of a layer that is complete.
func (x *discreteSearch) settleStates() {
	x.notes.settle()
	x.states += x.found()
	x.fresh.Store(0)
}

// found returns how many states were found in the present layer.
func (x *explorer) found() (states int64) {
	for _, s := range x.workers {
		states += s.next.States
	}
	return states
}
