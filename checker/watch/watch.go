// Package watch looks after what runs handlers.
//
// A handler that does not return cannot be stopped: nothing in Go ends a goroutine from outside. So
// a check runs in a goroutine of its own, and is watched. When one handler has run for seconds it is
// named. From then on a timeout or an interrupt ends the check without waiting for it, and so does
// patience. The goroutine is left behind, to the end of the process.
package watch

import (
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"contend/model"
	"contend/model/guard"
)

// Patience says how long a handler runs until it is named, and until the check is given up; and how often a watch looks.
type Patience struct{ Named, GivenUp, Looks time.Duration }

// Usual is the patience of a watch that has none of its own. Handlers take microseconds.
var Usual = Patience{Named: 3 * time.Second, GivenUp: 30 * time.Second, Looks: 100 * time.Millisecond}

// Endless says that a check was given up, because of which handler.
type Endless struct{ Handler string }

func (e Endless) Error() string {
	return fmt.Sprintf("a handler does not return: %s", e.Handler)
}

// A Crash is a panic that happened in the goroutine of a check, with its stack.
type Crash struct {
	Panic any
	Stack []byte
}

func (c Crash) String() string { return fmt.Sprintf("%v\n\n%s", c.Panic, c.Stack) }

// A Watch looks after what runs handlers.
type Watch struct {
	Deadline  time.Time                                 // zero: none
	Interrupt <-chan struct{}                           // unless nil, gives up a handler that is named when it is closed
	Told      func(handler string, since time.Duration) // unless nil, is told again and again of a handler that is named
	Patience  Patience                                  // zero: [Usual]

	mu    sync.Mutex
	cells []*guard.Cell
	seen  []uint64 // the calls by then
	since []time.Time
}

// Cell makes what shows one of the handlers that run.
func (w *Watch) Cell() *guard.Cell {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &guard.Cell{}
	w.cells, w.seen, w.since = append(w.cells, c), append(w.seen, 0), append(w.since, time.Now())
	return c
}

// Cells makes one for each of several workers that run handlers at the same time.
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

// Run runs what makes calls of handlers, and waits for it to return. The error is an [Endless]
// when it was given up. A panic goes on here, as a [Crash].
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
				done <- model.Refused{Text: "a handler leaves its goroutine, by runtime.Goexit: " + w.running()}
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
			if r, since := w.longest(now); r != nil && w.over(r, now.Sub(since), patience) {
				return Endless{r.Who.Describe()}
			}
		}
	}
}

// running names a handler that runs.
func (w *Watch) running() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.cells {
		if r := c.Now(); r != nil {
			return r.Who.Describe()
		}
	}
	return "which is not known"
}

// longest returns the call that has run longest, with when it was seen first.
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

// over tells of a call that has run for seconds, and reports whether to give it up.
func (w *Watch) over(r *guard.Running, age time.Duration, patience Patience) bool {
	if age < patience.Named {
		return false
	}
	if w.Told != nil {
		w.Told(r.Who.Describe(), age)
	}
	select {
	case <-w.Interrupt:
		return true
	default:
	}
	return age >= patience.GivenUp || !w.Deadline.IsZero() && time.Now().After(w.Deadline)
}
