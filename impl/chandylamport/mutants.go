package chandylamport

import (
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, and faults that the paper excludes, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "not-fifo", Title: "beyond the paper: channels do not keep the order of messages",
		Breaks: consistent, Show: check(2, model.Faults{}),
		Edit: func(s *model.System) { s.Network.Channel = model.Bag },
	},
	{
		Name: "message-lost", Title: "beyond the paper: a message is lost",
		Breaks: consistent, Show: assumeAnyway(2, model.Faults{Loss: 1}),
	},
	{
		Name: "message-twice", Title: "beyond the paper: a message arrives twice",
		Breaks: conserved, Show: assumeAnyway(2, model.Faults{Duplication: 1}),
	},
	{
		Name: "process-crashes", Title: "beyond the paper: a process crashes",
		Breaks: terminates, Show: assumeAnyway(2, model.Faults{Crashes: 1}),
	},
	{
		Name: "no-path", Title: "beyond the paper: no path leads from the initiator to another process",
		Breaks: terminates, Show: check(2, model.Faults{}),
		Edit: connect(func(p, q int) bool { return p > q }),
	},
	{
		Name: "markers-late", Title: "a process sends its markers later than it records its state",
		Breaks: consistent, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &lateMarkers{p} }),
	},
	{
		Name: "state-late", Title: "a process that begins a snapshot records its state later than it sends its markers",
		Breaks: theorem, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &lateState{p} }),
	},
	{
		Name: "rule-late", Title: "a process that receives a marker follows the rule later",
		Breaks: consistent, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &lateRule{p} }),
	},
	{
		Name: "not-forwarded", Title: "only who begins a snapshot sends markers",
		Breaks: terminates, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &silentProcess{p} }),
	},
	{
		Name: "not-back", Title: "a process sends no marker to the one that its first marker came from",
		Breaks: terminates, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &forwardProcess{p} }),
	},
	{
		Name: "records-again", Title: "a process records its state with each marker",
		Breaks: theorem, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &againProcess{p} }),
	},
	{
		Name: "state-old", Title: "a process records the state in which it began",
		Breaks: theorem, Show: check(2, model.Faults{}),
		Edit: records(func(p *Process, self model.NodeID) State { return p.cfg.Begins(self) }),
	},
	{
		Name: "work-left-out", Title: "a process records its balance, and not which transfers it has yet to make",
		Breaks: stable, Show: check(2, model.Faults{}),
		Edit: records(func(p *Process, _ model.NodeID) State { return State{Balance: p.State.Balance} }),
	},
	{
		Name: "channels-empty", Title: "a process takes it that channels are empty",
		Breaks: conserved, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &incuriousProcess{p} }),
	},
	{
		Name: "from-the-beginning", Title: "a channel's state has what arrived before the process recorded its own, too",
		Breaks: theorem, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &hoarder{Process: p} }),
	},
	{
		Name: "until-the-last", Title: "a channel is recorded until markers have come on all channels",
		Breaks: conserved, Show: check(3, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &patientProcess{Process: p} }),
	},
	{
		Name: "until-the-first", Title: "the first marker ends the recording of all channels",
		Breaks: theorem, Show: check(3, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &hastyProcess{p} }),
	},
	{
		Name: "message-swallowed", Title: "a message that is recorded is not received by the computation",
		Breaks: unaltered, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &swallowingProcess{p} }),
	},
	{
		Name: "frozen", Title: "a process that has recorded its state makes no further transfer",
		Breaks: transfers, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(p Process) model.Node { return &frozenProcess{p} }),
	},
}

func check(n int, f model.Faults) model.Check {
	return model.Check{Config: variant.Faulty(sized(n, 1, 1), f)}
}

func assumeAnyway(n int, f model.Faults) model.Check {
	return variant.Beyond(sized(n, 1, 1), f)
}

// later is the alarm of a postponed step. From is the sender of the marker, if the step is the receiving rule.
type later struct{ From model.NodeID }

// muted is an environment that drops markers. Broadcast calls to for each receiver, and sends the marker if to returns
// true.
type muted struct {
	model.Env
	to func(model.NodeID) bool
}

// Broadcast sends a marker to some receivers.
func (m muted) Broadcast(to []model.NodeID, marker any) {
	for _, id := range to {
		if m.to(id) {
			m.Send(id, marker)
		}
	}
}

func nobody(model.NodeID) bool { return false }

type lateMarkers struct{ Process }

// Timeout sends the postponed markers.
func (p *lateMarkers) Timeout(env model.Env, event any) {
	switch event.(type) {
	case later:
		p.mark(env)
	case snapshot:
		p.Process.Timeout(muted{env, nobody}, event)
		env.After(later{}, model.Anytime())
	default:
		p.Process.Timeout(env, event)
	}
}

type lateState struct{ Process }

// Timeout records the state after the markers.
func (p *lateState) Timeout(env model.Env, event any) {
	switch event.(type) {
	case later:
		if !p.Recorded.Known {
			p.record(env)
		}
	case snapshot:
		p.mark(env)
		env.After(later{}, model.Anytime())
	default:
		p.Process.Timeout(env, event)
	}
}

type lateRule struct{ Process }

// Receive postpones a marker.
func (p *lateRule) Receive(env model.Env, from model.NodeID, m any) {
	if _, is := m.(Marker); is {
		env.After(later{from}, model.Anytime())
		return
	}
	p.Process.Receive(env, from, m)
}

// Timeout applies the receiving rule to a postponed marker.
func (p *lateRule) Timeout(env model.Env, event any) {
	if l, is := event.(later); is {
		p.receiveMarker(env, l.From)
		return
	}
	p.Process.Timeout(env, event)
}

type silentProcess struct{ Process }

// Receive sends no markers.
func (p *silentProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(muted{env, nobody}, from, m)
}

type forwardProcess struct{ Process }

// Receive sends no marker to the sender.
func (p *forwardProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(muted{env, func(id model.NodeID) bool { return id != from }}, from, m)
}

type againProcess struct{ Process }

// Receive records the state again at each marker.
func (p *againProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, is := m.(Marker); is && p.Recorded.Known {
		p.Recorded = model.Some(p.State)
		env.Note(RecordedState{p.State})
	}
	p.Process.Receive(env, from, m)
}

// records returns an edit in which a process records the state that f returns. Each record of a process's state calls
// f.
func records(f func(p *Process, self model.NodeID) State) func(*model.System) {
	return variant.Nodes(func(p Process) model.Node { return &liar{p, f} })
}

type liar struct {
	Process
	f func(p *Process, self model.NodeID) State
}

// Timeout records another state.
func (p *liar) Timeout(env model.Env, event any) {
	if _, is := event.(snapshot); is {
		defer p.pretend(env)()
	}
	p.Process.Timeout(env, event)
}

// Receive records another state.
func (p *liar) Receive(env model.Env, from model.NodeID, m any) {
	if _, is := m.(Marker); is {
		defer p.pretend(env)()
	}
	p.Process.Receive(env, from, m)
}

// pretend replaces the state of the process until the caller calls end.
func (p *liar) pretend(env model.Env) (end func()) {
	is := p.State
	p.State = p.f(&p.Process, env.Self())
	return func() { p.State = is }
}

type incuriousProcess struct{ Process }

// Receive does not record messages of channels.
func (p *incuriousProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	if c := p.Channels[from]; !c.Done {
		delete(p.Channels, from)
	}
}

type hoarder struct {
	Process
	Before map[model.NodeID]Contents
}

// Receive stores messages that arrive before the process records its state. It adds them to the channel's record when
// the record closes.
func (p *hoarder) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Money:
		if !p.Recorded.Known {
			p.Before[from] = Contents{append(p.Before[from].Messages, m.Amount)}
		}
	case Marker:
		if p.Recorded.Known {
			p.Channels[from] = Channel{Messages: append(p.Before[from].Messages, p.Channels[from].Messages...)}
		}
	}
	p.Process.Receive(env, from, m)
}

type patientProcess struct {
	Process
	Markers int
}

// Receive closes the channels at the last marker.
func (p *patientProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, is := m.(Marker); !is {
		p.Process.Receive(env, from, m)
		return
	}
	if !p.Recorded.Known {
		p.record(env)
		p.mark(env)
	}
	in := p.cfg.In[env.Self()]
	if p.Markers++; p.Markers == len(in) {
		for _, from := range in {
			p.close(env, from)
		}
	}
}

type hastyProcess struct{ Process }

// Receive closes all channels at the first marker.
func (p *hastyProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, is := m.(Marker); !is {
		p.Process.Receive(env, from, m)
		return
	}
	if !p.Recorded.Known {
		p.record(env)
		p.mark(env)
	}
	for _, from := range p.cfg.In[env.Self()] {
		if !p.Channels[from].Done {
			p.close(env, from)
		}
	}
}

type swallowingProcess struct{ Process }

// Receive does not change the balance at a message that it records.
func (p *swallowingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if c, started := p.Channels[from]; started && !c.Done {
		if m, is := m.(Money); is {
			p.State.Balance -= m.Amount
		}
	}
	p.Process.Receive(env, from, m)
}

type frozenProcess struct{ Process }

// Timeout makes no transfer after the record of the state.
func (p *frozenProcess) Timeout(env model.Env, event any) {
	if _, is := event.(transfer); !is || !p.Recorded.Known {
		p.Process.Timeout(env, event)
	}
}
