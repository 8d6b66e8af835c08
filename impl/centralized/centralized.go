package centralized

import (
	"contend/impl/mutex"
	"contend/model"
)

// Config is what the nodes of one system share.
type Config struct {
	Coordinator model.NodeID
	Clients     []model.NodeID
	// Silence is the number of ticks without an answer after which a client decides that
	// the coordinator has crashed, if it decides so at all.
	Silence model.Ticks
}

// The messages: a client asks, is let in, and leaves.
type (
	Request struct{}
	OK      struct{}
	Release struct{}
)

// Queued is what the coordinator notes when it queues the request of a process, for monitors.
type Queued struct{ Process model.NodeID }

// A Client wants to enter the critical section (CS).
type Client struct {
	cfg     *Config
	Waiting bool // for permission
}

// Invoke asks for the section, or leaves it.
func (c *Client) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		env.Send(c.cfg.Coordinator, Release{}) // "c) Send a Release to the coordinator to exit the CS"
		return
	}
	env.Send(c.cfg.Coordinator, Request{}) // "a) … a process sends a Request to coordinator
	c.Waiting = true                       // and waits for permission"
}

// Receive takes the OK.
func (c *Client) Receive(env model.Env, _ model.NodeID, _ any) {
	if !c.Waiting {
		return // for nothing: a channel delivered it twice
	}
	c.Waiting = false
	env.Return(nil)
}

// A Coordinator lets one process in at a time.
type Coordinator struct {
	cfg    *Config
	Inside model.Optional[model.NodeID] // whom it let in last, until that one's Release
	Queue  []model.NodeID               // those who wait, the oldest first
}

// Receive takes a request or a release.
func (c *Coordinator) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case Request:
		if !c.Inside.Known {
			c.grant(env, from) // "b) If no other process is in the CS, coordinator grants access (OK);
			return
		}
		c.Queue = append(c.Queue, from) // otherwise, it queues the request"
		env.Note(Queued{from})
	case Release:
		c.Inside = model.Optional[model.NodeID]{}
		if len(c.Queue) > 0 { // "(if any)"
			next := c.Queue[0] // "d) Coordinator removes the oldest process in the queue
			c.Queue = c.Queue[1:]
			c.grant(env, next) // and grants access to it (OK message)"
		}
	}
}

func (c *Coordinator) grant(env model.Env, to model.NodeID) {
	c.Inside = model.Some(to)
	env.Send(to, OK{})
}
