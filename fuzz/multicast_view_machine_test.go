package fuzz

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/view"
	"contend/model"
	"contend/model/world"
)

// memberships is an account of who has which view and what is delivered in it: who goes from one
// view to the next has delivered there what every other did that went the same way and is up.
type memberships struct {
	system    *model.System
	in        map[model.NodeID]view.View
	delivered map[model.NodeID]map[multicast.Message]bool // in the present view
	sent      map[multicast.Message]int                   // the view of each message
	sends     map[model.NodeID]int
	passed    map[[2]int]map[model.NodeID]map[multicast.Message]bool // from a view to another, by process
}

// fewMulticastView is a system small enough for rapid, with faults that the protocol tolerates.
func fewMulticastView(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}
	config = config.With(multicast.Messages.Is(1+c.Choose(3)), view.Joiners.Is(c.Choose(2)), view.Leavers.Is(c.Choose(2)))
	config.Faults = model.Faults{Crashes: c.Choose(3), Duplication: c.Choose(2)}
	return model.Check{Config: config}
}

func newMemberships(s *model.System) func(*rapid.T, *interpreter, world.Record) {
	m := &memberships{
		system: s, in: map[model.NodeID]view.View{}, delivered: map[model.NodeID]map[multicast.Message]bool{},
		sent: map[multicast.Message]int{}, sends: map[model.NodeID]int{},
		passed: map[[2]int]map[model.NodeID]map[multicast.Message]bool{},
	}
	for _, id := range s.Setup.(*view.Config).Founders {
		m.in[id] = view.View{Number: 1, Members: s.Setup.(*view.Config).Founders}
	}
	return m.check
}

func (m *memberships) check(t *rapid.T, _ *interpreter, r world.Record) {
	for _, o := range r.Observations {
		switch value := o.Value.(type) {
		case view.Transmitted:
			m.sends[o.Node]++
			m.sent[multicast.Message{Sender: o.Node, Number: m.sends[o.Node]}] = m.in[o.Node].Number
		case view.Installed:
			m.installs(t, o.Node, value.View)
		case multicast.Message:
			m.delivers(t, o.Node, value)
		}
		if o.Kind == model.Crashed {
			for _, who := range m.passed {
				delete(who, o.Node)
			}
		}
	}
}

// delivers holds a process to messages of its view, each once, those of a sender in order.
func (m *memberships) delivers(t *rapid.T, id model.NodeID, msg multicast.Message) {
	had := m.delivered[id]
	in := m.in[id]
	if m.sent[msg] != in.Number || had[msg] || !slices.Contains(in.Members, id) || !slices.Contains(in.Members, msg.Sender) {
		t.Fatalf("%s delivers %v, of view %d, in %+v, after %v", m.system.Name(id), msg, m.sent[msg], in, had)
	}
	before := multicast.Message{Sender: msg.Sender, Number: msg.Number - 1}
	if m.sent[before] == in.Number && !had[before] {
		t.Fatalf("%s delivers %v before %v", m.system.Name(id), msg, before)
	}
	if had == nil {
		m.delivered[id] = map[multicast.Message]bool{}
	}
	m.delivered[id][msg] = true
}

// installs holds a process to the next view, and to what others delivered before it.
func (m *memberships) installs(t *rapid.T, id model.NodeID, v view.View) {
	from := m.in[id]
	if from.Number != 0 && v.Number != from.Number+1 || !slices.Contains(v.Members, id) {
		t.Fatalf("%s installs %+v after %+v", m.system.Name(id), v, from)
	}
	for other, in := range m.in {
		if in.Number == v.Number && !slices.Equal(in.Members, v.Members) {
			t.Fatalf("%s installs %+v, and %s has %+v", m.system.Name(id), v, m.system.Name(other), in)
		}
	}
	had := m.delivered[id]
	m.in[id], m.delivered[id] = v, nil
	if from.Number == 0 {
		return
	}
	way := [2]int{from.Number, v.Number}
	for other, as := range m.passed[way] {
		if !maps.Equal(had, as) {
			t.Fatalf("from view %d to %d %s delivers %v, and %s %v", from.Number, v.Number, m.system.Name(id), had, m.system.Name(other), as)
		}
	}
	if m.passed[way] == nil {
		m.passed[way] = map[model.NodeID]map[multicast.Message]bool{}
	}
	m.passed[way][id] = had
}
