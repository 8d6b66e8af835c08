package claims_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
)

type (
	// enters makes its node install a view.
	enters struct{ View claims.View }
	// transmits makes its node send its next message.
	transmits struct{}
)

// views defines the protocols here.
var views = claims.Views{
	Group:       group,
	Installed:   func(note any) (claims.View, bool) { e, ok := note.(enters); return e.View, ok },
	Transmitted: func(note any) bool { return note == transmits{} },
}

// What a viewer counts.
const (
	its     model.NodeID = iota // the view that it has
	pending                     // the view that was announced
	flushed                     // the last flush that came
)

// A viewing is a protocol for changing views.
type viewing struct {
	// ready reports whether the announced view is to be installed.
	ready func(n *tiny) bool
	// members returns the members of a view for a node.
	members func(self model.NodeID) []model.NodeID
	// takes reports whether a message of a view is delivered.
	takes func(n *tiny, of int) bool
	// first returns the initial view of a node, or 0.
	first func(self model.NodeID) int
}

// properly returns the protocol that waits for the other's flush.
func properly() viewing {
	return viewing{
		ready:   func(n *tiny) bool { return n.Counts[flushed] >= n.Counts[pending] },
		members: func(model.NodeID) []model.NodeID { return []model.NodeID{0, 1} },
		takes:   func(n *tiny, of int) bool { return n.Counts[its] == of },
		first:   func(model.NodeID) int { return 1 },
	}
}

func (v viewing) install(n *tiny, env model.Env, number int) {
	n.Counts[its] = number
	env.Note(enters{claims.View{Number: number, Members: v.members(env.Self())}})
}

func (v viewing) advance(n *tiny, env model.Env) {
	if n.Counts[pending] > 0 && v.ready(n) {
		v.install(n, env, n.Counts[pending])
		n.Counts[pending] = 0
	}
}

// viewer returns a node that multicasts to the other node, unless a view is pending or it has no view.
func (v viewing) viewer() tiny {
	return tiny{start: func(n *tiny, env model.Env) {
		if first := v.first(env.Self()); first > 0 {
			v.install(n, env, first)
		}
	}, invoke: func(n *tiny, env model.Env, _ any) {
		if n.Counts[pending] == 0 && n.Counts[its] > 0 {
			n.Number++
			env.Note(transmits{})
			p := packet{Sender: env.Self(), Number: n.Number, Clock: map[model.NodeID]int{0: n.Counts[its]}}
			env.Deliver(p)
			env.Send(1-env.Self(), p)
		}
		env.Return(nil)
	}, receive: func(n *tiny, env model.Env, _ model.NodeID, m any) {
		switch m := m.(type) {
		case packet:
			if v.takes(n, m.Clock[0]) {
				env.Deliver(m)
			}
		case told:
			if m.What == "view" {
				n.Counts[pending] = m.N
				env.Send(1-env.Self(), told{What: "flush", Who: -1, N: m.N})
			} else {
				n.Counts[flushed] = m.N
			}
			v.advance(n, env)
		}
	}}
}

// scene returns two nodes and a service that announces views 2 to last. The first node multicasts once.
func (v viewing) scene(c model.Channel, last int) scene {
	announcer := tiny{start: func(n *tiny, env model.Env) {
		for number := 2; number <= last; number++ {
			env.Broadcast([]model.NodeID{0, 1}, told{What: "view", Who: -1, N: number})
		}
	}}
	return scene{channel: c, nodes: []model.NodeSpec{node(0, v.viewer(), cast{}), node(1, v.viewer(), cast{}), server(announcer)}}
}

func TestViews(t *testing.T) {
	good, hasty, alone, apart, late := properly(), properly(), properly(), properly(), properly()
	hasty.ready = func(*tiny) bool { return true }
	alone.members = func(self model.NodeID) []model.NodeID { return []model.NodeID{self} }
	apart.members = func(model.NodeID) []model.NodeID { return []model.NodeID{0} }
	late.ready, late.takes = hasty.ready, func(*tiny, int) bool { return true }
	joining := properly()
	joining.first = func(self model.NodeID) int { return 1 - int(self) }
	early := joining
	early.takes = late.takes
	decide(t, []verdict{
		{"flushes", good.scene(model.FIFO, 2), views.VirtualSynchrony(), checker.Holds},
		{"flushes, in a bag", good.scene(model.Bag, 2), views.VirtualSynchrony(), checker.Violated},
		{"does not wait", hasty.scene(model.FIFO, 2), views.VirtualSynchrony(), checker.Violated},
		{"flushes", good.scene(model.FIFO, 2), views.UniformVirtualSynchrony(), checker.Holds},
		{"does not wait", hasty.scene(model.FIFO, 2), views.UniformVirtualSynchrony(), checker.Violated},
		{"flushes", good.scene(model.FIFO, 2), views.ViewAgreement(), checker.Holds},
		{"alone", alone.scene(model.FIFO, 2), views.ViewAgreement(), checker.Violated},
		{"does not wait", hasty.scene(model.FIFO, 3), views.ViewOrder(), checker.Holds},
		{"does not wait, in a bag", hasty.scene(model.Bag, 3), views.ViewOrder(), checker.Violated},
		{"flushes", good.scene(model.FIFO, 2), views.SelfInclusion(), checker.Holds},
		{"of another", apart.scene(model.FIFO, 2), views.SelfInclusion(), checker.Violated},
		{"does not wait", hasty.scene(model.FIFO, 2), views.SendingView(), checker.Holds},
		{"delivers later", late.scene(model.FIFO, 2), views.SendingView(), checker.Violated},
		{"joins", joining.scene(model.FIFO, 2), views.NothingFromBefore(), checker.Holds},
		{"delivers before it joins", early.scene(model.FIFO, 2), views.NothingFromBefore(), checker.Violated},
	})
}

// A node that leaves out a view breaks the total order of views, though its numbers increase.
func TestViewLeftOut(t *testing.T) {
	goes := tiny{invoke: func(_ *tiny, env model.Env, op any) {
		env.Note(enters{claims.View{Number: 1}})
		env.Note(enters{claims.View{Number: op.(propose).Value}})
		env.Return(nil)
	}}
	assert.Empty(t, run(t, views.ViewOrder(), node(0, goes, propose{2}), node(1, goes, propose{2})).Violations)
	assert.NotEmpty(t, run(t, views.ViewOrder(), node(0, goes, propose{2}), node(1, goes, propose{3})).Violations)
}

// What a node delivered that has crashed since counts where the claim is uniform, and there alone.
func TestUniformVirtualSynchrony(t *testing.T) {
	goes := tiny{invoke: func(_ *tiny, env model.Env, op any) {
		env.Note(enters{claims.View{Number: 1}})
		if op.(propose).Value == 1 {
			env.Deliver(packet{Sender: env.Self(), Number: 1})
		}
		env.Note(enters{claims.View{Number: 2}})
		env.Return(nil)
	}}
	for uniform, claim := range map[bool]model.Claim{false: views.VirtualSynchrony(), true: views.UniformVirtualSynchrony()} {
		w := run(t, claim, node(0, goes, propose{1}), node(1, goes, propose{2}))
		assert.Equal(t, uniform, len(w.Violations) > 0)
	}
}

// In a group with joins, the first members owe multicast messages, too.
func TestFirstMembers(t *testing.T) {
	first := joined()
	first.First = func(*model.System) []model.NodeID { return []model.NodeID{0, 1, 2} }
	lost := model.Faults{Loss: 1}
	decide(t, []verdict{
		{"nobody is a member", multicast(plain, model.Bag, lost, 1), joined().Agreement(), checker.Holds},
		{"all are members", multicast(plain, model.Bag, lost, 1), first.Agreement(), checker.Violated},
	})
}
