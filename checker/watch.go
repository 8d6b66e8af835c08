package checker

import (
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"contend/model"
	"contend/model/guard"
)

// A handler that does not return cannot be stopped: nothing in Go ends a goroutine from outside. So
// a check runs in a goroutine of its own, and is watched. When one handler has run for seconds it is
// named. From then on a timeout or an interrupt ends the check without waiting for it, and so does
// patience. The goroutine is left behind, to the end of the process.

// How long a handler runs until it is named, and until the check is given up; and how often a watch
// looks. Handlers take microseconds.
var (
	handlerNamed   = 3 * time.Second
	handlerGivenUp = 30 * time.Second
	looksEvery     = 100 * time.Millisecond
)

// Stuck is the limit of a check that was given up because a handler did not return.
const Stuck = "handler"

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
	Interrupt <-chan struct{}                           // as of [Options]
	Told      func(handler string, since time.Duration) // likewise: [Options.Stuck]

	mu    sync.Mutex
	cells []*guard.Cell
	seen  []uint64 // the calls by then
	since []time.Time
}

// watch makes the watch of a check that begins now.
func (opt *Options) watch(start time.Time) *Watch {
	w := &Watch{Interrupt: opt.Interrupt, Told: opt.Stuck}
	if opt.Timeout > 0 {
		w.Deadline = start.Add(opt.Timeout)
	}
	return w
}

// Cell makes what shows one of the handlers that run.
func (w *Watch) Cell() *guard.Cell {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &guard.Cell{}
	w.cells, w.seen, w.since = append(w.cells, c), append(w.seen, 0), append(w.since, time.Now())
	return c
}

// Run runs what makes calls of handlers, and waits for it to return. The error is an [Endless]
// when it was given up. A panic goes on here, as a [Crash].
func (w *Watch) Run(run func() error) error {
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
	tick := time.NewTicker(looksEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case c := <-crashed:
			panic(c)
		case now := <-tick.C:
			if r, since := w.longest(now); r != nil && w.over(r, since, now) {
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
func (w *Watch) over(r *guard.Running, since, now time.Time) bool {
	age := now.Sub(since)
	if age < handlerNamed {
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
	return age >= handlerGivenUp || !w.Deadline.IsZero() && now.After(w.Deadline)
}
