package sigma

import (
	"contend/impl/mutex"
	"contend/model"
)

// Figure 1 bounds neither the CHECKs of a server nor the rounds of a client. A search needs a bound. So the nodes count
// them if a bound is set, and a cut ends runs that exceed it.

// A CountingServer counts its CHECKs.
type CountingServer struct {
	Server
	counts bool

	Checks int
}

// Timeout counts a CHECK if the server sends one.
func (s *CountingServer) Timeout(env model.Env, period any) {
	if s.counts && s.Owner.T != 0 {
		s.Checks++
	}
	s.Server.Timeout(env, period)
}

// A CountingClient counts the rounds of one request.
type CountingClient struct {
	Client
	counts bool

	Rounds int
}

// Invoke resets the count.
func (c *CountingClient) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); !leaving {
		c.Rounds = 0
	}
	c.Client.Invoke(env, op)
}

// Receive counts lines 14 to 18. The client notes Asks at the end of line 18.
func (c *CountingClient) Receive(env model.Env, j model.NodeID, m any) {
	c.Client.Receive(asking{env, c}, j, m)
}

type asking struct {
	model.Env
	c *CountingClient
}

func (e asking) Note(v any) {
	if _, asks := v.(Asks); asks && e.c.counts {
		e.c.Rounds++
	}
	e.Env.Note(v)
}

// newClient and newServer return the nodes of a system.
func newClient(s *model.System) CountingClient {
	return CountingClient{Client: Client{cfg: setup(s)}, counts: Rounds.Of(s.Config) > 0}
}

func newServer(s *model.System) CountingServer {
	return CountingServer{Server: Server{cfg: setup(s)}, counts: Periodic.Of(s.Config) == 0}
}

// bounds declares the cuts for CHECKs and rounds. Without a bound, the number of CHECKs in flight has no bound. Then
// channels merge equal messages in flight.
func bounds(s *model.System, cfg *Config) {
	if Periodic.Of(s.Config) == 1 {
		cfg.Periodically, s.Network.Channel = true, model.Set
	} else {
		most := Checks.Of(s.Config)
		cfg.Periodically = most > 0
		s.Cuts = append(s.Cuts, model.Cut{Name: "checks", Beyond: func(n model.Node) bool {
			s, is := n.(interface{ checks() int })
			return is && s.checks() > most
		}})
	}
	if most := Rounds.Of(s.Config); most > 0 {
		s.Cuts = append(s.Cuts, model.Cut{Name: "rounds", Beyond: func(n model.Node) bool {
			c, is := n.(interface{ rounds() int })
			return is && c.rounds() > most
		}})
	}
}

func (s *CountingServer) checks() int { return s.Checks }
func (c *CountingClient) rounds() int { return c.Rounds }

func (c *Client) client() *Client { return c }
func (s *Server) server() *Server { return s }
