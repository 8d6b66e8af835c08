package backoff

import (
	"cmp"
	"maps"
	"slices"

	"contend/model"
)

// improvements are the options of §5. Each has its plain reading and, if that reading fails, a correction: see
// docs/proofs/section5.md.
var improvements = []model.Variant{
	{
		Name: "enqueue", Title: "§5: a server answers the tries that arrived while it was locked once it is free, one of them with FREE",
		Edit: enqueue, Joins: true, Show: untimed,
	},
	{
		Name: "enqueue-fresh", Title: "enqueue, and a client counts a FREE that may be older than 2δ as LOCKED",
		Edit: func(s *model.System) { enqueue(s); taught(freshly)(s) }, Joins: true, Show: untimed,
	},
	{
		Name: "safe", Title: "§5: clients disregard answers that arrive after 2δ",
		Edit: taught(safely), Joins: true, Waives: timeless, Show: untimed,
	},
	{
		Name: "safe-retry", Title: "safe, and a try fails if it has no quorum after 2δ",
		Edit: taught(impatiently), Joins: true, Waives: timeless, Show: untimed,
	},
	{
		Name: "parameterized", Title: "§5: Δ is a parameter of try; a server is free after the Δ+2δ of the request that arrives",
		Edit: func(s *model.System) {
			parameterize(s)
			replaceServers(func(sv Server) model.Node { return &askedServer{sv, setup(s)} })(s)
		}, Show: untimed,
	},
	{
		Name: "parameterized-granted", Title: "§5: Δ is a parameter of try; a server is free after the Δ+2δ of the request it granted",
		Edit: func(s *model.System) {
			parameterize(s)
			editNodes(model.Server, func(s *model.System, _ model.NodeID, n model.Node) model.Node {
				if sv, ok := n.(*Server); ok {
					return &grantedServer{*sv, setup(s)}
				}
				return n // another option's server, which handles requests
			})(s)
		},
		Joins: true, Show: untimed,
	},
	{
		Name: "eager", Title: "§5: the first client does not back off, but tries again at once",
		Edit: hurry(page.Edit(`model.Uniform(c.cfg.Unit, c.cfg.Unit<<min(c.Try.Retry, c.cfg.Last))`, `model.Exactly(0)`)), Joins: true, Show: untimed,
	},
	{
		Name: "eager-paced", Title: "the first client tries again after Δ+4δ each time, when its own leases have ended",
		Edit: hurry(page.Edit(`model.Uniform(c.cfg.Unit, c.cfg.Unit<<min(c.Try.Retry, c.cfg.Last))`, `model.Exactly(c.cfg.Unit)`)), Joins: true, Show: untimed,
	},
	{
		Name: "patient", Title: "2δ, Δ+2δ and Δ+4δ include a server's processing time p: 2δ+p, Δ+2δ+p and Δ+4δ+2p",
		Edit: func(s *model.System) {
			cfg := setup(s)
			cfg.Round += Processing.Of(s.Config)
			cfg.Lease.At += Processing.Of(s.Config)
			cfg.Unit = cfg.Section + 2*cfg.Round
		}, Joins: true, Show: untimed,
	},
	{
		Name: "processing-first", Title: "a server's processing time passes before it tests lastGranted, not after: a try takes up to δ+p, its answer δ",
		Edit: processFirst, Joins: true, Show: untimed,
	},
	{
		Name: "safe-long", Title: "clients disregard answers only when they arrive after 3δ",
		Breaks: "Lemma 1", Waives: timeless, Show: grid(model.Config{N: 1, Network: model.AsynchronousNetwork}.With(Tries.Is(1))),
		Edit: func(s *model.System) { setup(s).Round += model.Delay.Of(s.Config); taught(safely)(s) },
	},
}

// processFirst moves a server's processing time from its answer to the try.
func processFirst(s *model.System) {
	delays := s.Network.Delays
	if delays == nil {
		model.Misused("network is %s, where no message is timely", s.Config.Network)
	}
	s.Network.Delays = func(from, to model.NodeID) model.Window { return delays(to, from) }
}

// untimed checks an option against the premise of Lemma 1.
var untimed = model.Check{Config: model.Config{N: 2}, Claims: []string{"Lemma 1, grants"}}

// timeless waives an assumption for options that claim Lemma 1 "even during instability periods".
var timeless = map[string][]model.Assumption{"Lemma 1": {model.StableFromStart}}

// enqueue gives servers a delayed reply list.
func enqueue(s *model.System) {
	editNodes(model.Server, func(s *model.System, _ model.NodeID, n model.Node) model.Node {
		switch n := n.(type) {
		case *Server:
			return &queueServer{Server: *n, setup: setup(s)}
		case *grantedServer:
			return &queueServer{Server: n.Server, setup: setup(s)}
		}
		model.Misused("enqueue is combined with an option that has its own servers, %T", n)
		return nil
	})(s)
}

// lower compares the IDs of clients. A node that stands for a client counts as that client.
func (x *Setup) lower(a, b model.NodeID) int {
	return cmp.Or(cmp.Compare(x.stands(a), x.stands(b)), cmp.Compare(a, b))
}

func (x *Setup) stands(id model.NodeID) model.NodeID {
	if client, ok := x.Stands[id]; ok {
		return client
	}
	return id
}

// round is the hold of a client while answers to its try count: 2δ.
type round struct{}

// safely makes mutex safe: "clients disregard those replies to their try() requests that arrive after 2δ time units."
// (§5)
func safely(x *Setup, _ model.NodeID) habit {
	return habit{
		asks:  func(_ *Client, env model.Env) { env.Hold(round{}, model.Through(x.Round+x.Slack)) },
		hears: func(_ *Client, env model.Env, _ model.NodeID) bool { return env.Held(round{}) },
	}
}

// impatiently corrects safely: a try without a quorum after 2δ fails.
func impatiently(x *Setup, id model.NodeID) habit {
	h := safely(x, id)
	hold := h.asks
	h.asks = func(c *Client, env model.Env) {
		hold(c, env)
		env.After(late{}, model.Window{Lo: model.Below(x.Round + x.Slack), Hi: model.Through(x.Round + x.Slack + 1)})
	}
	h.late = (*EditedClient).backOff
	h.after = func(c *Client, env model.Env) {
		if !c.Waiting {
			env.Cancel(late{})
		}
	}
	return h
}

// fresh is the hold of a client while an answer is recent: δ after its arrival.
type fresh struct{ From model.NodeID }

// freshly corrects enqueue: the grant of a counted FREE is at most 2δ old. Within 2δ after its try, no grant is older.
// Later the client knows only that a grant was at most δ old when its answer arrived.
func freshly(x *Setup, _ model.NodeID) habit {
	return habit{
		asks: func(_ *Client, env model.Env) { env.Hold(round{}, model.Through(x.Round)) },
		hears: func(c *Client, env model.Env, u model.NodeID) bool {
			for _, v := range slices.Sorted(maps.Keys(c.Answers)) {
				if c.Answers[v] == Free && !env.Held(round{}) && !env.Held(fresh{v}) {
					c.Answers[v] = Locked
				}
			}
			env.Hold(fresh{u}, model.Through(x.Delay))
			return true
		},
	}
}

// parameterize makes Δ a parameter: "it is possible to make Δ a parameter of the contend operation (and, consequently,
// of the try request) instead of being a system-wide constant." (§5) The clients want the section for Δ and 3Δ
// alternately, and back off accordingly.
func parameterize(s *model.System) {
	cfg := setup(s)
	for i, id := range s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Client }) {
		cfg.Wanted[id] = cfg.Section * model.Ticks(1+i%2*2)
	}
	editNodes(model.Client, func(_ *model.System, id model.NodeID, n model.Node) model.Node {
		c := improved(n)
		own := *c.cfg
		own.Unit = cfg.wanted(id) + 2*cfg.Round
		c.cfg = &own
		c.habits = append(slices.Clone(c.habits), habit{says: func(_ *Client, _ model.Env, t Try) any {
			return Request{t, cfg.wanted(id)}
		}})
		return c
	})(s)
}

// A grantedServer is locked for the time of the last granted request, and 2δ.
type grantedServer struct {
	Server
	setup *Setup
}

// Receive answers a request.
func (s *grantedServer) Receive(env model.Env, c model.NodeID, m any) {
	r := s.setup.request(m)
	if env.Held(lease{}) {
		env.Send(c, Answer{r.Try, Locked})
		return
	}
	s.setup.grant(env, c, r)
}

// An askedServer evaluates Figure 1b with the Δ of the arriving request: "if (clock() − lastGranted > Δ+2δ)". It has a
// hold for every possible Δ.
type askedServer struct {
	Server
	setup *Setup
}

// wanting is the hold of a server while clock() − lastGranted ≤ Δ+2δ, for one Δ.
type wanting struct{ Section model.Ticks }

// Receive answers a request.
func (s *askedServer) Receive(env model.Env, c model.NodeID, m any) {
	r := s.setup.request(m)
	if env.Held(wanting{r.Want}) {
		env.Send(c, Answer{r.Try, Locked})
		return
	}
	for _, want := range slices.Compact(slices.Sorted(maps.Values(s.setup.Wanted))) {
		env.Hold(wanting{want}, s.setup.lease(Request{Want: want}))
	}
	env.Note(Granted{c, r.Try})
	env.Send(c, Answer{r.Try, Free})
}

// hurry avoids backoff by breaking symmetry: "we can improve c's response time if c does not back off between
// consecutive try attempts." (§5) Here c is the first client.
func hurry(edit func(*model.System)) func(*model.System) {
	return func(s *model.System) {
		first := s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Client })[0]
		edit(&model.System{Nodes: s.Nodes[first : first+1]})
	}
}
