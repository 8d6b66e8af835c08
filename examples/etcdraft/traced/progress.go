package traced

import "contend/model"

// A Progress is what a leader knows of a follower, besides the index up to which their logs are equal. A leader probes a
// follower with one message at a time until one is accepted; then it sends all entries at once.
type Progress struct {
	Next   int  // the index of the next entry to send
	Sent   int  // the commit index that was sent last
	Probe  bool // it probes
	Paused bool // it waits for an answer
}

// handle handles a message as the permitting page does, and sends what the library sends then.
func (s *Stepper) handle(e *step, from model.NodeID, m any) {
	id, term, led, commit := int(from)+1, s.Term, s.Role == Leader, s.Commit
	match := 0
	if led {
		match = s.Match[id]
	}
	s.Server.Receive(e, from, m)
	switch {
	case s.Role != Leader:
		s.Peers = nil
	case !led:
		s.elected(e)
	case term == s.Term && s.Conf.all().has(id):
		switch m := m.(type) {
		case AppResp:
			s.answered(e, id, m, m.Index > match, s.Commit > commit)
		case BeatResp:
			if m.Term == s.Term {
				s.beaten(e, id)
			}
		}
	}
}

// elected begins to lead: the leader probes all others with its first entry.
func (s *Stepper) elected(e *step) {
	s.Peers = make([]Progress, s.size+1)
	for id := range s.Peers {
		s.Peers[id] = Progress{Next: len(s.Log), Probe: true}
	}
	s.Peers[me(e)].Probe = false
	s.toAll(e)
}

// toAll sends all others what they lack, or a message without entries.
func (s *Stepper) toAll(e *step) {
	for _, id := range s.Conf.all().ids() {
		if id != me(e) {
			s.to(e, id, true)
		}
	}
}

// to sends a follower the next entries, unless the leader waits for it. It reports whether it has sent a message.
func (s *Stepper) to(e *step, id int, empty bool) bool {
	p := &s.Peers[id]
	last := len(s.Log)
	if s.most > 0 {
		last = min(last, p.Next-1+s.most)
	}
	entries := s.Log[p.Next-1 : last]
	if p.Paused || len(entries) == 0 && !empty {
		return false
	}
	s.send(e, id, App{s.Term, p.Next - 1, s.term(p.Next - 1), s.Commit, entries})
	p.Sent = s.Commit
	if p.Probe {
		p.Paused = p.Paused || len(entries) > 0
	} else {
		p.Next += len(entries)
	}
	return true
}

// answered handles the answer to an append of the present term. It is told whether the follower has accepted more than
// before, and whether the commit index has risen.
func (s *Stepper) answered(e *step, id int, m AppResp, more, committed bool) {
	p := &s.Peers[id]
	switch {
	case m.Term < s.Term:
	case m.Reject:
		s.rejected(e, id, m)
	case more || p.Probe && m.Index == s.Match[id]:
		if more {
			p.Next, p.Paused = max(p.Next, m.Index+1), false
		}
		if p.Probe {
			p.Next, p.Probe, p.Paused = s.Match[id]+1, false, false
		}
		switch {
		case committed:
			s.toAll(e)
		case id != me(e) && s.Commit > p.Sent && p.Sent < p.Next-1:
			s.to(e, id, true)
		}
		for id != me(e) && s.to(e, id, false) {
		}
	}
}

// rejected goes back in the follower's log, and probes again. An old answer is ignored.
func (s *Stepper) rejected(e *step, id int, m AppResp) {
	p := &s.Peers[id]
	switch {
	case p.Probe && p.Next-1 != m.Index, !p.Probe && m.Index <= s.Match[id]:
		return
	case p.Probe:
		hint := m.Hint
		for m.LogTerm > 0 && hint > 0 && s.term(hint) > m.LogTerm {
			hint--
		}
		p.Next = max(min(m.Index, hint+1), s.Match[id]+1)
	default:
		p.Next, p.Probe = s.Match[id]+1, true
	}
	p.Sent, p.Paused = min(p.Sent, p.Next-1), false
	s.to(e, id, true)
}

// switches applies a change of the members, and sends what they lack.
func (s *Stepper) switches(e *step) {
	commit := s.Commit
	s.apply(e)
	switch {
	case s.Role != Leader || !s.Conf.all().has(me(e)):
	case s.Commit > commit:
		s.toAll(e)
	default:
		for _, id := range s.Conf.all().ids() {
			if id != me(e) {
				s.to(e, id, false)
			}
		}
	}
}

// beats sends heartbeats.
func (s *Stepper) beats(e *step) {
	for _, id := range s.Conf.all().ids() {
		if id != me(e) {
			s.Peers[id].Sent = min(s.Match[id], s.Commit)
			s.send(e, id, Beat{s.Term, s.Peers[id].Sent})
		}
	}
}

// beaten handles the answer to a heartbeat.
func (s *Stepper) beaten(e *step, id int) {
	p := &s.Peers[id]
	p.Paused = false
	if s.Match[id] < len(s.Log) || p.Probe {
		s.to(e, id, true)
	}
}
