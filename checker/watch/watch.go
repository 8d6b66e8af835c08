// Package watch supervises goroutines that run handlers.
//
// A handler that does not return cannot be stopped: Go cannot end a goroutine from outside. So a check runs in
// a goroutine of its own, under a watch. A handler that has run for seconds is reported. From then on a
// timeout, an interrupt, or the end of the patience ends the check without waiting for the handler. The
// goroutine stays until the process ends.
package watch

import (
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"contend/model"
	"contend/model/guard"
)

// A Patience is the run time after which a handler is reported, the run time after which the check is given up,
// and the interval between two looks.
type Patience struct{ Named, GivenUp, Looks time.Duration }

// Usual is the patience of a watch without its own. Handlers take microseconds.
var Usual = Patience{Named: 3 * time.Second, GivenUp: 30 * time.Second, Looks: 100 * time.Millisecond}

// An Endless is the error of a check that was given up because of a handler.
type Endless struct{ Handler string }

func (e Endless) Error() string {
	return fmt.Sprintf("a handler does not return: %s", e.Handler)
}

// A Crash is a panic in the goroutine of a check, with its stack.
type Crash struct {
	Panic any
	Stack []byte
}

func (c Crash) String() string { return fmt.Sprintf("%v\n\n%s", c.Panic, c.Stack) }

// A Watch supervises a check.
type Watch struct {
	Deadline  time.Time                                 // zero for none
	Interrupt <-chan struct{}                           // unless nil: when closed, a reported handler ends the check
	Notify    func(handler string, since time.Duration) // unless nil, called by Run at each look that finds a reported handler
	Patience  Patience                                  // zero for [Usual]

	mu    sync.Mutex // guards the fields below
	cells []*guard.Cell
	seen  []uint64 // by cell: the number of calls at the last look
	since []time.Time
}

// Cell returns a new cell, in which a goroutine describes its running handler.
func (w *Watch) Cell() *guard.Cell {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &guard.Cell{}
	w.cells, w.seen, w.since = append(w.cells, c), append(w.seen, 0), append(w.since, time.Now())
	return c
}

// Cells returns a function that returns the cell of a worker. It may be called concurrently.
func (w *Watch) Cells() func(worker int) *guard.Cell {
	var cells sync.Map // by worker
	return func(worker int) *guard.Cell {
		c, ok := cells.Load(worker)
		if !ok {
			c, _ = cells.LoadOrStore(worker, w.Cell())
		}
		return c.(*guard.Cell)
	}
}

// Run calls run in a new goroutine and waits for it. The error is an [Endless] if the check was given up. If
// run panics, Run panics with a [Crash].
func (w *Watch) Run(run func() error) error {
	patience := w.Patience
	if patience == (Patience{}) {
		patience = Usual
	}
	done := make(chan error, 1)
	crashed := make(chan Crash, 1)
	go func() {
		returned := false
		defer func() {
			switch p := recover(); {
			case returned:
			case p == nil:
				done <- model.Refused{Text: "a handler leaves its goroutine, by runtime.Goexit: " + w.runningHandler()}
			default:
				crashed <- Crash{p, debug.Stack()}
			}
		}()
		err := run()
		returned = true
		done <- err
	}()
	tick := time.NewTicker(patience.Looks)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case c := <-crashed:
			panic(c)
		case now := <-tick.C:
			if r, since := w.longest(now); r != nil && w.exceeded(r, now.Sub(since), patience) {
				return Endless{r.Who.Describe()}
			}
		}
	}
}

// runningHandler returns the description of a running handler.
func (w *Watch) runningHandler() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.cells {
		if r := c.Now(); r != nil {
			return r.Who.Describe()
		}
	}
	return "which is not known"
}

// longest returns the longest running call, and when it was first seen.
func (w *Watch) longest(now time.Time) (longest *guard.Running, since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, c := range w.cells {
		calls, r := c.Calls(), c.Now()
		if calls != w.seen[i] {
			w.seen[i], w.since[i] = calls, now
		}
		if r != nil && (longest == nil || w.since[i].Before(since)) {
			longest, since = r, w.since[i]
		}
	}
	return longest, since
}

// exceeded reports a call that has run for long, and returns whether to give up the check.
func (w *Watch) exceeded(r *guard.Running, age time.Duration, patience Patience) bool {
	if age < patience.Named {
		return false
	}
	if w.Notify != nil {
		w.Notify(r.Who.Describe(), age)
	}
	select {
	case <-w.Interrupt:
		return true
	default:
	}
	return age >= patience.GivenUp || !w.Deadline.IsZero() && time.Now().After(w.Deadline)
}
