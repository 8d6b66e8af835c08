// Package traced has a page for the trace log of etcd's raft library (build tag with_tla): what the library may do, and
// not when. The log says when. The page permits appends of any length to anyone at any time, since probing, flow control
// and batching do not show in the log. Own votes and acknowledgements are messages to oneself, as in the library.
//
//   - page.go: the state, the messages, and what the log shows
//   - receive.go: what a member does with a message
//   - alarms.go: what a member does by itself
//   - disk.go: what a member writes, and what a crash leaves
//   - members.go: the configuration
//   - protocol.go: the protocol with its claims
//   - etcdraft.json: the mapping of the log to the page
//   - exact.go: a page that decides where this one permits
//   - progress.go: what a leader of that page sends when
package traced

import "contend/model"

// The messages, with the fields that the log has.
type (
	// Vote is a MsgVote.
	Vote struct{ Term, Index, LogTerm int }
	// VoteResp is a MsgVoteResp.
	VoteResp struct {
		Term   int
		Reject bool
	}
	// App is a MsgApp. The log has the number of the entries.
	App struct {
		Term, Index, LogTerm, Commit int
		Entries                      []Entry
	}
	// AppResp is a MsgAppResp.
	AppResp struct {
		Term, Index, LogTerm, Hint int
		Reject                     bool
	}
	// Snap is a MsgSnap of the snapshot with which all members begin, of index 1. No other is taken, and none if members
	// bootstrap.
	Snap struct{ Term, Last int }
	// Beat is a MsgHeartbeat.
	Beat struct{ Term, Commit int }
	// BeatResp is a MsgHeartbeatResp.
	BeatResp struct{ Term int }
)

// View returns the number of entries.
func (m App) View() any { return struct{ Count int }{len(m.Entries)} }

// An Entry is an entry of a log.
type Entry struct {
	Term        int
	Kind        Kind
	Add, Remove Set // of a change
}

// A Kind is a kind of entry.
type Kind uint8

// The kinds.
const (
	Normal Kind = iota
	Change      // of the configuration; joint if it changes more than one member
	Leave       // of a joint configuration
)

func (k Kind) String() string { return [...]string{"normal", "change", "leave"}[k] }

// A Role is the role of a member, with the library's names.
type Role uint8

// The roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

func (r Role) String() string {
	return [...]string{"StateFollower", "StateCandidate", "StateLeader"}[r]
}

// Shows is a note: an event of the log, with the state when it is logged.
type Shows struct {
	Event            string
	Term, Vote       int
	Commit, Last     int
	Role             Role
	Voters, Outgoing []int
}

// Switches is a note: the configuration that an ApplyConfChange of the log leads to.
type Switches struct{ Voters []int }

// Refuses is a note in place of a step that the page does not permit.
type Refuses struct{ Why string }

// A Server is a member. Ids of members are those of the log, from 1.
type Server struct {
	size      int
	bootstrap int // the number of members that Bootstrap adds; 0: all begin with a snapshot

	Log  []Entry  `contend:"stable"` // Log[0] has index 1
	Disk [2]Saved `contend:"stable"` // by the last Ready but one, and by the last

	Term, Vote, Commit int
	Role               Role
	Lead               int
	Applied            int // the index of the last applied change
	Pending            int // the index of the last proposed change, or of the last entry before the leader's own
	Conf               Conf
	Yes, No            Set
	Match              []int // by member; nil unless the member leads
}

// View returns the length of the log and the configuration, as the log shows them.
func (s *Server) View() any {
	return struct {
		Last             int
		Voters, Outgoing []int
	}{len(s.Log), s.Conf.Voters.ids(), s.Conf.Outgoing.ids()}
}

func me(env model.Env) int     { return int(env.Self()) + 1 }
func node(id int) model.NodeID { return model.NodeID(id - 1) }

// term returns the term of the entry at an index, or 0.
func (s *Server) term(i int) int {
	if i < 1 || i > len(s.Log) {
		return 0
	}
	return s.Log[i-1].Term
}

// show notes an event of the log.
func (s *Server) show(env model.Env, event string) {
	env.Note(Shows{event, s.Term, s.Vote, s.Commit, len(s.Log), s.Role, s.Conf.Voters.ids(), s.Conf.Outgoing.ids()})
}

// send sends a message, and notes the event of the log.
func (s *Server) send(env model.Env, to int, m any) {
	event := "SendAppendEntriesResponse"
	switch m.(type) {
	case App, Beat, Snap:
		event = "SendAppendEntriesRequest"
	case Vote:
		event = "SendRequestVoteRequest"
	case VoteResp:
		event = "SendRequestVoteResponse"
	}
	s.show(env, event)
	env.Send(node(to), m)
}

// reset begins a term, or a role in the present one.
func (s *Server) reset(term int) {
	if term != s.Term {
		s.Term, s.Vote = term, 0
	}
	s.Lead, s.Yes, s.No, s.Match, s.Pending = 0, 0, 0, nil, 0
}

func (s *Server) follow(env model.Env, term, lead int) {
	s.reset(term)
	s.Role, s.Lead = Follower, lead
	s.show(env, "BecomeFollower")
}

// append appends an entry of the leader, who acknowledges it to itself when it is written.
func (s *Server) append(env model.Env, e Entry) {
	if e.Kind == Normal {
		s.show(env, "Replicate")
	}
	e.Term = s.Term
	s.Log = append(s.Log, e)
	s.send(env, me(env), AppResp{Term: s.Term, Index: len(s.Log)})
}

// advance commits what a quorum has, if it is of the present term.
func (s *Server) advance() {
	for i := len(s.Log); i > s.Commit && s.term(i) == s.Term; i-- {
		if s.Conf.quorum(s.holders(i)) {
			s.Commit = i
			return
		}
	}
}

// holders returns the members that have acknowledged the entry at an index.
func (s *Server) holders(i int) (has Set) {
	for id, match := range s.Match {
		if match >= i {
			has = has.with(id)
		}
	}
	return has
}
