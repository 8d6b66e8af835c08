package threephase

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, and faults that violate an assumption, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "partitioned", Title: "beyond: time-outs decide, and the network is cut: one side commits, and the other aborts",
		Breaks: same, Edit: timed, Show: model.Check{Config: sized(2, model.Faults{Partitions: 1}), Reading: model.Grid},
	},
	{
		Name: "half-way", Title: "time-outs decide, and the coordinator crashes between two copies of a command",
		Breaks: same, Edit: halfWay, Show: model.Check{Config: sized(3, model.Faults{Crashes: 1}), Reading: model.Grid, Claims: []string{same}},
	},
	{
		Name: "suspected", Title: "beyond: the failure detector has two processes suspect each other, as if the network were cut",
		Breaks: same, Show: model.Check{Config: sized(2, model.Faults{Suspicions: 2}), AssumeAnyway: true},
		Edit: func(s *model.System) {
			s.Detector.Kind, s.Detector.Mistake = model.EventuallyPerfect, model.Anytime()
		},
	},
	{
		Name: "cut-off", Title: "beyond: messages are lost to a partition that the failure detector does not report",
		Breaks: lively, Show: model.Check{Config: sized(2, model.Faults{Partitions: 1}), AssumeAnyway: true},
	},
	{
		Name: "two-phases", Title: "the coordinator commits when all have voted yes, as in two-phase commit",
		Breaks: certain, Edit: follow(twoPhases{}), Show: check(2, 0),
	},
	{
		Name: "one-ack-short", Title: "the coordinator commits when one acknowledgement is missing",
		Breaks: certain, Edit: follow(oneAckShort{}), Show: check(3, 0),
	},
	{
		Name: "one-vote-short", Title: "the coordinator takes a vote that is missing for a yes",
		Breaks: unanimous, Edit: follow(oneVoteShort{}), Show: check(2, 1),
	},
	{
		Name: "aborts-without-reason", Title: "the coordinator may abort when all have voted yes",
		Breaks: diligent, Edit: follow(aborting{}), Show: check(2, 0),
	},
	{
		Name: "aborts-without-ack", Title: "the coordinator aborts when a process crashes before it acknowledges, as often described",
		Breaks: same, Edit: follow(abortsUnacked{}), Show: check(3, 2),
	},
	{
		Name: "waits-for-the-dead", Title: "the coordinator waits for acknowledgements of processes that have crashed",
		Breaks: lively, Edit: follow(waitsForAll{}), Show: check(2, 1),
	},
	{
		Name: "nobody-takes-over", Title: "nobody takes over from a coordinator that has crashed: the others are blocked",
		Breaks: lively, Edit: follow(leaderless{}), Show: check(2, 1),
	},
	{
		Name: "late-commands", Title: "a process obeys an earlier coordinator whose message comes late",
		Breaks: same, Edit: follow(heedsAll{}), Show: check(3, 2),
	},
	{
		Name: "unreported-commands", Title: "a process obeys an earlier coordinator until the detector has reported its crash",
		Breaks: same, Edit: follow(heedsUnreported{}), Show: check(3, 2),
	},
	{
		Name: "uncertain-commit", Title: "where all are uncertain, they commit",
		Breaks: unanimous, Edit: follow(uncertainCommit{}), Show: check(3, 2),
	},
	{
		Name: "precommitted-abort", Title: "a new coordinator aborts unless one has committed",
		Breaks: same, Edit: follow(precommittedAbort{}), Show: check(2, 1),
	},
	{
		Name: "commits-at-once", Title: "a new coordinator that finds one precommitted commits at once",
		Breaks: certain, Edit: follow(commitsAtOnce{}), Show: check(3, 1),
	},
	{
		Name: "own-state-left-out", Title: "a new coordinator that has decided takes itself for precommitted",
		Breaks: final, Edit: variant.Nodes(func(p Process) model.Node { return &modestProcess{p} }), Show: check(3, 1),
	},
}

func check(n, crashes int) model.Check {
	return model.Check{Config: sized(n, model.Faults{Crashes: crashes})}
}

// halfWay is an edit: time-outs decide, and commands are sent one after another.
var halfWay = variant.All(timed, variant.Nodes(func(p TimedProcess) model.Node { return &slowProcess{TimedProcess: p} }))

type slowProcess struct {
	TimedProcess
	Outbox multicast.Outbox
}

// Receive handles a message, and queues the commands in the outbox.
func (p *slowProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.TimedProcess.Receive(p.Outbox.Through(env), from, m)
}

// Timeout sends the next command of the outbox, or does what the process does at an alarm.
func (p *slowProcess) Timeout(env model.Env, key any) {
	if _, is := key.(multicast.Next); is {
		p.Outbox.Step(env)
		return
	}
	p.TimedProcess.Timeout(p.Outbox.Through(env), key)
}

type twoPhases struct{ Spec }

// Acked commits without acknowledgements.
func (twoPhases) Acked(*Process) State { return Committed }

type oneAckShort struct{ Spec }

// Acked accepts one acknowledgement less.
func (oneAckShort) Acked(p *Process) State {
	if len(p.Heard) >= p.cfg.N-1 {
		return Committed
	}
	return Precommitted
}

type oneVoteShort struct{ Spec }

// Voted ignores the votes of crashed processes.
func (oneVoteShort) Voted(p *Process) State {
	for _, s := range p.Heard {
		if s == Aborted {
			return Aborted
		}
	}
	if p.heardAll() {
		return Precommitted
	}
	return Ready
}

type aborting struct{ Spec }

// Voted aborts after any votes.
func (aborting) Voted(p *Process) State {
	if len(p.Heard) == p.cfg.N {
		return Aborted
	}
	return Ready
}

type abortsUnacked struct{ Spec }

// Acked aborts if a crashed process has not acknowledged.
func (abortsUnacked) Acked(p *Process) State {
	for id := range p.Down {
		if _, acked := p.Heard[id]; !acked {
			return Aborted
		}
	}
	return Spec{}.Acked(p)
}

type waitsForAll struct{ Spec }

// Acked waits for all processes, also crashed ones.
func (waitsForAll) Acked(p *Process) State {
	if len(p.Heard) == p.cfg.N {
		return Committed
	}
	return Precommitted
}

type leaderless struct{ Spec }

// TakesOver returns false.
func (leaderless) TakesOver(*Process, model.NodeID) bool { return false }

type heedsAll struct{ Spec }

// Heeds returns true.
func (heedsAll) Heeds(*Process, model.NodeID) bool { return true }

type heedsUnreported struct{ Spec }

// Heeds returns true for every process that is not known to have crashed.
func (heedsUnreported) Heeds(p *Process, coordinator model.NodeID) bool { return !p.Down[coordinator] }

type uncertainCommit struct{ Spec }

// Terminates precommits if all are uncertain.
func (uncertainCommit) Terminates(states map[model.NodeID]State) State {
	for _, s := range states {
		if s != Ready {
			return Spec{}.Terminates(states)
		}
	}
	return Precommitted
}

type precommittedAbort struct{ Spec }

// Terminates aborts unless a process has committed.
func (precommittedAbort) Terminates(states map[model.NodeID]State) State {
	if s := (Spec{}).Terminates(states); s == Committed {
		return s
	}
	return Aborted
}

type commitsAtOnce struct{ Spec }

// Terminates skips the second phase.
func (commitsAtOnce) Terminates(states map[model.NodeID]State) State {
	if s := (Spec{}).Terminates(states); s == Aborted {
		return s
	}
	return Committed
}

type modestProcess struct{ Process }

// Suspect changes committed into precommitted.
func (p *modestProcess) Suspect(env model.Env, id model.NodeID) {
	if p.State == Committed && p.Coordinator != env.Self() {
		p.become(env, Precommitted)
	}
	p.Process.Suspect(env, id)
}
