// Package driven drives kvd, as a process that is killed, by the runs of a page.
package driven

import (
	"cmp"

	"contend/model"
)

// Page is a store of two keys that a client uses: what is answered is kept, also after a crash.
var Page = &model.Protocol{
	Name: "store", Title: "a key–value store that keeps what it has answered", Source: "a page",
	Params: []model.Parameter{Calls},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{
			Config: c, Faults: c.Faults, Types: []any{Request{}, Answer("")},
			Network: model.Network{Channel: model.FIFO, Once: true, Delay: model.Anytime()},
			Nodes: []model.NodeSpec{
				{Name: "server", Role: model.Server, New: func() model.Node { return &Server{} }},
				{Name: "client", Role: model.Client, New: func() model.Node { return &client{Left: Calls.Of(c)} }},
			},
		}, nil
	},
}

// Calls is the number of calls of the client.
var Calls = model.Param[int]{Name: "calls", Meaning: "calls of the client", Least: 1, Most: 50, Default: 4}

// A Request is a call of the client.
type Request struct{ Method, Key, Value string }

// An Answer is the result of a call: the value of a key, "none" if it has no value, or "ok" after a change.
type Answer string

// requests are the calls among which the client chooses.
var requests = []Request{
	{"PUT", "x", "1"}, {"PUT", "y", "2"}, {"DELETE", "x", ""}, {"GET", "x", ""},
}

// A Server has the values of the keys; "" is no value.
type Server struct {
	X, Y string `contend:"stable"`
}

// Receive handles a call.
func (s *Server) Receive(env model.Env, client model.NodeID, m any) {
	r, at := m.(Request), &s.X
	if r.Key == "y" {
		at = &s.Y
	}
	if r.Method == "GET" {
		env.Send(client, Answer(cmp.Or(*at, "none")))
		return
	}
	*at = r.Value
	env.Send(client, Answer("ok"))
}

// client makes its calls one after the other. A call that meets a crash has no answer, and ends the run.
type client struct{ Left int }

func (c *client) Start(env model.Env) { env.After("call", model.Anytime()) }

func (c *client) Timeout(env model.Env, _ any) {
	c.Left--
	env.Send(0, requests[env.Choose(len(requests))])
}

func (c *client) Receive(env model.Env, _ model.NodeID, _ any) {
	if c.Left > 0 {
		env.After("call", model.Anytime())
	}
}
