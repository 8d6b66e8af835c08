package member

import "contend/model"

// observe notes the effects of a handler that claims refer to.
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

// noteVote notes the reaction of a peer that is asked for a vote but must not grant it. A pre-vote changes
// neither term nor vote. With CheckQuorum, a peer that has heard from a leader within the election time-out
// votes for nobody. The only exception is a candidate that the leader has told to campaign.
func (p *Peer) noteVote(env model.Env, m any, was look, elapsed int) {
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

// noteTransfer notes that the leader asks another peer to campaign at once.
func (p *Peer) noteTransfer(env model.Env, to uint64) {
	last, err := p.Storage.LastIndex()
	check(err)
	env.Note(Handed{to, p.Node.Status().Progress[to].Match, last})
}

// introduce notes the effects of a peer's steps before the run, if the group begins with a leader.
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

// noteLog notes a change of the log of a peer that remains leader: appended entries, or overwritten entries.
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

// regress notes that the commit index has decreased.
func (p *Peer) regress(env model.Env) {
	if commit := p.Node.BasicStatus().Commit; commit < p.Known {
		env.Note(Regressed{p.Known, commit})
		p.Known = commit
	}
}
