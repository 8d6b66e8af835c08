package gotest

import (
	"sync"
	"testing"
	"time"

	"contend/checker/search"
	"contend/checker/verdict"
)

// A deadline ends the check of a test before its search ends. It does so shortly before go test's timeout, so that
// the results are reported. It also does so some time after a violation: the test fails in any case.
type deadline struct {
	began     time.Time
	interrupt chan struct{}

	mu             sync.Mutex
	reason, advice string // of the end
}

// hurry sets the options so that the check ends at the returned deadline.
func (x tester) hurry(t testing.TB, opt *verdict.Options) *deadline {
	h := &deadline{began: time.Now(), interrupt: make(chan struct{})}
	opt.Interrupt = h.interrupt
	opt.Violated = func(row *verdict.Row, _ verdict.ClaimResult) {
		if row.Strategy != "exhaustive" {
			return // the number of schedules is limited, and counterexamples are minimized at the end
		}
		h.end(x.afterViolation+time.Since(h.began), "another claim is violated, and this search would take much longer", "mend that first")
	}
	if limited, is := t.(interface{ Deadline() (time.Time, bool) }); is {
		if end, any := limited.Deadline(); any {
			h.end(time.Until(end)*7/8, "the time that go test allows is nearly over", "give it more time (go test -timeout), or make the system smaller")
		}
	}
	return h
}

// end ends the check after some time, unless it has ended.
func (h *deadline) end(after time.Duration, reason, advice string) {
	time.AfterFunc(after, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.reason == "" {
			h.reason, h.advice = reason, advice
			close(h.interrupt)
		}
	})
}

// explain sets the reason for the end as the text of the interrupted claims, and returns the advice.
func (h *deadline) explain(rows []*verdict.Row) (advice string) {
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
