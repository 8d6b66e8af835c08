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

// partOfTime is what part of the time of the search each of the two kinds of tests of merging takes at most, beyond the least.
const partOfTime = 8

// putToTest puts the merging of objects to the test, if the system has some and the search came to its end.
// It is nil if there are none.
func (x *exhaustive) putToTest(r *search.Result, w *watch.Watch) (report *merging.Report, err error) {
	nodes := wrapped.MergedNodes(x.sys)
	if x.refused != nil || len(nodes) == 0 || !r.Complete {
		return nil, x.refused
	}
	s := merging.Search{System: x.sys, Codec: x.codec, Timed: x.plan.Check.Reading != model.Untimed, Depth: r.Depth, Stopped: x.stopped, Running: w.Cell()}
	share := time.Since(x.began) / partOfTime
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

// refuse keeps what an object says that was not merged, in the confirmation of a candidate: that it does something
// else than the search took it to do. It is the protocol's fault then that search and interpreter disagree.
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

// stopped says what stops a check from outside, or "".
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
