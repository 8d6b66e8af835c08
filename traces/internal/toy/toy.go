// Package toy has the shared helpers of the tests of traces: a protocol with every kind of event, and runs of
// protocols.
package toy

import (
	"errors"

	"contend/impl/backoff"
	"contend/model"
)

// Protocol has the kinds of events and claims that backoff does not have.
var Protocol = &model.Protocol{
	Name:   "toy",
	Params: []model.Parameter{model.N.WithDefault(1), model.Clients.WithDefault(1), model.Delay, backoff.Section},
	Build:  buildToy,
	Claims: []model.Claim{
		{Name: "patience", Monitor: func(*model.System) model.Monitor { return &patience{} }},
		{Name: "two", Invariant: noTwo},
		{Name: "progress", Done: true},
		{Name: "in the end", Kind: model.Eventually, Done: true},
		{Name: "always possible", Kind: model.PossibleFromEverywhere, Done: true},
		{Name: "seen", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &seen{} }},
		{Name: "object", Kind: model.Linearizable, Object: model.Object{Init: 0}},
	},
}

type (
	question struct{}
	answer   struct{ Is int }
	call     struct{}
	leave    struct{}
	tick     struct{}
	late     struct{}
	oracle   struct{ Ticks int }
)

// An Asker asks all oracles, and stores the first answer.
type Asker struct {
	servers []model.NodeID
	Answer  int
	Asked   bool
}

// Invoke asks, or leaves the section.
func (a *Asker) Invoke(env model.Env, op any) {
	if _, leaving := op.(leave); leaving {
		a.Asked = false
		return
	}
	a.Asked = true
	env.Broadcast(a.servers, question{})
}

// Receive stores an answer.
func (a *Asker) Receive(env model.Env, _ model.NodeID, m any) {
	if a.Asked && a.Answer == 0 {
		a.Answer = m.(answer).Is
		env.Deliver(m)
		env.Return(a.Answer)
	}
}

// Suspect ignores the report.
func (*Asker) Suspect(model.Env, model.NodeID) {}

// Trust ignores the report.
func (*Asker) Trust(model.Env, model.NodeID) {}

func (*oracle) Start(env model.Env) { env.After(tick{}, model.Exactly(2)) }

func (o *oracle) Timeout(env model.Env, key any) { o.Ticks++; env.Note(key) }

func (*oracle) Receive(env model.Env, from model.NodeID, _ any) {
	env.Send(from, answer{1 + env.Choose(2)})
}

// buildToy creates n oracles. One oracle is Byzantine.
func buildToy(c model.Config) (*model.System, error) {
	if c.N > 3 {
		return nil, errors.New("n is above 3")
	}
	s := &model.System{
		Network: model.Network{Channel: model.FIFO, Delay: model.By(model.Delay.Of(c))},
		Types:   []any{question{}, answer{}, call{}, leave{}, tick{}, late{}},
		Forge: func(receiver model.Node, _, _ model.NodeID) []any {
			if _, ok := receiver.(*Asker); ok {
				return []any{answer{1}, answer{2}}
			}
			return nil
		},
	}
	var servers []model.NodeID
	for i := range c.N {
		servers = append(servers, model.NodeID(i))
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "s" + string(rune('1'+i)), Role: model.Server, New: func() model.Node { return &oracle{} }})
	}
	if c.N > 1 {
		s.Nodes[1].Crash = model.CrashStopRecovery
		s.Detector = model.Detector{Kind: model.EventuallyPerfect, Report: model.By(2), Mistake: model.By(1)}
	}
	s.Nodes = append(s.Nodes,
		model.NodeSpec{Name: "c1", New: func() model.Node { return &Asker{servers: servers} }, Script: []model.Op{
			{Call: call{}, After: model.Between(1, 3), Release: leave{}, Stay: model.Window{Lo: model.Through(1), Hi: model.Below(2)}}}},
		model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	return s, nil
}

// noTwo returns an error if the asker has got the answer 2.
func noTwo(nodes []model.Node) error {
	for _, n := range nodes {
		if a, ok := n.(*Asker); ok && a.Answer == 2 {
			return errors.New("the answer is 2")
		}
	}
	return nil
}

// seen is a witness that is never reached.
type seen struct{}

func (*seen) Observe(model.Watch, model.Observation) {}

func (*seen) Reached() bool { return false }

// patience is violated if the answer is not immediate.
type patience struct{ Waiting bool }

func (p *patience) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		p.Waiting = true
		w.After(late{}, model.Exactly(1))
	case model.Returned:
		p.Waiting = false
		w.Cancel(late{})
	}
}

func (p *patience) Expire(w model.Watch, _ any) { w.Violate("the answer is late") }

func (p *patience) Reached() bool { return !p.Waiting }
