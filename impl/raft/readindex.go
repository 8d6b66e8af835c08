package raft

import (
	"maps"
	"slices"

	"contend/model"
)

// The messages of reads.
type (
	// A ReadIndexRequest asks the leader for the readIndex of a follower's read. Read is the number of that read.
	ReadIndexRequest struct{ Read int }
	// A ReadIndexResponse returns the readIndex.
	ReadIndexResponse struct{ Read, Index int }
	// A Heartbeat asks whether the leader of a term was superseded.
	Heartbeat struct{ Term, Round int }
	// A HeartbeatResponse acknowledges a Heartbeat.
	HeartbeatResponse struct{ Term, Round int }
)

// The notes of reads.
type (
	// Reads is noted when a client reads the state machine of the server.
	Reads struct{}
	// Answers is noted when the server answers a read. Applied is the number of entries that its state machine has
	// applied.
	Answers struct{ Applied int }
)

// readRequest is the alarm of a client's read.
type readRequest struct{}

// A Reader is a server that answers reads without its log: ReadIndex, section 6.4 of the thesis. It serves one read at
// a time.
type Reader struct {
	Server
	reading

	Asked     int                 `contend:"stable"` // the number of reads requested; no number is used twice
	ReadIndex model.Optional[int] // of its own read, while it is known and the read is not answered

	Rounds int                   // of a leader: the number of rounds in its term
	Round  model.Optional[Round] // of a leader: the current read
}

// reading is a variant of reads.
type reading struct {
	rules     ReadRules
	most      int  // the most reads of a server
	noOp      bool // a leader begins its term with a blank entry; otherwise it waits for one of a client
	followers bool // followers get reads, too
}

// A Round is a read in steps 1 to 3 of section 6.4.
type Round struct {
	For       model.NodeID // the server of the read
	Read      int          // the number of the read at that server
	Sent      bool         // the readIndex is saved, and the heartbeats are sent
	ReadIndex int
	Acks      map[model.NodeID]bool
}

// Start starts the server. Earlier reads are lost.
func (s *Reader) Start(env model.Env) {
	s.Server.Start(env)
	s.proceed(env, Follower)
}

// Timeout reads, or does what the server does at an alarm.
func (s *Reader) Timeout(env model.Env, step any) {
	was := s.State
	switch step.(type) {
	case readRequest:
		s.read(env)
	default:
		s.Server.Timeout(env, step)
	}
	s.proceed(env, was)
}

// Receive handles the messages of reads, and passes others to the server.
func (s *Reader) Receive(env model.Env, from model.NodeID, m any) {
	was := s.State
	switch m := m.(type) {
	case ReadIndexRequest:
		s.serve(from, m.Read)
	case ReadIndexResponse:
		if m.Read == s.Asked {
			s.ReadIndex = model.Some(m.Index)
		}
	case Heartbeat:
		s.updateTerm(env, m.Term)
		env.Send(from, HeartbeatResponse{s.CurrentTerm, m.Round})
	case HeartbeatResponse:
		s.updateTerm(env, m.Term)
		s.acknowledge(from, m)
	default:
		s.Server.Receive(env, from, m)
	}
	s.proceed(env, was)
}

// read starts a client's read. A leader serves it, and a follower asks for a readIndex.
func (s *Reader) read(env model.Env) {
	s.Asked++
	s.ReadIndex = model.Optional[int]{}
	env.Note(Reads{})
	if s.State == Leader {
		s.serve(env.Self(), s.Asked)
	} else {
		env.Broadcast(others(s.cfg.Servers, env.Self()), ReadIndexRequest{s.Asked})
	}
}

// serve begins a round for the read of a server. The round of an earlier read of that server ends without an answer. It
// does nothing if the receiver is not the leader, or serves another server.
func (s *Reader) serve(j model.NodeID, read int) {
	if s.State == Leader && (!s.Round.Known || s.Round.Value.For == j && s.Round.Value.Read < read) {
		s.Rounds++
		s.Round = model.Some(Round{For: j, Read: read})
	}
}

// acknowledge counts a response to the heartbeats of the current round.
func (s *Reader) acknowledge(j model.NodeID, m HeartbeatResponse) {
	if s.Round.Known && s.Round.Value.Sent && s.rules.OfRound(s, m) {
		s.Round.Value.Acks[j] = true
	}
}

// proceed carries out the steps that are possible after an event.
func (s *Reader) proceed(env model.Env, was State) {
	switch {
	case s.State != Leader:
		s.Rounds, s.Round = 0, model.Optional[Round]{}
	case was != Leader && s.noOp:
		s.appendNoOp(env)
	}
	if s.State == Leader {
		s.serveRound(env)
	}
	if index, known := s.ReadIndex.Get(); known && s.rules.HasApplied(s, index) {
		s.ReadIndex = model.Optional[int]{} // steps 4 and 5
		env.Note(Answers{s.LastApplied})
	}
	env.Cancel(readRequest{})
	if s.Asked < s.most && (s.State == Leader || s.followers) {
		env.After(readRequest{}, model.Anytime())
	}
}

// appendNoOp appends the blank entry of a new leader.
func (s *Server) appendNoOp(env model.Env) {
	s.Log = append(s.Log, Entry{Term: s.CurrentTerm})
	env.Note(Appended{len(s.Log)})
	s.advanceCommitIndex(env)
}

// serveRound carries out steps 1 to 3 of the current read, as far as possible.
func (s *Reader) serveRound(env model.Env) {
	r, serves := s.Round.Get()
	if !serves {
		return
	}
	if !r.Sent && s.rules.MayRead(s) { // steps 1 and 2
		r.Sent, r.ReadIndex, r.Acks = true, s.CommitIndex, map[model.NodeID]bool{env.Self(): true}
		env.Broadcast(others(s.cfg.Servers, env.Self()), Heartbeat{s.CurrentTerm, s.Rounds})
		s.Round.Value = r
	}
	if r.Sent && s.rules.Leads(s, r.Acks) { // step 3
		s.Round = model.Optional[Round]{}
		if r.For == env.Self() {
			s.ReadIndex = model.Some(r.ReadIndex)
		} else {
			env.Send(r.For, ReadIndexResponse{r.Read, r.ReadIndex})
		}
	}
}

// ReadRules are the conditions of a read. A variant overrides one of them.
type ReadRules interface {
	MayRead(s *Reader) bool
	Leads(s *Reader, acks map[model.NodeID]bool) bool
	OfRound(s *Reader, m HeartbeatResponse) bool
	HasApplied(s *Reader, index int) bool
}

// ReadSpec has the rules of section 6.4.
type ReadSpec struct{}

// MayRead reports whether the leader has committed an entry of its term.
func (ReadSpec) MayRead(s *Reader) bool {
	return s.CommitIndex > 0 && s.term(s.CommitIndex) == s.CurrentTerm
}

// Leads reports whether a majority has acknowledged the heartbeats.
func (ReadSpec) Leads(s *Reader, acks map[model.NodeID]bool) bool {
	return s.spec.Quorum(&s.Server, acks)
}

// OfRound reports whether a response belongs to the current round.
func (ReadSpec) OfRound(s *Reader, m HeartbeatResponse) bool {
	return m.Term == s.CurrentTerm && m.Round == s.Rounds
}

// HasApplied reports whether the state machine has applied the entry at the readIndex.
func (ReadSpec) HasApplied(s *Reader, index int) bool { return s.LastApplied >= index }

// edit replaces each server by a reader.
func (r reading) edit(s *model.System) {
	s.Types = append(s.Types, ReadIndexRequest{}, ReadIndexResponse{}, Heartbeat{}, HeartbeatResponse{},
		Reads{}, Answers{}, readRequest{})
	replace(func(s Server) model.Node { return &Reader{Server: s, reading: r} })(s)
}

// readClaims are the claims of reads.
var readClaims = []model.Claim{
	{
		Name: linearizable, Kind: model.Always, Source: "Ongaro 2014, thesis, §6.4", Proof: proofs + "linearizable-reads",
		Monitor: func(*model.System) model.Monitor { return &fresh{} },
		Vacuous: func(s *model.System) string { return needsReads(s, 1) },
	},
	{
		Name: "a server answers two reads", Kind: model.Sometimes, Source: "Ongaro 2014, thesis, §6.4",
		Monitor: func(s *model.System) model.Monitor { return &answered{required: needsReads(s, 2) == ""} },
		Vacuous: func(s *model.System) string { return needsReads(s, 2) },
	},
}

// needsReads requires that a server gets a number of reads.
func needsReads(s *model.System, least int) string {
	for _, n := range s.Nodes {
		if r, is := n.New().(interface{ reads() int }); is && r.reads() >= least {
			return ""
		}
	}
	if least == 1 {
		return "no server reads"
	}
	return "no server reads twice"
}

// reads returns the most reads that the server gets in a run.
func (s *Reader) reads() int { return s.most - s.Asked }

// answered has the goal that a server has answered two reads.
type answered struct {
	required bool
	Reads    map[model.NodeID]int
}

func (a *answered) Observe(w model.Watch, o model.Observation) {
	if _, is := o.Value.(Answers); is {
		if a.Reads == nil {
			a.Reads = map[model.NodeID]int{}
		}
		a.Reads[o.Node] = min(a.Reads[o.Node]+1, 2)
		if a.Reached() {
			w.Witness()
		}
	}
}

// Reached reports whether a server has, or no server reads twice.
func (a *answered) Reached() bool {
	return !a.required || slices.Contains(slices.Sorted(maps.Values(a.Reads)), 2)
}

// fresh checks that a read sees every command that was committed before the read began.
type fresh struct {
	Committed int                  // the index of the last command that a leader has committed
	Needs     map[model.NodeID]int // by server: the value of Committed when its read began
}

func (f *fresh) Observe(w model.Watch, o model.Observation) {
	switch e := o.Value.(type) {
	case Committed:
		for i, entry := range e.Entries {
			if entry.Value != 0 {
				f.Committed = max(f.Committed, i+1)
			}
		}
	case Reads:
		if f.Needs == nil {
			f.Needs = map[model.NodeID]int{}
		}
		f.Needs[o.Node] = f.Committed
	case Answers:
		needs := f.Needs[o.Node]
		delete(f.Needs, o.Node)
		if needs > 0 {
			w.Witness()
		}
		if e.Applied < needs {
			w.Violate("it answers from a state machine that has applied %d entries, but a command at index %d was committed before", e.Applied, needs)
		}
	}
}

// readOptions are variants of reads without the log.
var readOptions = []model.Variant{
	{
		Name: "read-index", Title: "the thesis, §6.4: a leader answers reads without its log, after a round of heartbeats",
		Edit: reading{rules: ReadSpec{}, most: 1, noOp: true}.edit, Show: two(2, 2, 2),
	},
	{
		Name: "read-index-led", Title: "the same, from where a leader may be superseded",
		Edit: reading{rules: ReadSpec{}, most: 2}.startLed, Show: one(3, 2, 2),
	},
	{
		Name: "follower-reads", Title: "the thesis, §6.4: a follower answers reads too; it asks the leader for a readIndex",
		Edit: reading{rules: ReadSpec{}, most: 2, noOp: true, followers: true}.edit, Show: one(2, 1, 2),
	},
}

// readMutants are bugs in reads.
var readMutants = []model.Variant{
	{
		Name: "read-without-round", Title: "published (Jepsen, etcd and Consul): a leader answers a read without asking whether it still leads",
		Breaks: linearizable, Show: one(3, 2, 2), Edit: reading{rules: withoutRound{}, most: 2}.startLed,
	},
	{
		Name: "read-before-own-entry", Title: "a leader takes its commit index for a read before it has committed an entry of its term",
		Breaks: linearizable, Show: two(2, 2, 1), Edit: reading{rules: beforeOwnEntry{}, most: 1}.edit,
	},
	{
		Name: "read-with-old-round", Title: "a leader counts responses to the heartbeats of an earlier read",
		Breaks: linearizable, Show: one(3, 2, 2), Edit: reading{rules: withOldRound{}, most: 2}.startLed,
	},
	{
		Name: "read-before-applied", Title: "a follower answers before it has applied what the readIndex says",
		Breaks: linearizable, Show: one(2, 1, 1), Edit: reading{rules: beforeApplied{}, most: 1, followers: true}.edit,
	},
}

type withoutRound struct{ ReadSpec }

// Leads returns true without acknowledgements.
func (withoutRound) Leads(*Reader, map[model.NodeID]bool) bool { return true }

type beforeOwnEntry struct{ ReadSpec }

// MayRead returns true at once.
func (beforeOwnEntry) MayRead(*Reader) bool { return true }

type withOldRound struct{ ReadSpec }

// OfRound ignores the round.
func (withOldRound) OfRound(s *Reader, m HeartbeatResponse) bool { return m.Term == s.CurrentTerm }

type beforeApplied struct{ ReadSpec }

// HasApplied returns true at once.
func (beforeApplied) HasApplied(*Reader, int) bool { return true }
