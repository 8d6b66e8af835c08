package ordering

import "contend/model"

// An editedServer is a server with another way to take a message.
type editedServer struct {
	Server
	take func(s *Server, env model.Env, c model.NodeID, m any)
}

// Receive takes a message the other way.
func (s *editedServer) Receive(env model.Env, c model.NodeID, m any) { s.take(&s.Server, env, c, m) }

// taking replaces servers by edited ones.
func taking(take func(s *Server, env model.Env, c model.NodeID, m any)) func(*model.System) {
	return edit(model.Server, func(n model.Node) model.Node {
		if s, ok := n.(*Server); ok {
			return &editedServer{*s, take}
		}
		return n
	})
}

// An editedClient is a client to which something is done around each event.
type editedClient struct {
	Client
	around func(c *Client, env model.Env, event any, handle func())
}

// Invoke, Timeout and Receive are the client's own, with something around them. The
// event is the call, the alarm's key or the message.
func (c *editedClient) Invoke(env model.Env, call any) {
	c.around(&c.Client, env, call, func() { c.Client.Invoke(env, call) })
}

// Timeout see Invoke.
func (c *editedClient) Timeout(env model.Env, key any) {
	c.around(&c.Client, env, key, func() { c.Client.Timeout(env, key) })
}

// Receive see Invoke.
func (c *editedClient) Receive(env model.Env, u model.NodeID, m any) {
	c.around(&c.Client, env, m, func() { c.Client.Receive(env, u, m) })
}

// around replaces clients by edited ones.
func around(do func(c *Client, env model.Env, event any, handle func())) func(*model.System) {
	return edit(model.Client, func(n model.Node) model.Node { return &editedClient{*n.(*Client), do} })
}

// edit replaces the nodes of a role.
func edit(r model.Role, f func(model.Node) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			if n := &s.Nodes[i]; n.Role == r {
				make := n.New
				n.New = func() model.Node { return f(make()) }
			}
		}
	}
}

// tune edits what clients and servers share.
func tune(f func(*Config)) func(*model.System) {
	return func(s *model.System) { f(setup(s)) }
}

// all makes edits one after another. Those of contend come last: they hold the nodes
// that the others made.
func all(edits ...func(*model.System)) func(*model.System) {
	return func(s *model.System) {
		for _, e := range edits {
			e(s)
		}
	}
}
