package group

import (
	"contend/examples/etcdraft/member"
	"contend/model"
)

// mutants are mistakes of the library's users.
var mutants = []model.Variant{
	{
		Name: "sends-first", Title: "messages are sent before anything is written, and a crash takes what was not written",
		Breaks: electionSafety, Show: crashes(electionSafety, Candidates.Is(2), Proposals.Is(0)),
		Edit: writesLast,
	},
	{
		Name: "vote-not-written", Title: "the vote is not written: a peer that comes back votes again in the same term",
		Breaks: electionSafety, Show: crashes(electionSafety, Candidates.Is(2), Proposals.Is(0)),
		Edit: func(s *model.System) { setup(s).Survives = (*member.Peer).WithoutHardState },
	},
	{
		Name: "log-lost", Title: "a peer comes back without its log",
		Breaks: leaderCompleteness, Show: crashes(leaderCompleteness, Candidates.Is(2), Proposals.Is(0)),
		Edit: func(s *model.System) { setup(s).Survives = (*member.Peer).WithoutEntries },
	},
	{
		Name: "applies-early", Title: "entries are applied when they are written, not when they are committed",
		Breaks: stateMachine, Show: model.Check{Config: model.Config{N: 3}.With(Candidates.Is(2), Proposals.Is(0))},
		Edit: handle((*member.Peer).ApplyEarly),
	},
	{
		Name: "returns-unwritten", Title: "an operation returns before its entry is written",
		Breaks: linearizable, Show: single(Proposals.Is(1), Reads.Is(1), Campaigns.Is(2)),
		Edit: writesLast,
	},
	{
		Name: "state-lost", Title: "a peer that comes back says that all is applied which ever was, but its list is that of the last snapshot",
		Breaks: linearizable, Show: single(Proposals.Is(1), Reads.Is(1), Campaigns.Is(2)),
		Edit: func(s *model.System) { setup(s).Recovered = (*member.Peer).Forgets },
	},
	{
		Name: "reads-at-once", Title: "a peer that leads answers a read at once",
		Breaks: linearizable, Show: reading(Led.Is(1), Candidates.Is(1)),
		Edit: func(s *model.System) { setup(s).ReadIndex = (*member.Peer).ReadAtOnce },
	},
	{
		Name: "reads-unapplied", Title: "a read is answered before the entries through its index are applied",
		Breaks: linearizable, Show: reading(Led.Is(1), Candidates.Is(1)),
		Edit: func(s *model.System) { setup(s).Fresh = (*member.Peer).Unwaiting },
	},
	{
		Name: "hard-state-first", Title: "as torn, but the hard state is written first, as doc.go names the parts: a commit index above the log, at which the library panics when the peer comes back",
		Breaks: comesBack, Show: model.Check{Config: model.Config{N: 3}.With(Led.Is(1), Candidates.Is(0)), Claims: []string{comesBack}},
		Edit: handle(member.Torn(member.HardState, member.Entries, member.Snapshot)),
	},
	{
		Name: "snapshot-last", Title: "as torn, but the snapshot is written after the hard state, as README.md orders the parts",
		Breaks: comesBack, Show: snapshots,
		Edit: handle(member.Torn(member.Entries, member.HardState, member.Snapshot)),
	},
	{
		Name: "snapshot-first", Title: "as torn, but the snapshot is written before the hard state",
		Breaks: comesBack, Show: snapshots,
		Edit: handle(member.Torn(member.Snapshot, member.Entries, member.HardState)),
	},
	{
		Name: "same-context", Title: "all reads have one context: an answer to the first confirms the second",
		Breaks: linearizable, Show: reading(Led.Is(1), Candidates.Is(1)),
		Edit: func(s *model.System) {
			setup(s).ReadIndex = (*member.Peer).SameContext
			s.Nodes[0].Script = ops(member.Read{ID: "r1"}, member.Read{ID: "r2"})
		},
	},
}

// ops returns a script.
func ops(calls ...any) (script []model.Op) {
	for _, c := range calls {
		script = append(script, model.Op{Call: c, After: model.Anytime()})
	}
	return script
}

// writesLast makes peers write after all other work.
func writesLast(s *model.System) {
	setup(s).Begins, setup(s).Survives = (*member.Peer).Remember, (*member.Peer).Unwritten
}

// snapshots is a check in which a peer that lags is sent a snapshot.
var snapshots = model.Check{Config: model.Config{N: 3}.With(Led.Is(1), Candidates.Is(0), Compact.Is(1)), Claims: []string{comesBack}}

// crashes returns a check of three peers. One peer may crash and recover.
func crashes(claim string, settings ...model.Setting) model.Check {
	return model.Check{Config: model.Config{N: 3, Faults: model.Faults{Restarts: 1}}.With(settings...), Claims: []string{claim}}
}

// single returns a check of one peer that may crash and recover.
func single(settings ...model.Setting) model.Check {
	return model.Check{Config: model.Config{N: 1, Faults: model.Faults{Restarts: 1}}.With(settings...), Claims: []string{linearizable}}
}

// reading returns a check in which one leader may follow another.
func reading(settings ...model.Setting) model.Check {
	c := model.Config{N: 3}.With(Candidates.Is(2), Proposals.Is(1), Reads.Is(1))
	return model.Check{Config: c.With(settings...), Claims: []string{linearizable}}
}

// handle makes the peers handle a Ready by another function.
func handle(h member.Handler) func(*model.System) {
	return func(s *model.System) { setup(s).Handle = h }
}
