package member

import "contend/model"

// observe notes what a handler has done that claims speak of.
func (p *Peer) observe(env model.Env, was look) {
	is := p.look()
	if is.leads() && (!was.leads() || was.status.Term != is.status.Term) {
		env.Note(Elected{is.status.Term, is.first.Index + 1, is.log})
	} else if is.leads() {
		noteLog(env, was, is)
	}
	if is.status.Commit > p.Known {
		p.Known = is.status.Commit
		env.Note(Committed{})
	}
	p.regress(env)
}

// asked notes what becomes of one who is asked for a vote, where it is to give none. A pre-vote
// changes neither term nor vote; and with CheckQuorum, who has heard from a leader within the
// election time-out votes for nobody, but for one whom the leader has told to campaign.
func (p *Peer) asked(env model.Env, m any, was look, elapsed int) {
	var keeps bool
	switch m := m.(type) {
	case MsgPreVote:
		keeps = true
	case MsgVote:
		is := m.decode()
		keeps = p.cfg.Options.CheckQuorum && was.status.Lead != 0 && elapsed < p.cfg.raft(p).ElectionTick &&
			is.Term > was.status.Term && len(is.Context) == 0
	}
	if keeps {
		is := p.Node.BasicStatus()
		env.Note(Granted{true, is.Term != was.status.Term || is.Vote != was.status.Vote})
	}
}

// handed notes that the leader tells another to campaign at once.
func (p *Peer) handed(env model.Env, to uint64) {
	last, err := p.Storage.LastIndex()
	check(err)
	env.Note(Handed{to, p.Node.Status().Progress[to].Match, last})
}

// introduce notes what a peer that starts has done before anybody looked: where the group begins
// with a leader.
func (p *Peer) introduce(env model.Env) {
	is := p.look()
	if is.leads() {
		env.Note(Elected{is.status.Term, is.first.Index + 1, is.log})
	}
	for _, e := range is.log {
		if e.Index <= p.App.Applied {
			env.Note(Applied{e, is.status.Term})
		}
	}
}

// noteLog says what has become of the log of one who leads on: nothing but more entries, or
// else it has overwritten some.
func noteLog(env model.Env, was, is look) {
	for _, e := range was.log {
		i := int(e.Index) - int(is.first.Index) - 1
		if i >= len(is.log) || i >= 0 && is.log[i] != e {
			env.Note(Overwrote{was.log, is.log})
			return
		}
	}
	if more := is.last() - was.last(); more > 0 {
		env.Note(Wrote{int(more)})
	}
}

func (l look) last() uint64 { return l.first.Index + uint64(len(l.log)) }

// regress says when the commit index is below what it has been.
func (p *Peer) regress(env model.Env) {
	if commit := p.Node.BasicStatus().Commit; commit < p.Known {
		env.Note(Regressed{p.Known, commit})
		p.Known = commit
	}
}
