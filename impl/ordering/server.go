package ordering

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"contend/model"
)

// A Server stores states for clients. (Figure 3)
type Server struct {
	cfg       *Config
	MaxRank   Rank
	Proposer  Rank
	Proposed  State          // σᵖᶜ
	Committed State          // σᶜ
	Pending   map[Label]any  // calls by label
	Asleep    map[Label]bool // the submits that sleep at line 3.3
	Responses map[Label]any  // response
}

// Receive runs the method that a client invokes.
func (s *Server) Receive(env model.Env, c model.NodeID, m any) {
	switch m := m.(type) {
	case Submit:
		s.submit(env, m)
	case Get:
		s.get(env, c, m)
	case Propose:
		s.propose(env, c, m)
	case Commit:
		s.commit(env, c, m)
	}
}

func (s *Server) submit(env model.Env, m Submit) {
	s.Pending[m.Op.Label] = m.Op.Call // "pending ← pending ∪ {o}"
	s.Asleep[m.Op.Label] = true       // "sleep until (response(o) ≠ ⊥)"
	s.wake(env)
}

// wake returns from each submit whose operation has a response.
func (s *Server) wake(env model.Env) {
	for _, o := range slices.SortedFunc(maps.Keys(s.Asleep), byLabel) {
		if response, ok := s.Responses[o]; ok {
			env.Send(o.Client, Response{o.Seq, response}) // "return response(o)"
			delete(s.Asleep, o)
		}
	}
}

func byLabel(a, b Label) int {
	return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.Seq, b.Seq))
}

func (s *Server) get(env model.Env, c model.NodeID, m Get) {
	if m.Rank <= s.MaxRank { // "if (r > maxRank)", denied
		env.Send(c, RankException{Getting, m.Rank, s.MaxRank})
		return
	}
	s.MaxRank = m.Rank // "maxRank ← r"
	env.Note(Completion{Phase: Getting, Rank: m.Rank})
	env.Send(c, Got{m.Rank, s.Committed, s.Proposed, s.Proposer, maps.Clone(s.Pending)})
}

func (s *Server) propose(env model.Env, c model.NodeID, m Propose) {
	if m.Rank < s.MaxRank { // "if (r ≥ maxRank)", denied
		env.Send(c, RankException{Proposing, m.Rank, s.MaxRank})
		return
	}
	s.MaxRank, s.Proposer = m.Rank, m.Rank // "maxRank ← r; proposer ← r"
	s.Proposed = m.State                   // "σᵖᶜ ← σ"
	env.Note(Completion{Proposing, m.Rank, m.State})
	env.Send(c, Done{Proposing, m.Rank})
}

func (s *Server) commit(env model.Env, c model.NodeID, m Commit) {
	if m.Rank < s.MaxRank { // "if (r ≥ maxRank)", denied
		env.Send(c, RankException{Committing, m.Rank, s.MaxRank})
		return
	}
	s.MaxRank, s.Committed = m.Rank, m.State // "maxRank ← r; σᶜ ← σ"
	maps.DeleteFunc(s.Pending, func(o Label, _ any) bool { return m.State.Reflects(o) })
	maps.Copy(s.Responses, m.State.Responses) // "response ← response|σ.response"
	env.Note(Completion{Committing, m.Rank, m.State})
	s.wake(env)
	env.Send(c, Done{Committing, m.Rank})
}

// server returns the server of any variant.
func (s *Server) server() *Server { return s }

// The methods of Figure 3 that a client invokes on a server, each with the rank that "a client always sends" (§6.2). A
// client uses a rank for one passage of its ordering thread. So a method and a rank identify an invocation and its
// answer: "any method μ ∈ ℳ can be invoked at a server u at most once" (§7).
type (
	// Submit is u.submit(o).
	Submit struct{ Op Op }
	// Get is u.get(r).
	Get struct{ Rank Rank }
	// Propose is u.propose(σ, r).
	Propose struct {
		State State
		Rank  Rank
	}
	// Commit is u.commit(σ, r).
	Commit struct {
		State State
		Rank  Rank
	}
)

// The answers of a server.
type (
	// Response is the return of submit.
	Response struct {
		Seq   int // of the client's operation
		Value any
	}
	// Got is the return of get.
	Got struct {
		Rank                Rank
		Committed, Proposed State // σᶜ, σᵖᶜ
		Proposer            Rank
		Pending             map[Label]any
	}
	// Done is the return of propose or commit.
	Done struct {
		Phase Phase
		Rank  Rank
	}
	// RankException "notifies the client of the higher rank under which another client
	// contacted" the server.
	RankException struct {
		Phase   Phase // of the method that throws it
		Rank    Rank  // of the invocation
		Highest Rank  // maxRank
	}
)

// A Phase is the phase of an ordering thread.
type Phase int

// The phases of a passage, with their lines in Figure 2. The zero Phase means that no thread runs.
const (
	Contending Phase = iota + 1 // 2.9
	Getting                     // 2.10–13
	Proposing                   // 2.26–28
	Committing                  // 2.29–31
)

func (p Phase) String() string {
	if p < 0 || p > Committing {
		return fmt.Sprintf("Phase(%d)", int(p))
	}
	return [...]string{"idle", "contend", "get", "propose", "commit"}[p]
}

// The notes of nodes for monitors.
type (
	// An Invocation is the client invocation p.μ of §7, of get, propose or commit.
	Invocation struct {
		Phase Phase
		Rank  Rank
		State State // of propose and commit
	}
	// A Completion is a complete server invocation u.μ. It does "not result in RankException" (§7).
	Completion struct {
		Phase Phase
		Rank  Rank
		State State
	}
	// Stateless is noted if line 2.25 has no σᶜ to which it could apply operations.
	Stateless struct{}
)

// contended is the alarm that ends an abstract contend.
type contended struct{}

// types are the types of messages, keys and labels.
var types = []any{
	Submit{}, Get{}, Propose{}, Commit{}, Response{}, Got{}, Done{}, RankException{},
	Invocation{}, Completion{}, Stateless{}, contended{}, model.Inner{},
}
