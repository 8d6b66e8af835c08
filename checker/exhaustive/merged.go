package exhaustive

import (
	"errors"
	"time"

	"contend/checker/merging"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/watch"
	"contend/model"
	"contend/model/wrapped"
)

// mergingShare is the search time divided by the maximum time of each of the two kinds of merging tests. The tests
// also have a minimum.
const mergingShare = 8

// testMerging tests the merging of objects after a complete search. The report is nil if no objects are merged, or if
// the search is incomplete.
func (x *exhaustive) testMerging(r *search.Result, w *watch.Watch) (report *merging.Report, err error) {
	nodes := wrapped.MergedNodes(x.sys)
	if x.refused != nil || len(nodes) == 0 || !r.Complete {
		return nil, x.refused
	}
	s := merging.Search{System: x.sys, Codec: x.codec, Timed: x.plan.Check.Reading != model.Untimed, Depth: r.Depth, Stopped: x.stopped, Running: w.Cell()}
	share := time.Since(x.began) / mergingShare
	err = w.Run(func() error {
		is, err := s.Test(nodes, share)
		report = is
		return err
	})
	if limit := x.stopped(); limit != "" {
		r.Complete, r.Limit = false, decide.Limited(limit)
	}
	return report, err
}

// refuse stores the first refusal of an unmerged object during a confirmation: the object did not do the same as the
// merged object of the search. The disagreement of search and interpreter is then a fault of the protocol.
func (x *exhaustive) refuse(err error) {
	var refused model.Refusal
	if !errors.As(err, &refused) || len(wrapped.MergedNodes(x.sys)) == 0 {
		return
	}
	x.lock.Lock()
	defer x.lock.Unlock()
	if x.refused == nil {
		x.refused = refused
	}
}

// stopped returns the code of the limit that stops the check from outside; "" if there is none.
func (x *exhaustive) stopped() string {
	select {
	case <-x.opt.Interrupt:
		return search.Interrupted
	default:
	}
	if x.opt.Timeout > 0 && time.Since(x.began) >= x.opt.Timeout {
		return search.Timeout
	}
	return ""
}
