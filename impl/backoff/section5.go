package backoff

import (
	"maps"
	"slices"

	"contend/model"
)

// A habit is what one of the options of §5 changes in the way a client goes about a
// try. Habits keep no state of their own but alarms and holds, so that a client may have
// several. Each function may be nil.
type habit struct {
	// ignores reports whether the client does nothing when its application invokes an operation.
	ignores func(op any) bool
	// asks is called as the client asks the servers.
	asks func(c *Client, env model.Env)
	// says is what it sends them in place of a try.
	says func(c *Client, env model.Env, t Try) any
	// hears is called with every answer to the try that runs, and reports whether the
	// client regards it.
	hears func(c *Client, env model.Env, u model.NodeID) bool
	// late is called when the alarm [late] fires: the try has taken longer than it may.
	late func(c *EditedClient, env model.Env)
	// after is called when a handler has run.
	after func(c *Client, env model.Env)
}

// improvedTypes are those of messages and keys that the options of §5 add.
var improvedTypes = []any{Request{}, late{}, lapse{}, round{}, fresh{}, wanting{}, Leave{}}

// late is the alarm that ends a try.
type late struct{}

// An improvedClient is a client of Figure 1a with habits.
type improvedClient struct {
	EditedClient
	habits []habit
}

// improved returns a client as one that may have habits.
func improved(n model.Node) *improvedClient {
	switch n := n.(type) {
	case *improvedClient:
		return n
	case *TruncatedClient:
		return &improvedClient{n.EditedClient, []habit{truncating(n.last)}}
	case *EditedClient:
		return &improvedClient{EditedClient: *n}
	case *Client:
		return &improvedClient{EditedClient: EditedClient{Client: *n}}
	}
	model.Misused("an option of §5 is combined with one that has its own clients, %T", n)
	return nil
}

// taught lets the clients that are chosen have a habit.
func taught(h func(x *Setup, id model.NodeID) habit) func(*model.System) {
	return editNodes(model.Client, func(s *model.System, id model.NodeID, n model.Node) model.Node {
		c := improved(n)
		c.habits = append(slices.Clone(c.habits), h(setup(s), id))
		return c
	})
}

// editNodes makes something of each node of a role, as it was made so far.
func editNodes(role model.Role, f func(s *model.System, id model.NodeID, n model.Node) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			if n := &s.Nodes[i]; n.Role == role && !n.Byzantine {
				make := n.New
				n.New = func() model.Node { return f(s, model.NodeID(i), make()) }
			}
		}
	}
}

// asking is the Env of a client while it asks.
type asking struct {
	model.Env
	c *improvedClient
}

// Broadcast asks the servers as the habits have it.
func (a asking) Broadcast(servers []model.NodeID, m any) {
	for _, h := range a.c.habits {
		if h.asks != nil {
			h.asks(&a.c.Client, a.Env)
		}
		if h.says != nil {
			m = h.says(&a.c.Client, a.Env, m.(Try))
		}
	}
	a.Env.Broadcast(servers, m)
}

// Invoke starts a contend.
func (c *improvedClient) Invoke(env model.Env, op any) {
	for _, h := range c.habits {
		if h.ignores != nil && h.ignores(op) {
			return
		}
	}
	c.EditedClient.Invoke(asking{env, c}, op)
	c.after(env)
}

// Timeout ends a sleep or, where a habit says so, a try.
func (c *improvedClient) Timeout(env model.Env, key any) {
	if key == (late{}) {
		for _, h := range c.habits {
			if h.late != nil {
				h.late(&c.EditedClient, env)
			}
		}
	} else {
		c.EditedClient.Timeout(asking{env, c}, key)
	}
	c.after(env)
}

// Receive takes a server's answer, unless a habit disregards it.
func (c *improvedClient) Receive(env model.Env, u model.NodeID, m any) {
	a := m.(Answer)
	if !c.Waiting || a.Try != c.Try {
		return
	}
	for _, h := range c.habits {
		if h.hears != nil && !h.hears(&c.Client, env, u) {
			return
		}
	}
	c.count(env, u, a.Status)
	c.after(env)
}

func (c *improvedClient) after(env model.Env) {
	for _, h := range c.habits {
		if h.after != nil {
			h.after(&c.Client, env)
		}
	}
}

// A Request is a try that says for how long its client wants the section, in ticks.
type Request struct {
	Try  Try
	Want model.Ticks
}

// request reads a try. One that says nothing wants the section for Δ.
func (x *Setup) request(m any) Request {
	if r, ok := m.(Request); ok {
		return r
	}
	return Request{m.(Try), x.Section}
}

// lease is how long a grant of a request locks a server: the Δ wanted, and 2δ.
func (x *Setup) lease(r Request) model.Bound {
	return model.Bound{At: x.Lease.At + r.Want - x.Section, Open: x.Lease.Open}
}

// wanted is the Δ of a client, in ticks.
func (x *Setup) wanted(id model.NodeID) model.Ticks {
	if d, ok := x.Wanted[id]; ok {
		return d
	}
	return x.Section
}

// grant locks a server for as long as the request wants, and says so.
func (x *Setup) grant(env model.Env, c model.NodeID, r Request) {
	env.Hold(lease{}, x.lease(r))
	env.Note(Granted{c, r.Try})
	env.Send(c, Answer{r.Try, Free})
}

// Enqueuing client requests: "each server maintains an internal data structure, called
// delayed reply list, where it records IDs of the clients whose try requests arrive while
// the server is locked. As soon as the server's status becomes FREE, it goes through the
// records in the delayed reply list and sends FREE to the client with the lowest ID and
// LOCKED to everyone else." (§5)
type queueServer struct {
	Server
	setup   *Setup
	Delayed map[model.NodeID]Request
}

// lapse is the alarm that says that the server's status has become FREE.
type lapse struct{}

// Receive answers a try, or puts it on the list. A client has one record: its latest try.
// Where names are used again, no two tries of a contend are on their way at a time, and the
// latest is the one that comes.
func (s *queueServer) Receive(env model.Env, c model.NodeID, m any) {
	r := s.setup.request(m)
	if s.Delayed == nil {
		s.Delayed = map[model.NodeID]Request{}
	}
	if old, recorded := s.Delayed[c]; !recorded || later(r.Try, old.Try) || s.setup.Cyclic && r.Try.Contend == old.Try.Contend {
		s.Delayed[c] = r
	}
	if !env.Held(lease{}) {
		s.reply(env)
	}
}

// Timeout replies to those on the list. The test of Figure 1b is strict, so there is no
// first instant at which the server is FREE; the alarm is the instant after, within a tick.
func (s *queueServer) Timeout(env model.Env, _ any) {
	env.Hold(lease{}, model.Below(0)) // it is over, also where the grid closes bounds
	s.reply(env)
}

func (s *queueServer) reply(env model.Env) {
	for i, c := range slices.SortedFunc(maps.Keys(s.Delayed), s.setup.lower) {
		r := s.Delayed[c]
		if i > 0 {
			env.Send(c, Answer{r.Try, Locked})
			continue
		}
		s.setup.grant(env, c, r)
		most := s.setup.lease(r)
		env.After(lapse{}, model.Window{Lo: model.Bound{At: most.At, Open: !most.Open}, Hi: model.Through(most.At + 1)})
	}
	s.Delayed = nil
}
