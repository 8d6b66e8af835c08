package raft

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
)

// A Timely server has times: "broadcastTime ≪ electionTimeout" (§5.6). Messages take at most a tick. A leader sends the
// next request at most a tick after a response. The time-outs of servers differ by more than an election takes.
type Timely struct {
	Server
	timing
}

// timing has the times of a server, and the entries of clients.
type timing struct {
	election model.Ticks // the time-out; longer than the time between two requests of a leader
	entries  int         // no client asks once the log is that long
}

// Start starts the server.
func (s *Timely) Start(env model.Env) { s.Server.Start(s.clock(env)) }

// Timeout does what the server does at an alarm.
func (s *Timely) Timeout(env model.Env, step any) {
	s.Server.Timeout(s.clock(env), step)
	s.finish(env)
}

// Receive handles a message. The time-out begins again when the server hears the leader of its term, or grants its vote.
func (s *Timely) Receive(env model.Env, from model.NodeID, m any) {
	s.Server.Receive(s.clock(env), from, m)
	if s.State == Follower && m.(message).term() == s.CurrentTerm {
		switch m.(type) {
		case AppendEntriesRequest:
			s.awaitTimeout(s.clock(env))
		case RequestVoteRequest:
			if s.VotedFor.Or(-1) == from {
				s.awaitTimeout(s.clock(env))
			}
		}
	}
	s.finish(env)
}

// finish ends the requests of clients when the log is long enough.
func (s *Timely) finish(env model.Env) {
	if len(s.Log) >= s.entries {
		env.Cancel(clientRequest{})
	}
}

// clock returns the environment in which alarms have times.
func (s *Timely) clock(env model.Env) model.Env { return clock{env, s.election} }

type clock struct {
	model.Env
	election model.Ticks
}

// After sets an alarm with its time.
func (c clock) After(key any, _ model.Window) {
	window := model.By(tick)
	if key == (timeout{}) {
		window = model.Exactly(c.election)
	}
	c.Env.After(key, window)
}

const tick = 1

// timely makes servers timely, in the state of Figure 8 (b). The second server, whose log is up-to-date, times out first:
// time-outs are random, and so it does at some time. Terms have no bound. Clients stop when logs have the length of
// the bound on entries.
func timely(s *model.System) {
	s.Network.Delay = model.By(tick)
	s.Cuts = nil
	servers := s.Setup.(*Config).Servers
	replace(func(s Server) model.Node { return &Timely{Server: s} })(s)
	for i := range servers {
		opened(model.NodeID(i), func(n model.Node) model.Node {
			n.(*Timely).timing = timing{election: model.Ticks(4 + 2*((i+len(servers)-1)%len(servers))), entries: Entries.Of(s.Config)}
			return n
		})(s)
	}
	begin(first, second, third)(s)
}

// progress claims that all servers apply all entries in the end.
var progress = model.Claim{
	Name: "all servers apply all entries", Kind: model.Eventually, Source: "Ongaro–Ousterhout 2014, §5.6", Proof: proofs + "liveness",
	// Other systems have cuts, and no times.
	Assumes: []model.Assumption{model.NoCut, model.NoLoss, model.NoCrash, model.NoMemoryLoss},
	Monitor: func(s *model.System) model.Monitor {
		return &applied{servers: s.Setup.(*Config).Servers, entries: Entries.Of(s.Config)}
	},
}

// applied has the goal that each server has applied a number of entries.
type applied struct {
	servers []model.NodeID
	entries int
	Last    map[model.NodeID]int // by server: the index of the last applied entry
}

func (a *applied) Observe(w model.Watch, o model.Observation) {
	if e, is := o.Value.(Applied); is {
		if a.Last == nil {
			a.Last = map[model.NodeID]int{}
		}
		a.Last[o.Node] = e.Index
		if a.Reached() {
			w.Witness()
		}
	}
}

// Reached reports whether all have.
func (a *applied) Reached() bool { return len(a.missing()) == 0 }

// missing returns the servers that have not.
func (a *applied) missing() []model.NodeID {
	return slices.DeleteFunc(slices.Clone(a.servers), func(i model.NodeID) bool { return a.Last[i] >= a.entries })
}

// Misses returns the servers that lack entries.
func (a *applied) Misses(name func(model.NodeID) string) []string {
	var names []string
	for _, i := range a.missing() {
		names = append(names, name(i))
	}
	return []string{fmt.Sprintf("%s has not applied entry %d", strings.Join(names, ", "), a.entries)}
}
