// Package quorumlock is the smallest lock from a quorum of servers of which some
// lie: each client asks once, each honest server grants once and never frees, and a
// liar sends each client at most one answer, at any time. It is the one-shot core of
// impl/backoff, without clocks.
package quorumlock

import (
	"fmt"
	"maps"
	"slices"

	"contend/model"
)

// Config is what clients and servers of one system share.
type Config struct {
	Honest []model.NodeID // the servers that tell the truth
	Liars  int            // how many more there are that do not
	Quorum int            // how many answers a client waits for
	B      int            // how many LOCKED answers a client tolerates
	Grants int            // how many clients an honest server grants: one
}

// A Try asks for the lock.
type Try struct{}

// A Status is an answer to a try.
type Status int

// The answers; the zero Status is none.
const (
	Free Status = iota + 1
	Locked
)

func (s Status) String() string {
	if s < 0 || s > Locked {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return [...]string{"none", "FREE", "LOCKED"}[s]
}

// A Phase is how far a client has come.
type Phase int

// A client is Idle before it starts; what it has decided stays.
const (
	Idle Phase = iota
	Waiting
	Failed
	Succeeded
)

func (p Phase) String() string {
	if p < 0 || p > Succeeded {
		return fmt.Sprintf("Phase(%d)", int(p))
	}
	return [...]string{"idle", "waiting", "failed", "succeeded"}[p]
}

// Acquire is the operation a client's application invokes.
type Acquire struct{}

// The alarms of a client that stand for its liars.
type (
	lie  struct{ Liar int } // the liar, from 1, has not sent its answer yet
	take struct {           // the liar's answer is in flight
		Liar   int
		Status Status
	}
)

// Types are those of messages, keys, labels and operations.
var Types = []any{Try{}, Free, Idle, Acquire{}, lie{}, take{}}

// A Client tries once. It takes no answer before it starts.
//
// What a liar sends it is not a message of the model but two alarms of the client:
// lie is armed until the liar sends, take while its answer is in flight. A delivery
// would not do. The liar may send before the client starts, and a message in flight
// can be delivered at any time, where this one has to wait for the start; a client
// that put it aside would be in one state with the message in flight and in another
// with the message put aside, and the two would be one and the same lie. So the
// answer that a liar sends early goes to Early at once, which is its being in flight
// until then, and from the start on it is an alarm.
type Client struct {
	cfg     *Config
	Phase   Phase
	Answers int            // of this try, while it waits
	Locked  int            // those of them that were LOCKED
	Early   map[int]Status // by liar: what is in flight before the start
}

// Start lets the liars lie.
func (c *Client) Start(env model.Env) {
	for liar := range c.cfg.Liars {
		env.After(lie{liar + 1}, model.Anytime())
	}
}

// Invoke starts the client.
func (c *Client) Invoke(env model.Env, _ any) {
	c.Phase = Waiting
	env.Broadcast(c.cfg.Honest, Try{})
	for _, liar := range slices.Sorted(maps.Keys(c.Early)) {
		env.After(take{liar, c.Early[liar]}, model.Anytime())
	}
	c.Early = nil
}

// Timeout is a liar's doing: it sends its answer, or the answer arrives.
func (c *Client) Timeout(env model.Env, key any) {
	switch k := key.(type) {
	case lie:
		answer := []Status{Free, Locked}[env.Choose(2)]
		if c.Phase == Idle {
			c.Early[k.Liar] = answer
			return
		}
		env.After(take{k.Liar, answer}, model.Anytime())
	case take:
		c.count(env, k.Status)
	}
}

// Receive takes an honest server's answer.
func (c *Client) Receive(env model.Env, _ model.NodeID, m any) { c.count(env, m.(Status)) }

// count counts an answer while the client waits: it fails on more than b LOCKED, and
// else succeeds on a quorum of answers.
func (c *Client) count(env model.Env, answer Status) {
	if c.Phase != Waiting {
		return
	}
	c.Answers++
	if answer == Locked {
		c.Locked++
	}
	switch {
	case c.Locked > c.cfg.B:
		c.decide(env, Failed)
	case c.Answers >= c.cfg.Quorum:
		c.decide(env, Succeeded)
	}
}

func (c *Client) decide(env model.Env, p Phase) {
	c.Phase, c.Answers, c.Locked = p, 0, 0
	env.Note(p)
}

// A Server is honest: it grants one client, for good.
type Server struct {
	cfg     *Config
	Granted []model.NodeID // the client it holds, if any
}

// Receive answers a try.
func (s *Server) Receive(env model.Env, c model.NodeID, _ any) {
	if len(s.Granted) >= s.cfg.Grants {
		env.Send(c, Locked)
		return
	}
	s.Granted = append(s.Granted, c)
	env.Send(c, Free)
}
