package threephase

import (
	"slices"

	"contend/model"
)

// The messages of the three phases: the commands of the coordinator, and the answers.
type (
	CanCommit struct{} // "Ready"
	PreCommit struct{} // "Precommit"
	DoCommit  struct{} // "Commit"
	Abort     struct{} // "Abort"

	Vote struct{ Yes bool } // "ready", if so
	Ack  struct{}           // "precommit"
)

// A State is the state of a process in the transaction, with the names of ThreePhaseCommit.tla.
type State int

// The states, q, w, p, c and a of Skeen's figures.
const (
	Idle         State = iota
	Ready              // voted yes: it is uncertain
	Precommitted       // knows that all have voted yes
	Committed
	Aborted
)

func (s State) String() string {
	return [...]string{"idle", "ready", "precommitted", "committed", "aborted"}[s]
}

func (s State) decided() bool { return s >= Committed }

// A Phase is the phase of a coordinator. It waits for this kind of answers.
type Phase int

// The phases.
const (
	None   Phase = iota // it is no coordinator, or has decided
	Votes               // "waitingR"
	Acks                // "waitingP"
	States              // of the termination protocol
)

func (p Phase) String() string { return [...]string{"none", "votes", "acks", "states"}[p] }

// begin is the alarm of the first coordinator: CoordReady.
type begin struct{}

// A Process votes on a transaction. The first process is the coordinator.
type Process struct {
	cfg         *Config
	State       State
	Coordinator model.NodeID // its current coordinator
	Down        map[model.NodeID]bool
	Phase       Phase
	Heard       map[model.NodeID]State // by process: the answer in this phase, including its own
}

// Start sets the alarm of the first coordinator.
func (p *Process) Start(env model.Env) {
	if env.Self() == p.Coordinator {
		env.After(begin{}, model.Anytime())
	}
}

// Timeout implements CoordReady: the coordinator votes, and asks the others for their votes.
func (p *Process) Timeout(env model.Env, _ any) {
	if p.vote(env); p.State == Aborted {
		env.Broadcast(p.others(env), Abort{})
		return
	}
	p.wait(env, Votes)
	env.Broadcast(p.others(env), CanCommit{})
	p.proceed(env)
}

// Receive handles a command of a coordinator, or an answer.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Vote:
		p.answer(env, from, Votes, map[bool]State{true: Ready, false: Aborted}[m.Yes])
	case Ack:
		p.answer(env, from, Acks, Precommitted)
	case Report:
		p.answer(env, from, States, m.State)
	default:
		if p.cfg.Rules.Heeds(p, from) {
			p.Coordinator = from
			p.obey(env, from, m)
		}
	}
}

// obey implements ServReady, ServPrecommit, ServRecCommit and ServRecAbort. It reports the state to a new coordinator.
func (p *Process) obey(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case CanCommit:
		if p.State == Idle {
			p.vote(env)
			env.Send(from, Vote{p.State == Ready})
		}
	case PreCommit:
		if p.State == Ready {
			p.become(env, Precommitted)
		}
		env.Send(from, Ack{})
	case DoCommit:
		p.become(env, Committed)
	case Abort:
		p.become(env, Aborted)
	case StateRequest:
		p.giveUp(env)
		env.Send(from, Report{p.State})
	}
}

// vote prepares or aborts the process.
func (p *Process) vote(env model.Env) {
	if env.Choose(2) == 0 {
		p.become(env, Ready)
		return
	}
	p.become(env, Aborted)
}

// wait begins a phase in which the coordinator waits for answers.
func (p *Process) wait(env model.Env, phase Phase) {
	p.Phase = phase
	p.Heard = map[model.NodeID]State{env.Self(): p.State}
}

// answer implements CoordRecReady and CoordRecPrecommit. It also stores the state in a report.
func (p *Process) answer(env model.Env, from model.NodeID, phase Phase, s State) {
	if p.Phase == phase {
		p.Heard[from] = s
		p.proceed(env)
	}
}

// proceed implements CoordPrecommit, CoordCommit and CoordAbort after enough answers. It ends the termination protocol,
// too.
func (p *Process) proceed(env model.Env) {
	switch p.Phase {
	case Votes:
		switch p.cfg.Rules.Voted(p) {
		case Aborted:
			p.decide(env, Aborted)
		case Precommitted:
			p.precommit(env, p.others(env))
		}
	case Acks:
		if s := p.cfg.Rules.Acked(p); s.decided() {
			p.decide(env, s)
		}
	case States:
		p.terminate(env)
	}
}

// precommit sends a precommit to some processes. The other processes are precommitted already.
func (p *Process) precommit(env model.Env, to []model.NodeID) {
	p.become(env, Precommitted)
	p.wait(env, Acks)
	for _, id := range p.others(env) {
		if !slices.Contains(to, id) {
			p.Heard[id] = Precommitted
		}
	}
	env.Broadcast(to, PreCommit{})
	p.proceed(env)
}

// decide makes the coordinator's decision, and sends it to the others.
func (p *Process) decide(env model.Env, s State) {
	p.Phase, p.Heard = None, nil
	p.become(env, s)
	if s == Committed {
		env.Broadcast(p.others(env), DoCommit{})
		return
	}
	env.Broadcast(p.others(env), Abort{})
}

// others returns the other processes that are not known to have crashed.
func (p *Process) others(env model.Env) (ids []model.NodeID) {
	for id := range model.NodeID(p.cfg.N) {
		if id != env.Self() && !p.Down[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

func (p *Process) become(env model.Env, s State) {
	if s != p.State {
		env.Note(Became{s})
	}
	p.State = s
}
