package sigma

import (
	"contend/impl/mutex"
	"contend/model"
)

var mutants = []model.Variant{
	{
		Name: "small-quorum", Title: "m is one too small",
		Breaks: "mutual exclusion", Show: sized(2, 1),
		Edit: func(s *model.System) { setup(s).Enough, setup(s).Support = setup(s).Enough-1, setup(s).Support-1 },
	},
	{
		Name: "third-faulty", Title: "f = n/3, but m is chosen for a smaller f",
		Breaks: "mutual exclusion", Show: theorem4(3, 2),
		Edit: fifo(func(*model.System) {}),
	},
	{
		Name: "third-faulty-all", Title: "f = n/3, and m is large enough for mutual exclusion",
		Breaks: "every request is granted", Show: theorem4(3, 3),
	},
	{
		Name: "no-checks", Title: "no CHECK is ever sent",
		Breaks: "Lemma 5", Show: model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(1)), AssumeAnyway: true},
	},
	{
		Name: "answers-inquiry", Title: "line 45 answers the owner too: RESPONSE crosses YIELD",
		Breaks: "Proposition 3", Show: sized(1, 1),
		Edit: serve(func(s CountingServer) model.Node { return &repeatingServer{s, INQUIRY} }),
	},
	{
		Name: "answers-request", Title: "line 31 answers the owner too: RESPONSE crosses YIELD",
		Breaks: "Proposition 3", Show: sized(1, 1),
		Edit: serve(func(s CountingServer) model.Node { return &repeatingServer{s, REQUEST} }),
	},
	{
		Name: "late-overwrites", Title: "line 8 keeps a response even if the server is known to support the client",
		Breaks: "deadlock freedom", Show: sized(2, 1),
		Edit: define(func(d Definitions) Definitions { return lateOverwrites{d} }),
	},
	// Random schedules rarely find the violation. A response that was not needed must arrive after the passage, and
	// overtake the response to the next request.
	{
		Name: "old-support", Title: "line 8 keeps a response with an earlier timestamp of the client",
		Breaks: "Lemma 6", Show: model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2))},
		Edit: define(func(d Definitions) Definitions { return oldSupport{d} }),
	},
	{
		Name: "yield-untold", Title: "line 40 is left out: a client is not told that a YIELD made it the owner",
		Breaks: "deadlock freedom", Show: sized(2, 1),
		Edit: mute(func(s *Server, to model.NodeID, in Tag) bool { return in == YIELD && s.Owner.Client == to }),
	},
	{
		Name: "release-untold", Title: "line 54 is left out: a client is not told that a RELEASE made it the owner",
		Breaks: "deadlock freedom", Show: sized(1, 1),
		Edit: mute(func(_ *Server, _ model.NodeID, in Tag) bool { return in == RELEASE }),
	},
	{
		Name: "keeps-older", Title: "line 29 is left out: an older request of the client stays",
		Breaks: "deadlock freedom", Show: sized(1, 2),
		Edit: define(func(d Definitions) Definitions { return keepsOlder{d} }),
	},
	{
		Name: "arrival-order", Title: "the queue is ordered by arrival",
		Breaks: "every request is granted", Show: sized(2, 1),
		Edit: fifo(define(func(d Definitions) Definitions { return arrivalOrder{d} })),
	},
	{
		Name: "latest-first", Title: "the queue has the latest request first: not eventually fair",
		Breaks: "Theorem 2, overtaking", Show: sized(2, 2),
		Edit: fifo(define(func(d Definitions) Definitions { return latestFirst{d} })),
	},
	{
		Name: "by-client", Title: "requests are ordered by client id: not eventually fair",
		Breaks: "Theorem 2, overtaking", Show: sized(2, 2),
		Edit: fifo(define(func(d Definitions) Definitions { return byClient{d} })),
	},
	{
		Name: "keeps-timestamp", Title: "line 21 is left out: after its exit a client treats CHECK as current",
		Breaks: "Lemma 5", Show: model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(1), Periodic.Is(1))},
		Edit: define(func(d Definitions) Definitions { return keepsTimestamp{d} }),
	},
	{
		Name: "eager-release", Title: "line 25 answers every CHECK with RELEASE",
		Breaks: "mutual exclusion", Show: model.Check{Config: model.Config{N: 1}.With(Checks.Is(1))},
		Edit: define(func(d Definitions) Definitions { return eagerRelease{d} }),
	},
	// Random schedules rarely find the violation. A RELEASE must be slower than the next request of its client and the
	// entry, but faster than the exit. Another client must wait.
	{
		Name: "releases-any", Title: "RELEASE deletes the client's request, whatever its timestamp",
		Breaks: "mutual exclusion", Show: sized(1, 2),
		Edit: serve(func(s CountingServer) model.Node { return &hastyServer{s} }),
	},
	{
		Name: "suspects-once", Title: "line 46 is an event: only a server that supports a client when its crash is reported deletes the request",
		Breaks: "Lemma 8", Show: model.Check{Config: model.Config{N: 1, Faults: model.Faults{Crashes: 1}}.With(Periodic.Is(1))},
		Edit: serve(func(s CountingServer) model.Node { return &deafServer{s} }),
	},
	{
		Name: "never-rem", Title: "a client never reaches line 23",
		Breaks: "Lemma 9", Show: model.Check{Config: model.Config{N: 1}, AssumeAnyway: true},
		Edit: func(s *model.System) {
			for _, id := range setup(s).Clients {
				s.Nodes[id].New = func() model.Node { return &stayingClient{newClient(s)} }
			}
		},
	},
}

// sized returns a check of n servers and two clients, with a number of requests for each.
func sized(n, ops int) model.Check {
	return model.Check{Config: model.Config{N: n}.With(model.Ops.Is(ops)), AssumeAnyway: true}
}

// theorem4 returns a check of Theorem 4: n servers, one of them faulty.
func theorem4(n, m int) model.Check {
	c := model.Config{N: n, Beyond: true, Faults: model.Faults{Restarts: 1}}.With(M.Is(m), Faulty.Is(1))
	if m == n {
		c = c.With(model.Clients.Is(1))
	}
	return model.Check{Config: c, AssumeAnyway: true}
}

// fifo returns an edit with FIFO channels, so that the search of a mutant is small.
func fifo(edit func(*model.System)) func(*model.System) {
	return func(s *model.System) {
		edit(s)
		s.Network.Channel = model.FIFO
	}
}

type lateOverwrites struct{ Definitions }

// Keeps ignores the stored response.
func (lateOverwrites) Keeps(mine, _, owner Request) bool {
	return owner.Client != mine.Client || owner.T == mine.T
}

type oldSupport struct{ Definitions }

// Keeps ignores the new response.
func (oldSupport) Keeps(mine, kept, _ Request) bool { return kept != mine }

type keepsOlder struct{ Definitions }

// Newer returns false.
func (keepsOlder) Newer(int, int) bool { return false }

type arrivalOrder struct{ Definitions }

// Ahead returns false: a request goes to the end.
func (arrivalOrder) Ahead(*Config, Request, Request) bool { return false }

type latestFirst struct{ Definitions }

// Ahead returns the reverse order.
func (latestFirst) Ahead(cfg *Config, a, b Request) bool { return cfg.spec.Before(b, a) }

type byClient struct{ Definitions }

// Before compares clients first.
func (byClient) Before(a, b Request) bool {
	return a.Client < b.Client || a.Client == b.Client && a.T < b.T
}

type keepsTimestamp struct{ Definitions }

// End leaves the timestamp unchanged.
func (keepsTimestamp) End(timestamp int) int { return timestamp }

type eagerRelease struct{ Definitions }

// Obsolete returns true.
func (eagerRelease) Obsolete(int, int) bool { return true }

// A repeatingServer sends its owner a second response when it receives messages of one tag.
type repeatingServer struct {
	CountingServer
	on Tag
}

func (s *repeatingServer) Receive(env model.Env, c model.NodeID, m any) {
	if again := (Request{c, m.(Message).T}); m.(Message).Tag == s.on && s.Owner == again {
		s.respond(env, c)
	}
	s.CountingServer.Receive(env, c, m)
}

// mute returns an edit in which servers drop responses. Each send of a server calls out with the receiver and the tag
// of the handled message. The response is dropped if out returns true.
func mute(out func(s *Server, to model.NodeID, in Tag) bool) func(*model.System) {
	return serve(func(s CountingServer) model.Node { return &muteServer{s, out} })
}

type muteServer struct {
	CountingServer
	out func(s *Server, to model.NodeID, in Tag) bool
}

func (s *muteServer) Receive(env model.Env, c model.NodeID, m any) {
	s.CountingServer.Receive(mutedEnv{env, s, m.(Message).Tag}, c, m)
}

type mutedEnv struct {
	model.Env
	s  *muteServer
	in Tag
}

func (e mutedEnv) Send(to model.NodeID, m any) {
	if !e.s.out(&e.s.Server, to, e.in) {
		e.Env.Send(to, m)
	}
}

type hastyServer struct{ CountingServer }

func (s *hastyServer) Receive(env model.Env, c model.NodeID, m any) {
	if r := s.find(c); m.(Message).Tag == RELEASE && r.T != 0 {
		s.delete(env, r)
		return
	}
	s.CountingServer.Receive(env, c, m)
}

type deafServer struct{ CountingServer }

func (s *deafServer) Suspect(env model.Env, c model.NodeID) {
	s.CountingServer.Suspect(env, c)
	s.Suspected = nil
}

type stayingClient struct{ CountingClient }

func (c *stayingClient) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		c.Timestamp++
		env.Broadcast(c.cfg.Servers, Message{RELEASE, c.Timestamp - 1})
		return
	}
	c.CountingClient.Invoke(env, op)
}
