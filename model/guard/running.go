package guard

import "sync/atomic"

// A Cell shows which call runs, if one does. One goroutine at a time makes calls with it, any may
// look. A nil Cell shows nothing.
type Cell struct {
	now   atomic.Pointer[Running]
	calls atomic.Uint64
}

// Running is a call that runs. When the call is over, the next one may use it again.
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

// Calls is how many calls were made, the one that runs included: it tells a call from the next one.
func (c *Cell) Calls() uint64 { return c.calls.Load() }

func (c *Cell) set(r *Running) {
	if c != nil {
		if r != nil {
			c.calls.Add(1)
		}
		c.now.Store(r)
	}
}
