// Package starter is a lock server. Clients request the lock. The server grants it to one client at a time, and
// queues the others.
package starter

import (
	"fmt"

	"contend/model"
)

// Config is shared by the nodes of one system. Variants edit it.
type Config struct {
	Server model.NodeID
	Grants int // how many clients may hold the lock at a time: 1
}

// The messages.
type (
	Request  struct{} // a client wants the lock
	Granted  struct{} // it has it
	Released struct{} // it gives it back
)

// Acquire and Release are what the application invokes.
type (
	Acquire struct{}
	Release struct{}
)

// A Client forwards the requests of its application. It has no state.
type Client struct{ cfg *Config }

// Invoke asks for the lock, or gives it back.
func (c *Client) Invoke(env model.Env, op any) {
	switch op.(type) {
	case Acquire:
		env.Send(c.cfg.Server, Request{})
	case Release:
		env.Send(c.cfg.Server, Released{})
	}
}

// Receive takes the lock.
func (c *Client) Receive(env model.Env, _ model.NodeID, _ any) { env.Return(nil) }

// A Server keeps the lock. Its exported fields are its state.
type Server struct {
	cfg     *Config
	Held    int            // how many clients hold the lock
	Waiting []model.NodeID // the others that want it, first come, first served
}

// Receive takes a request, or the lock.
func (s *Server) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case Request:
		s.Waiting = append(s.Waiting, from)
	case Released:
		s.Held--
	}
	for s.Held < s.cfg.Grants && len(s.Waiting) > 0 {
		env.Send(s.Waiting[0], Granted{})
		s.Held, s.Waiting = s.Held+1, s.Waiting[1:]
	}
}

// Stay is a parameter of the protocol's own: from this follow the flag --stay, its help,
// and the key "stay" in rows and traces. A configuration sets it with Stay.Is(5).
var Stay = model.Param[model.Ticks]{
	Name: "stay", Meaning: "how long a client keeps the lock at most", Least: 0, Most: 1000, Default: 1,
}

// Protocol is the protocol, for a suite.
var Protocol = &model.Protocol{
	Name:   "starter",
	Title:  "a lock server",
	Source: "folklore",
	Params: []model.Parameter{model.Clients, model.Ops.WithDefault(2), model.Delay, Stay},
	Build:  build,
	Claims: []model.Claim{
		{
			Name: "mutual exclusion", Kind: model.Always, Source: "folklore",
			Assumes: []model.Assumption{model.AtMostOnce, model.NoMemoryLoss},
			Monitor: func(*model.System) model.Monitor { return &exclusion{} },
		},
		{
			Name: "every request is granted", Kind: model.Eventually, Source: "folklore",
			Assumes: []model.Assumption{model.NoLoss, model.NoCrash, model.NoMemoryLoss},
			Done:    true,
		},
	},
	Variants: []model.Variant{
		{
			Name: "grants-twice", Title: "two clients may hold the lock",
			Breaks: "mutual exclusion", Show: model.Check{Config: model.Config{}.With(model.Ops.Is(1))},
			Edit: func(s *model.System) { s.Setup.(*Config).Grants = 2 },
		},
	},
	Checks: []model.Check{
		{},
		{Config: model.Config{}.With(model.Clients.Is(3), model.Ops.Is(1))},
	},
}

// build returns the server and its clients. Their applications acquire the lock, hold it for up to Stay, and
// release it.
func build(c model.Config) (*model.System, error) {
	cfg := &Config{Server: 0, Grants: 1}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, Granted{}, Released{}, Acquire{}, Release{}},
		Setup:   cfg,
		Nodes: []model.NodeSpec{{
			Name: "server", Role: model.Server,
			New: func() model.Node { return &Server{cfg: cfg} },
		}},
	}
	script := make([]model.Op, model.Ops.Of(c))
	for k := range script {
		script[k] = model.Op{Call: Acquire{}, After: model.Anytime(), Release: Release{}, Stay: model.By(Stay.Of(c))}
	}
	for i := range model.Clients.Of(c) {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("c%d", i+1), Role: model.Client, Script: script,
			New: func() model.Node { return &Client{cfg: cfg} },
		})
	}
	return s, nil
}

// exclusion is the monitor of "at most one client holds the lock".
type exclusion struct {
	Inside map[model.NodeID]bool
}

// Observe looks at who enters and who leaves.
func (e *exclusion) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Returned:
		w.Witness()
		if len(e.Inside) > 0 {
			w.Violate("it gets the lock while another client holds it")
		}
		e.Inside[o.Node] = true
	case model.Released, model.Crashed:
		delete(e.Inside, o.Node)
	}
}
