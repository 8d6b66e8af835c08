package backoff

import (
	"maps"
	"slices"

	"contend/model"
)

// A habit is the change of a client's try by one option of §5. Habits have no state except alarms and holds, so a
// client may have several habits. Each function may be nil. A client calls them in its handlers. They may use env like
// a handler.
type habit struct {
	// ignores is called before an operation begins. It reports whether the client ignores the operation.
	ignores func(op any) bool
	// asks is called before the client asks the servers.
	asks func(c *Client, env model.Env)
	// says is called with each try before it is sent. It returns the message that is sent instead.
	says func(c *Client, env model.Env, t Try) any
	// hears is called with every answer to the current try. It reports whether the client counts the answer.
	hears func(c *Client, env model.Env, u model.NodeID) bool
	// late is called at the alarm [late]: the try has exceeded its time.
	late func(c *EditedClient, env model.Env)
	// after is called at the end of each handler.
	after func(c *Client, env model.Env)
}

// improvedTypes are the types of messages and keys that the options of §5 add.
var improvedTypes = []any{Request{}, late{}, lapse{}, round{}, fresh{}, wanting{}, Leave{}}

// late is the alarm that ends a try.
type late struct{}

// An improvedClient is a client of Figure 1a with habits.
type improvedClient struct {
	EditedClient
	habits []habit
}

// improved returns a client that may have habits, made from any client.
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

// taught returns an edit that gives each client the habit that h returns. The checker calls h for each new client.
func taught(h func(x *Setup, id model.NodeID) habit) func(*model.System) {
	return editNodes(model.Client, func(s *model.System, id model.NodeID, n model.Node) model.Node {
		c := improved(n)
		c.habits = append(slices.Clone(c.habits), h(setup(s), id))
		return c
	})
}

// editNodes returns an edit that replaces each honest node of a role by f's result. The checker calls f with each new
// node.
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

// asking is the environment of a client while it asks.
type asking struct {
	model.Env
	c *improvedClient
}

// Broadcast calls the habits, and sends the message of the last.
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

// Timeout ends a sleep, or a try if a habit has set its alarm.
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

// Receive counts a server's answer, unless a habit ignores it.
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

// A Request is a try with the time for which its client wants the section, in ticks.
type Request struct {
	Try  Try
	Want model.Ticks
}

// request returns the request of a try. A plain try wants the section for Δ.
func (x *Setup) request(m any) Request {
	if r, ok := m.(Request); ok {
		return r
	}
	return Request{m.(Try), x.Section}
}

// lease returns the time for which a request locks a server: its Δ, and 2δ.
func (x *Setup) lease(r Request) model.Bound {
	return model.Bound{At: x.Lease.At + r.Want - x.Section, Open: x.Lease.Open}
}

// wanted returns the Δ of a client, in ticks.
func (x *Setup) wanted(id model.NodeID) model.Ticks {
	if d, ok := x.Wanted[id]; ok {
		return d
	}
	return x.Section
}

// grant locks the server for the time of the request, and sends FREE.
func (x *Setup) grant(env model.Env, c model.NodeID, r Request) {
	env.Hold(lease{}, x.lease(r))
	env.Note(Granted{c, r.Try})
	env.Send(c, Answer{r.Try, Free})
}

// A queueServer enqueues client requests: "each server maintains an internal data structure, called delayed reply list,
// where it records IDs of the clients whose try requests arrive while the server is locked. As soon as the server's
// status becomes FREE, it goes through the records in the delayed reply list and sends FREE to the client with the
// lowest ID and LOCKED to everyone else." (§5)
type queueServer struct {
	Server
	setup   *Setup
	Delayed map[model.NodeID]Request
}

// lapse is the alarm at which the server's status becomes FREE.
type lapse struct{}

// Receive answers a try, or records it in the list. A client has one record, its latest try. If names are reused, two
// tries of a contend are never in flight at the same time. So the try that arrives is the latest.
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

// Timeout replies to the clients of the list. The test of Figure 1b is strict, so the server has no first instant in
// status FREE. The alarm is the instant after, within a tick.
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
