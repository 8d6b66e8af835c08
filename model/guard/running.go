package guard

import "sync/atomic"

// A Cell shows which call runs, if one does. One goroutine at a time makes calls with it, any may
// look. A nil Cell shows nothing.
type Cell struct{ now atomic.Pointer[Running] }

// Running is a call that runs. Each call has its own.
type Running struct{ Who Described }

// Described names a call: which handler of which node, on what, in which state. It is asked from
// another goroutine while the call runs.
type Described interface{ Describe() string }

// Now is the call that runs, or nil. One that left its goroutine by runtime.Goexit is shown for
// good.
func (c *Cell) Now() *Running {
	if c == nil {
		return nil
	}
	return c.now.Load()
}

func (c *Cell) set(r *Running) {
	if c != nil {
		c.now.Store(r)
	}
}
