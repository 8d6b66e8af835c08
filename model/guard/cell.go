package guard

import "sync/atomic"

// A Cell shows the running call, if any. One goroutine at a time may make calls with it, and any goroutine may
// read it. A nil Cell shows nothing.
type Cell struct {
	now   atomic.Pointer[Running]
	calls atomic.Uint64
}

// A Running is a running call. It may be reused after the call.
type Running struct{ Who Described }

// A Described describes a call: the handler, the node, the argument and the state. Another goroutine may call
// Describe while the call runs.
type Described interface{ Describe() string }

// Now returns the running call, or nil. A call that ended its goroutine by runtime.Goexit is shown forever.
func (c *Cell) Now() *Running {
	if c == nil {
		return nil
	}
	return c.now.Load()
}

// Calls returns the number of calls, including the running one. It distinguishes a call from the next.
func (c *Cell) Calls() uint64 { return c.calls.Load() }

func (c *Cell) set(r *Running) {
	if c != nil {
		if r != nil {
			c.calls.Add(1)
		}
		c.now.Store(r)
	}
}
