package chandylamport

import (
	"contend/model"
	"contend/model/variant"
)

// options are other readings, other graphs, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "one-by-one", Title: "reading: markers are sent in steps of their own, each before further messages on its channel",
		Edit: variant.Nodes(func(p Process) model.Node { return &unhurriedProcess{Process: p} }),
	},
	{
		Name: "ring", Title: "the channels form a ring in one direction: a path leads from each process to each other one",
		Edit: func(s *model.System) {
			n := len(s.Nodes)
			connect(func(p, q int) bool { return q == (p+1)%n })(s)
		},
		Show: model.Check{Config: sized(3, 2, 1)},
	},
	{
		Name: "always-records", Title: "a process records its channels from the beginning, and begins anew when it records its state",
		Edit: variant.Nodes(func(p Process) model.Node { return &eagerProcess{p} }),
	},
}

// mark is the alarm of a postponed marker on one channel.
type mark struct{ To model.NodeID }

type unhurriedProcess struct {
	Process
	Due map[model.NodeID]bool
}

// Timeout sends a postponed marker, or does what the process does at an alarm.
func (p *unhurriedProcess) Timeout(env model.Env, event any) {
	if m, is := event.(mark); is {
		delete(p.Due, m.To)
		env.Send(m.To, Marker{})
		return
	}
	p.Process.Timeout(unhurried{env, p}, event)
}

// Receive handles a message, and postpones markers.
func (p *unhurriedProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(unhurried{env, p}, from, m)
}

// unhurried is an environment that postpones markers.
type unhurried struct {
	model.Env
	p *unhurriedProcess
}

// Broadcast postpones the markers.
func (u unhurried) Broadcast(to []model.NodeID, _ any) {
	for _, id := range to {
		u.p.Due[id] = true
		u.After(mark{id}, model.Anytime())
	}
}

// Send sends a postponed marker before the message.
func (u unhurried) Send(to model.NodeID, m any) {
	if u.p.Due[to] {
		delete(u.p.Due, to)
		u.Cancel(mark{to})
		u.Env.Send(to, Marker{})
	}
	u.Env.Send(to, m)
}

type eagerProcess struct{ Process }

// Receive opens the record of a channel at its first message.
func (p *eagerProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, started := p.Channels[from]; !started {
		p.Channels[from] = Channel{}
	}
	p.Process.Receive(env, from, m)
}
