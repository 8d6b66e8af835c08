package ordering

import (
	"cmp"
	"maps"
	"slices"

	"contend/model"
)

// A Server stores states for the clients. (Figure 3)
type Server struct {
	cfg       *Config
	MaxRank   Rank
	Proposer  Rank
	Proposed  State          // σᵖᶜ
	Committed State          // σᶜ
	Pending   map[Label]any  // calls by label
	Asleep    map[Label]bool // the invocations of submit that sleep on line 3.3
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
	maps.DeleteFunc(s.Pending, func(o Label, _ any) bool { return s.cfg.Reflects(m.State, o) })
	maps.Copy(s.Responses, m.State.Responses) // "response ← response|σ.response"
	env.Note(Completion{Committing, m.Rank, m.State})
	s.wake(env)
	env.Send(c, Done{Committing, m.Rank})
}

// server is how variants know this server and theirs.
func (s *Server) server() *Server { return s }
