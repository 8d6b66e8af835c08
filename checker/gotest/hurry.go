package gotest

import (
	"sync"
	"testing"
	"time"

	"contend/checker/search"
	"contend/checker/verdict"
)

// A hurry ends the check of a test before its search ends: when the time that go test allows is nearly over, so that what is
// known is reported, and a while after a claim is violated, since the test fails then in any case.
type hurry struct {
	began     time.Time
	interrupt chan struct{}

	mu             sync.Mutex
	reason, advice string // of the first end
}

// hurried makes options end a check in time.
func (x tester) hurried(t testing.TB, opt *verdict.Options) *hurry {
	h := &hurry{began: time.Now(), interrupt: make(chan struct{})}
	opt.Interrupt = h.interrupt
	opt.Violated = func(row *verdict.Row, _ verdict.ClaimResult) {
		if row.Strategy != "exhaustive" {
			return // schedules are so many, and what they find is made smaller at the end
		}
		h.end(x.afterViolation+time.Since(h.began), "another claim is violated, and this search would take much longer", "mend that first")
	}
	if limited, is := t.(interface{ Deadline() (time.Time, bool) }); is {
		if deadline, any := limited.Deadline(); any {
			h.end(time.Until(deadline)*7/8, "the time that go test allows is nearly over", "give it more time (go test -timeout), or make the system smaller")
		}
	}
	return h
}

// end ends the check after some time, if nothing ends it sooner.
func (h *hurry) end(after time.Duration, reason, advice string) {
	time.AfterFunc(after, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.reason == "" {
			h.reason, h.advice = reason, advice
			close(h.interrupt)
		}
	})
}

// tell says of claims that were left open why the check ended.
func (h *hurry) tell(rows []*verdict.Row) (advice string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, row := range rows {
		for i, c := range row.Claims {
			if c.Limit.Code == search.Interrupted {
				row.Claims[i].Text = h.reason
			}
		}
	}
	return h.advice
}
