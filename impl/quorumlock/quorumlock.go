// Package quorumlock models the smallest lock over a quorum of servers, some of which lie. Each client asks once. Each
// honest server grants one client, and never frees the lock. A liar sends each client at most one answer, at any time.
// The lock is the one-shot core of impl/backoff, without clocks.
package quorumlock

import (
	"fmt"
	"maps"
	"slices"

	"contend/model"
)

// Config is shared by the clients and servers of one system.
type Config struct {
	Honest []model.NodeID // the servers that tell the truth
	Liars  int            // the number of servers that lie
	Quorum int            // the number of answers that a client waits for
	B      int            // the number of LOCKED answers that a client tolerates
	Grants int            // the number of clients that an honest server grants: one
}

// A Try asks for the lock.
type Try struct{}

// A Status is an answer to a try.
type Status int

// The answers. The zero Status is none.
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

// A Phase is the progress of a client.
type Phase int

// A client is Idle before it starts. Failed and Succeeded are final.
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

// Acquire is the operation that an application invokes.
type Acquire struct{}

// The alarms of a client that represent its liars.
type (
	lie  struct{ Liar int } // the liar, from 1, has not sent its answer yet
	take struct {           // the liar's answer is in flight
		Liar   int
		Status Status
	}
)

// Types are the types of messages, keys, labels and operations.
var Types = []any{Try{}, Free, Idle, Acquire{}, lie{}, take{}}

// A Client tries once. It accepts no answer before it starts.
//
// Two alarms of the client represent the answer of a liar. The alarm lie is set until the liar sends its answer. The
// alarm take is set while the answer is in flight. A message of the model would not do, because the liar may send it
// before the client starts. A message in flight may be delivered at any time, but this answer must wait for the start.
// If the client stored the message, one lie would have two states: the message in flight, and the message stored. So an
// early answer goes to Early at once, where it is in flight until the start. After the start it is an alarm.
type Client struct {
	cfg     *Config
	Phase   Phase
	Answers int            // the number of answers, while the client waits
	Locked  int            // the number of LOCKED answers
	Early   map[int]Status // by liar: the answer in flight before the start
}

// Start sets an alarm for each liar.
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

// Timeout sends the answer of a liar, or delivers it.
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

// Receive handles an honest server's answer.
func (c *Client) Receive(env model.Env, _ model.NodeID, m any) { c.count(env, m.(Status)) }

// count counts an answer while the client waits. The client fails after more than b LOCKED answers, and otherwise
// succeeds after a quorum of answers.
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

// A Server is honest. It grants one client forever.
type Server struct {
	cfg     *Config
	Granted []model.NodeID // the client that the server has granted, if any
}

// Receive grants or refuses a try.
func (s *Server) Receive(env model.Env, c model.NodeID, _ any) {
	if len(s.Granted) >= s.cfg.Grants {
		env.Send(c, Locked)
		return
	}
	s.Granted = append(s.Granted, c)
	env.Send(c, Free)
}
