package traced

import "contend/model"

// The alarms. All are always set, since the page does not say when something happens.
type (
	campaign struct{}
	propose  struct{}
	change   struct{} // choices: how many changes, and of each the member and whether it leaves
	leave    struct{}
	appends  struct{} // choices: to whom, after which index, how many entries
	snap     struct{} // choice: to whom
	beat     struct{} // choice: to whom
	apply    struct{}
	ready    struct{}
)

var alarms = []any{campaign{}, propose{}, change{}, leave{}, appends{}, snap{}, beat{}, apply{}, ready{}}

// Start begins with an empty log, with the entry at index 1, of term 1, that has the configuration of all members, or with
// what was written before a crash.
func (s *Server) Start(env model.Env) {
	switch {
	case s.Disk[1].Term > 0:
		s.restore(env)
	case s.bootstrap == 0:
		s.Term, s.Commit, s.Log = 1, 1, []Entry{{Term: 1}}
		s.ready()
		s.ready()
	default:
		s.Log = nil // a crash came before the first Ready
	}
	if s.bootstrap == 0 {
		s.Applied = 1
		for id := 1; id <= s.size; id++ {
			s.Conf.Voters = s.Conf.Voters.with(id)
		}
	}
	empty := Server{Commit: s.Applied, Log: s.Log}
	empty.show(env, "InitState")
	empty.show(env, "ApplyConfChange")
	env.Note(Switches{s.Conf.Voters.ids()})
	s.show(env, "BecomeFollower")
	if me(env) <= s.bootstrap && s.Term == 0 && len(s.Log) == 0 {
		s.boot(env)
	}
	for _, a := range alarms {
		env.After(a, model.Anytime())
	}
}

// boot implements Bootstrap: the first entries add the members, and are committed. The configuration has the members at
// once, and again when the entries are applied.
func (s *Server) boot(env model.Env) {
	s.follow(env, 1, 0)
	s.Commit = s.bootstrap
	for id := 1; id <= s.bootstrap; id++ {
		s.Log = append(s.Log, Entry{Term: 1, Kind: Change, Add: Set(0).with(id)})
	}
	for _, e := range s.Log {
		s.switchTo(env, s.Conf.changed(e))
	}
}

// Timeout implements the alarms.
func (s *Server) Timeout(env model.Env, alarm any) {
	env.After(alarm, model.Anytime())
	switch alarm.(type) {
	case campaign:
		s.campaign(env)
	case propose:
		if s.mayPropose(env) {
			s.append(env, Entry{})
		}
	case change:
		s.change(env)
	case leave:
		if s.mayPropose(env) && s.mayChange(env, s.Conf.Outgoing != 0, "it is in no joint configuration") {
			s.Pending = len(s.Log) + 1
			s.append(env, Entry{Kind: Leave})
		}
	case appends:
		s.appends(env)
	case snap:
		if to := env.Choose(s.size + 1); s.maySend(env, to) && permits(env, s.bootstrap == 0, "it has no snapshot") {
			s.send(env, to, Snap{s.Term, 1})
		}
	case beat:
		to := env.Choose(s.size + 1)
		if s.maySend(env, to) {
			s.send(env, to, Beat{s.Term, min(s.Match[to], s.Commit)})
		}
	case apply:
		s.apply(env)
	case ready:
		s.ready()
	}
}

// permits reports whether a step is permitted, and notes why not.
func permits(env model.Env, ok bool, why string) bool {
	if !ok {
		env.Note(Refuses{why})
	}
	return ok
}

func (s *Server) mayPropose(env model.Env) bool {
	return permits(env, s.Role == Leader && s.Conf.all().has(me(env)), "it does not lead, or is no member")
}

// mayChange reports whether the leader may propose a change.
func (s *Server) mayChange(env model.Env, ok bool, why string) bool {
	return permits(env, s.Pending <= s.mayHaveApplied(), "its last change, or what it began its term with, is not applied") && permits(env, ok, why)
}

func (s *Server) maySend(env model.Env, to int) bool {
	return permits(env, s.Role == Leader, "it does not lead") && permits(env, to != me(env) && s.Conf.all().has(to), "the receiver is no other member")
}

func (s *Server) campaign(env model.Env) {
	self := me(env)
	if !permits(env, s.Role != Leader && s.Conf.all().has(self), "it leads, or is no member") ||
		!permits(env, s.mayHaveApplied() == s.Commit, "it has a committed change to apply") {
		return
	}
	s.reset(s.Term + 1)
	s.Vote, s.Role = self, Candidate
	s.show(env, "BecomeCandidate")
	for _, id := range s.Conf.all().ids() {
		if id == self {
			s.send(env, id, VoteResp{Term: s.Term})
		} else {
			s.send(env, id, Vote{s.Term, len(s.Log), s.term(len(s.Log))})
		}
	}
}

func (s *Server) change(env model.Env) {
	e := Entry{Kind: Change}
	for range env.Choose(s.size + 1) {
		if id := env.Choose(s.size + 1); env.Choose(2) == 1 {
			e.Remove = e.Remove.with(id)
		} else {
			e.Add = e.Add.with(id)
		}
	}
	if s.mayPropose(env) && s.mayChange(env, s.Conf.Outgoing == 0, "it is in a joint configuration") &&
		permits(env, e.Add|e.Remove != 0 && !(e.Add|e.Remove).has(0), "it changes no member") {
		s.show(env, "ChangeConf")
		s.Pending = len(s.Log) + 1
		s.append(env, e)
	}
}

func (s *Server) appends(env model.Env) {
	to, after := env.Choose(s.size+1), env.Choose(len(s.Log)+1)
	count := env.Choose(len(s.Log) - after + 1)
	if s.maySend(env, to) {
		s.send(env, to, App{s.Term, after, s.term(after), s.Commit, s.Log[after : after+count]})
	}
}

// apply applies the next committed change. When other entries are applied does not show.
func (s *Server) apply(env model.Env) {
	i := s.mayHaveApplied()
	if !permits(env, i < s.Commit, "no committed change is left to apply") {
		return
	}
	next := s.Conf.changed(s.Log[i])
	s.Applied = i + 1
	before := s.Conf
	s.switchTo(env, next)
	for id := range s.Match {
		if !before.all().has(id) || !next.all().has(id) {
			s.Match[id] = 0
		}
	}
	if s.Role == Leader && s.Conf.all().has(me(env)) {
		s.advance()
	}
}

// switchTo switches to a configuration.
func (s *Server) switchTo(env model.Env, next Conf) {
	s.show(env, "ApplyConfChange")
	env.Note(Switches{next.Voters.ids()})
	s.Conf = next
}

// mayHaveApplied returns the index up to which entries may be applied: up to the next change that is not.
func (s *Server) mayHaveApplied() int {
	i := s.Applied
	for i < s.Commit && s.Log[i].Kind == Normal {
		i++
	}
	return i
}
