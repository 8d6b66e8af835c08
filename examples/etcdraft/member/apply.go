package member

import (
	"slices"
	"strings"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
)

// restore replaces the current list by the list of a snapshot.
func (p *Peer) restore(env model.Env, s raftpb.Snapshot) {
	if raft.IsEmptySnap(s) {
		return
	}
	p.Conf = s.Metadata.ConfState
	p.App.Applied, p.App.Values = s.Metadata.Index, values(s.Data)
	env.Note(Installed{s.Metadata.Index, p.App.list()})
}

// apply applies an entry that is committed.
func (p *Peer) apply(env model.Env, e raftpb.Entry) {
	is := entry(e)
	if is.Conf {
		p.reconfigure(env, e)
	} else {
		p.App.apply(is.Data)
	}
	if e.Index != p.App.Applied+1 {
		env.Note(Strayed{p.App.Applied, e.Index})
	}
	p.App.Applied = e.Index
	env.Note(Applied{is, p.Node.BasicStatus().Term})
	if p.App.Waits.For == is.Data && is.Data != "" && !p.App.Waits.Reads {
		p.finish(env, is.Data)
	}
}

// finish returns from the operation whose entry is applied.
func (p *Peer) finish(env model.Env, data string) {
	p.App.Waits = Waiting{}
	if strings.HasPrefix(data, logRead) {
		env.Return(p.App.list())
		return
	}
	env.Return(Done{})
}

// apply appends a value, unless the list already has it: an entry that was proposed once may be in the log
// twice.
func (a *App) apply(data string) {
	if data == "" || strings.HasPrefix(data, logRead) || slices.Contains(a.Values, data) {
		return
	}
	a.Values = append(slices.Clip(a.Values), data)
}

// reconfigure informs the library that a change of the configuration is applied.
func (p *Peer) reconfigure(env model.Env, e raftpb.Entry) {
	var c raftpb.ConfChangeI
	if e.Type == raftpb.EntryConfChange {
		var v1 raftpb.ConfChange
		check(v1.Unmarshal(e.Data))
		c = v1
	} else {
		var v2 raftpb.ConfChangeV2
		check(v2.Unmarshal(e.Data))
		c = v2
	}
	p.Conf = *p.Node.ApplyConfChange(c)
	env.Note(Configured{conf(p.Conf)})
}

// readable stores the index from which on a read may be answered.
func (p *Peer) readable(r raft.ReadState) {
	if w := &p.App.Waits; w.Reads && w.For == string(r.RequestCtx) && w.Index == 0 {
		w.Index = r.Index
	}
}

// answer answers a read when enough is applied.
func (p *Peer) answer(env model.Env) {
	if w := p.App.Waits; w.Reads && w.Index > 0 && p.cfg.Fresh(p, w.Index) {
		p.App.Waits = Waiting{}
		env.Return(p.App.list())
	}
}

// Fresh reports whether all entries through an index are applied.
func (p *Peer) Fresh(index uint64) bool { return p.App.Applied >= index }

// compact creates a snapshot and removes the log up to it, when enough entries are applied.
func (p *Peer) compact() {
	every := p.cfg.Options.Compact
	first, err := p.Storage.FirstIndex()
	check(err)
	if every == 0 || p.App.Applied < first-1+uint64(every) {
		return
	}
	_, err = p.Storage.CreateSnapshot(p.App.Applied, &p.Conf, []byte(p.App.list()))
	check(err)
	check(p.Storage.Compact(p.App.Applied))
}
