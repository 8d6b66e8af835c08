package centralized

import "contend/model"

var options = []model.Variant{
	{
		Name: "deny", Title: "problems: permission is denied explicitly, and the request is queued",
		Edit: deny, Show: two,
	},
	{
		Name: "deny-and-retry", Title: "problems: permission is denied explicitly, and the client asks again",
		Edit: denyAndRetry, Show: model.Check{Config: sized(2, 2)},
		Unclaimed: []string{"bounded overtaking", "happened-before order"},
		Waives:    map[string][]model.Assumption{"completeness": {model.NoCrash}},
	},
	{
		Name: "stable", Title: "the coordinator has stable storage and recognises duplicates",
		Edit: number, Show: again,
		Waives: map[string][]model.Assumption{
			"mutual exclusion": {model.NoMemoryLoss}, "lock": {model.NoMemoryLoss},
			"bounded overtaking": {model.NoMemoryLoss}, "a recovery is survived": {model.NoMemoryLoss},
		},
	},
	{
		Name: "no-other-fifo", Title: `"no other process" does not count the process that asks; channels are FIFO`,
		Edit: func(s *model.System) { s.Network.Channel = model.FIFO; other(s) }, Show: again,
	},
	{
		Name: "announces", Title: "the coordinator tells all clients whom it lets in",
		Edit: announce(func(to, self model.NodeID) bool { return to == self }), Show: two,
	},
	{
		Name: "checks-holder", Title: "the coordinator ignores a Release of a client that it has not let in",
		Edit: checkHolder, Show: again,
	},
	{
		Name: "marks-after-sending", Title: "the coordinator sends the OK before it marks the section as in use",
		Edit: func(s *model.System) {
			coordinate(s, func(c Coordinator) model.Node { return &lateCoordinator{c} })
		}, Show: again,
	},
	{
		Name: "any-of-queue", Title: "the coordinator serves any process of its queue",
		Edit: tune(func(c *Config) { c.Next = func(env model.Env, length int) int { return env.Choose(length) } }), Show: again,
		Unclaimed: []string{"bounded overtaking", "happened-before order"},
	},
}

// again is a check in which clients ask again.
var again = model.Check{Config: sized(3, 2)}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

func tune(f func(*Config)) func(*model.System) { return func(s *model.System) { f(setup(s)) } }

// clients replaces the clients.
func clients(s *model.System, f func(Client) model.Node) {
	for _, id := range setup(s).Clients {
		s.Nodes[id].New = func() model.Node { return f(Client{cfg: setup(s)}) }
	}
}

// coordinate replaces the coordinator.
func coordinate(s *model.System, f func(Coordinator) model.Node) {
	s.Nodes[coordinator].New = func() model.Node { return f(Coordinator{cfg: setup(s)}) }
}

// other reads "no other process is in the CS" literally: the process that asks is not in it.
func other(s *model.System) {
	setup(s).InUse = func(inside model.Optional[model.NodeID], asks model.NodeID) bool {
		return inside.Known && inside.Value != asks
	}
}

// Granted is the OK of a coordinator that tells everybody whom it lets in.
type Granted struct{ To model.NodeID }

// announce makes the coordinator tell everybody, and a client enters when the OK is meant for it.
func announce(meant func(to, self model.NodeID) bool) func(*model.System) {
	return func(s *model.System) {
		s.Types = append(s.Types, Granted{})
		setup(s).Grant = func(env model.Env, to model.NodeID) { env.Broadcast(setup(s).Clients, Granted{to}) }
		clients(s, func(c Client) model.Node { return &choosyClient{c, meant} })
	}
}

type choosyClient struct {
	Client
	meant func(to, self model.NodeID) bool
}

// Receive takes an OK that is meant for this client.
func (c *choosyClient) Receive(env model.Env, from model.NodeID, m any) {
	if c.meant(m.(Granted).To, env.Self()) {
		c.Client.Receive(env, from, m)
	}
}

func checkHolder(s *model.System) {
	coordinate(s, func(c Coordinator) model.Node { return &checkingCoordinator{c} })
}

type checkingCoordinator struct{ Coordinator }

// Receive ignores a Release of a client that is not inside.
func (c *checkingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if _, leaves := m.(Release); !leaves || c.Inside == model.Some(from) {
		c.Coordinator.Receive(env, from, m)
	}
}

type lateCoordinator struct{ Coordinator }

// Receive sends the OK first. A handler runs to its end, so nothing can come between.
func (c *lateCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Request); asks && !c.cfg.InUse(c.Inside, from) {
		c.cfg.Grant(env, from)
		c.Inside = model.Some(from)
		return
	}
	c.Coordinator.Receive(env, from, m)
}
