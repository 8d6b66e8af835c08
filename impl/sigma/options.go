package sigma

import (
	"slices"

	"contend/model"
)

var variants = slices.Concat(options, mutants)

// options are other readings, other channels, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "fifo", Title: "channels are FIFO, so no RELEASE overtakes its REQUEST",
		Edit:      ordered,
		Unclaimed: unclaimed, Joins: true,
	},
	{
		Name: "answers-older", Title: "line 28 is left out: a server handles older messages too",
		Edit:      define(func(d Definitions) Definitions { return answersOlder{d} }),
		Unclaimed: unclaimed, Joins: true,
	},
	{
		Name: "owner-alone", Title: "line 11 compares the owner but not the timestamp",
		Edit:      define(func(d Definitions) Definitions { return ownerAlone{d} }),
		Unclaimed: unclaimed, Joins: true,
	},
	{
		Name: "suspects-queued", Title: "a suspected client's request is deleted from the queue too, at once",
		Edit:      serve(func(s CountingServer) model.Node { return &sweepingServer{s} }),
		Unclaimed: unclaimed, Joins: true,
	},
	{
		Name: "never-inquires", Title: "line 17 sends REQUEST, as line 16 does",
		Edit:      define(func(d Definitions) Definitions { return otherwise{d, REQUEST} }),
		Unclaimed: unclaimed, Joins: true,
	},
	{
		Name: "only-inquires", Title: "line 16 sends INQUIRY, as line 17 does",
		Edit:      define(func(d Definitions) Definitions { return otherwise{d, INQUIRY} }),
		Unclaimed: unclaimed, Joins: true,
	},
	{
		Name: "newer-only", Title: "line 25 answers only a CHECK with an earlier timestamp",
		Edit:      define(func(d Definitions) Definitions { return newerOnly{d} }),
		Unclaimed: unclaimed, Joins: true,
	},
}

// unclaimed is the claim with the recorded finding. No option makes it.
var unclaimed = []string{"Section 4.2, 5n messages"}

// ordered makes channels FIFO. Then a server supports a finished request only after a crash. So without restarts,
// CHECKs are not needed, and their cut is not declared.
func ordered(s *model.System) {
	s.Network.Channel = model.FIFO
	if s.Faults.Restarts == 0 && !setup(s).Periodically {
		s.Cuts = slices.DeleteFunc(s.Cuts, func(c model.Cut) bool { return c.Name == "checks" })
	}
}

// define returns an edit in which f overrides a definition.
func define(f func(Definitions) Definitions) func(*model.System) {
	return func(s *model.System) { setup(s).spec = f(setup(s).spec) }
}

type answersOlder struct{ Definitions }

// Older returns false.
func (answersOlder) Older(int, int) bool { return false }

type ownerAlone struct{ Definitions }

// Supports compares the client, not the timestamp.
func (ownerAlone) Supports(mine, kept Request) bool { return kept.Client == mine.Client }

// otherwise replaces the tags of lines 16 and 17 by one tag.
type otherwise struct {
	Definitions
	tag Tag
}

// Again returns the tag, unless the server supports the client.
func (o otherwise) Again(_ *Config, mine, kept Request) Tag {
	if kept.Client == mine.Client {
		return YIELD
	}
	return o.tag
}

type newerOnly struct{ Definitions }

// Obsolete reports whether the timestamp is earlier.
func (newerOnly) Obsolete(timestamp, t int) bool { return timestamp > t }

// serve returns an edit that makes each server by f. The checker calls f for each new node. It may change the server
// that it gets.
func serve(f func(CountingServer) model.Node) func(*model.System) {
	return func(s *model.System) {
		for _, id := range setup(s).Servers {
			s.Nodes[id].New = func() model.Node { return f(newServer(s)) }
		}
	}
}

type sweepingServer struct{ CountingServer }

func (s *sweepingServer) Suspect(env model.Env, c model.NodeID) {
	if r := s.find(c); r.T != 0 {
		s.delete(env, r)
	}
	s.CountingServer.Suspect(env, c)
}

func (s *sweepingServer) Receive(env model.Env, c model.NodeID, m any) {
	s.CountingServer.Receive(env, c, m)
	s.ReqQ = slices.DeleteFunc(s.ReqQ, func(r Request) bool { return s.Suspected[r.Client] })
}
