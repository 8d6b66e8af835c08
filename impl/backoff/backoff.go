package backoff

import (
	"fmt"

	"contend/model"
	"contend/model/quorum"
)

// Config is shared by the clients and servers of one system.
type Config struct {
	Servers []model.NodeID   // U
	Quorums quorum.Threshold // 𝒬
	B       int              // the number of LOCKED answers that a client tolerates: b
	Lease   model.Bound      // the time for which a grant locks a server: through Δ+2δ
	Unit    model.Ticks      // Δ+4δ
	Last    int              // the s after which sleeps stop growing, in the option truncated
}

// A Try names one round of questions: the number of the client's contend operation, from 1, and its retry value s.
// Answers repeat the Try, so that an invocation of try gets its own answer. (Channels are at-most-once, §3.)
type Try struct{ Contend, Retry int }

// A Status is a server's answer.
type Status int

// The answers of Figure 1b. The zero Status is none.
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

// An Answer is a server's reply to a try.
type Answer struct {
	Try    Try
	Status Status
}

// Granted is noted by a server when it answers FREE.
type Granted struct {
	To  model.NodeID
	Try Try
}

// Contend is the operation that an application invokes.
type Contend struct{}

type (
	sleep struct{} // the alarm that ends a backoff
	lease struct{} // the hold that keeps a server locked
)

// Types are the types of messages, keys and labels.
var Types = []any{Try{}, Answer{}, Granted{}, Contend{}, sleep{}, lease{}}

// Client returns a new client, for use by itself or within another node.
func (c *Config) Client() *Client { return &Client{cfg: c} }

// Server returns a new server, for use by itself or within another node.
func (c *Config) Server() *Server { return &Server{cfg: c} }

// A Client contends for the critical section. (Figure 1a)
type Client struct {
	cfg     *Config
	Try     Try                     // the current try; answers must repeat it
	Answers map[model.NodeID]Status // Q₁ and status_u of this try
	Waiting bool                    // the quorum of this try is not complete
}

// Invoke starts a contend.
func (c *Client) Invoke(env model.Env, _ any) {
	c.Try = Try{Contend: c.Try.Contend + 1} // "s ← 0"
	c.try(env)
}

// Timeout ends the sleep of a backoff.
func (c *Client) Timeout(env model.Env, _ any) { c.try(env) } // "until (false)"

func (c *Client) try(env model.Env) {
	c.Answers, c.Waiting = map[model.NodeID]Status{}, true // "Q₁ ← ∅"
	env.Broadcast(c.cfg.Servers, c.Try)                    // "‖u ∈ U [ status_u ← u.try()"
}

// Receive handles a server's answer.
func (c *Client) Receive(env model.Env, u model.NodeID, m any) {
	if a := m.(Answer); a.Try == c.Try {
		c.count(env, u, a.Status)
	}
}

func (c *Client) count(env model.Env, u model.NodeID, status Status) {
	if _, answered := c.Answers[u]; answered || !c.Waiting {
		return
	}
	c.Answers[u] = status                        // "Q₁ ← {u} ∪ Q₁"
	if c.cfg.Quorums.Contained(len(c.Answers)) { // "until (∃Q ∈ 𝒬 : Q ⊆ Q₁)"
		c.conclude(env)
	}
}

func (c *Client) conclude(env model.Env) {
	locked := 0
	for _, status := range c.Answers {
		if status == Locked {
			locked++
		}
	}
	if locked <= c.cfg.B { // "if (|{u : status_u = locked}| ≤ b)"
		c.Answers, c.Waiting = nil, false
		env.Return(c.Try)
		c.Try.Retry = 0 // s ends with its contend
		return
	}
	c.backOff(env)
}

func (c *Client) backOff(env model.Env) {
	c.Answers, c.Waiting = nil, false
	c.Try.Retry++                                                                           // "s ← s + 1"
	env.After(sleep{}, model.Uniform(c.cfg.Unit, c.cfg.Unit<<min(c.Try.Retry, c.cfg.Last))) // "d ←R [(Δ+4δ) … 2ˢ(Δ+4δ)]; sleep(d)"
}

// A Server grants the section to one try at a time. (Figure 1b) Its only state is lastGranted, represented by the hold.
// At the start, lastGranted is so long ago that the server is free.
type Server struct{ cfg *Config }

// Receive grants or refuses a try.
func (s *Server) Receive(env model.Env, c model.NodeID, m any) {
	t := m.(Try)
	if env.Held(lease{}) { // "if (clock() − lastGranted > Δ+2δ)", denied
		env.Send(c, Answer{t, Locked}) // "return LOCKED"
		return
	}
	env.Hold(lease{}, s.cfg.Lease) // "lastGranted ← clock()"
	env.Note(Granted{c, t})
	env.Send(c, Answer{t, Free}) // "return FREE"
}
