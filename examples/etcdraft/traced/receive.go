package traced

import (
	"slices"

	"contend/model"
)

// termOf returns the term of a message, and whether its sender leads in that term.
func termOf(m any) (term int, leads bool) {
	switch m := m.(type) {
	case Vote:
		return m.Term, false
	case VoteResp:
		return m.Term, false
	case App:
		return m.Term, true
	case AppResp:
		return m.Term, false
	case Snap:
		return m.Term, true
	case Beat:
		return m.Term, true
	case BeatResp:
		return m.Term, false
	}
	return 0, false
}

// Receive implements Step of the library.
func (s *Server) Receive(env model.Env, sender model.NodeID, m any) {
	from := int(sender) + 1
	term, leads := termOf(m)
	switch {
	case term < s.Term:
		return
	case term > s.Term && leads, term == s.Term && leads && s.Role == Candidate:
		s.follow(env, term, from)
	case term > s.Term:
		s.follow(env, term, 0)
	}
	if leads && s.Role == Leader {
		return
	}
	if leads {
		s.Lead = from
	}
	switch m := m.(type) {
	case Vote:
		s.vote(env, from, m)
	case VoteResp:
		s.count(env, from, m)
	case App:
		s.extend(env, from, m)
	case AppResp:
		if s.Role == Leader && s.Conf.all().has(from) && !m.Reject && m.Index > s.Match[from] {
			s.Match[from] = m.Index
			s.advance()
		}
	case Snap: // an old one, since all have committed the first entry
		s.send(env, from, AppResp{Term: s.Term, Index: s.Commit})
	case Beat:
		s.commitTo(m.Commit)
		s.send(env, from, BeatResp{s.Term})
	}
}

// vote answers a candidate. The vote is recorded after the answer is logged.
func (s *Server) vote(env model.Env, from int, m Vote) {
	can := s.Vote == from || s.Vote == 0 && s.Lead == 0
	last := s.term(len(s.Log))
	if !can || m.LogTerm < last || m.LogTerm == last && m.Index < len(s.Log) {
		s.send(env, from, VoteResp{Term: s.Term, Reject: true})
		return
	}
	s.send(env, from, VoteResp{Term: m.Term})
	s.Vote = from
}

// count counts a vote. A candidate without hope follows.
func (s *Server) count(env model.Env, from int, m VoteResp) {
	if s.Role != Candidate {
		return
	}
	switch {
	case s.Yes.has(from) || s.No.has(from):
	case m.Reject:
		s.No = s.No.with(from)
	default:
		s.Yes = s.Yes.with(from)
	}
	switch {
	case s.Conf.quorum(s.Yes):
		s.lead(env)
	case !s.Conf.quorum(s.Conf.all() &^ s.No):
		s.follow(env, s.Term, 0)
	}
}

func (s *Server) lead(env model.Env) {
	self := me(env)
	s.reset(s.Term)
	s.Role, s.Lead, s.Match = Leader, self, make([]int, s.size+1)
	s.Match[self] = len(s.Log)
	s.Pending = len(s.Log)
	s.show(env, "BecomeLeader")
	s.append(env, Entry{})
}

// extend takes entries of a leader, or answers with the last index at which the logs may agree.
func (s *Server) extend(env model.Env, from int, m App) {
	switch {
	case m.Index < s.Commit:
		s.send(env, from, AppResp{Term: s.Term, Index: s.Commit})
	case m.Index <= len(s.Log) && s.term(m.Index) == m.LogTerm:
		for k, e := range m.Entries {
			if i := m.Index + 1 + k; s.term(i) != e.Term {
				model.Assert(i > s.Commit, "the entry at %d is committed, and replaced", i)
				s.keep(i)
				s.Log = append(slices.Clone(s.Log[:i-1]), m.Entries[k:]...)
				break
			}
		}
		s.commitTo(min(m.Commit, m.Index+len(m.Entries)))
		s.send(env, from, AppResp{Term: s.Term, Index: m.Index + len(m.Entries)})
	default:
		i := min(m.Index, len(s.Log))
		for i > 0 && s.term(i) > m.LogTerm {
			i--
		}
		s.send(env, from, AppResp{Term: s.Term, Index: m.Index, Reject: true, Hint: i, LogTerm: s.term(i)})
	}
}

func (s *Server) commitTo(i int) {
	model.Assert(i <= len(s.Log), "the entry at %d is committed, and is not there", i)
	s.Commit = max(s.Commit, i)
}
