package claims_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
	"contend/model/world"
)

// group defines the packets of the protocols here.
var group = claims.Group{Message: func(delivered any) claims.Message {
	p := delivered.(packet)
	return claims.Message{Sender: p.Sender, Number: p.Number}
}}

// A manner is a multicast protocol: the reactions to a packet of the node itself, and to an arriving packet.
type manner struct {
	own, arrives func(n *tiny, env model.Env, p packet)
}

// multicast returns three nodes with the given numbers of multicasts.
func multicast(m manner, c model.Channel, f model.Faults, casts ...int) scene {
	p := tiny{
		invoke: func(n *tiny, env model.Env, _ any) {
			n.Number++
			m.own(n, env, packet{Sender: env.Self(), Number: n.Number})
			env.Return(nil)
		},
		receive: func(n *tiny, env model.Env, _ model.NodeID, x any) { m.arrives(n, env, x.(packet)) },
	}
	s := scene{channel: c, faults: f}
	for i := range 3 {
		var calls []any
		if i < len(casts) {
			for range casts[i] {
				calls = append(calls, cast{})
			}
		}
		s.nodes = append(s.nodes, node(i, p, calls...))
	}
	return s
}

// others sends a packet to the other two.
func others(env model.Env, p packet) {
	for id := range model.NodeID(3) {
		if id != env.Self() {
			env.Send(id, p)
		}
	}
}

func deliver(_ *tiny, env model.Env, p packet) { env.Deliver(p) }

func deliverAndSend(_ *tiny, env model.Env, p packet) {
	env.Deliver(p)
	others(env, p)
}

// The protocols. A plain protocol delivers what arrives. A flooding protocol is reliable broadcast: it
// forwards a message when it receives it for the first time.
var (
	plain  = manner{deliverAndSend, deliver}
	modest = manner{func(_ *tiny, env model.Env, p packet) { others(env, p) }, deliver}
	floods = manner{flood, flood}
	// repeats delivers every copy, and invents delivers the next message too.
	repeats = manner{flood, func(n *tiny, env model.Env, p packet) {
		flood(n, env, p)
		env.Deliver(p)
	}}
	invents = manner{deliverAndSend, func(_ *tiny, env model.Env, p packet) {
		env.Deliver(packet{Sender: p.Sender, Number: p.Number + 1})
	}}
	// inTurn delays packets until earlier ones of the sender, and causally earlier ones, are delivered. The
	// protocol casually does so without clocks.
	inTurn   = manner{func(n *tiny, env model.Env, p packet) { n.next(env, p); others(env, p) }, (*tiny).next}
	causally = manner{func(n *tiny, env model.Env, p packet) {
		p.Clock = maps.Clone(n.Counts)
		n.next(env, p)
		others(env, p)
	}, (*tiny).next}
	// sequenced has the first node order all packets; the others deliver in that order.
	sequenced = manner{func(_ *tiny, env model.Env, p packet) { env.Send(0, p) }, func(_ *tiny, env model.Env, p packet) {
		if len(p.Clock) == 0 {
			p.Clock = map[model.NodeID]int{0: 1} // in order
			env.Broadcast([]model.NodeID{0, 1, 2}, p)
			return
		}
		env.Deliver(p)
	}}
)

// flood delivers and forwards a packet that a node receives for the first time.
func flood(n *tiny, env model.Env, p packet) {
	if seen := n.Counts[p.Sender]; seen>>p.Number&1 == 0 {
		n.Counts[p.Sender] = seen | 1<<p.Number
		deliverAndSend(n, env, p)
	}
}

// next delivers delayed packets as soon as permitted. Counts has the numbers of the delivered packets.
func (n *tiny) next(env model.Env, p packet) {
	n.Held = append(n.Held, p)
	for i := 0; i < len(n.Held); i++ {
		if p := n.Held[i]; n.mayDeliver(p) {
			n.Counts[p.Sender]++
			n.Held = append(n.Held[:i], n.Held[i+1:]...)
			env.Deliver(p)
			i = -1
		}
	}
}

func (n *tiny) mayDeliver(p packet) bool {
	for id, count := range p.Clock {
		if count > n.Counts[id] {
			return false
		}
	}
	return p.Number == n.Counts[p.Sender]+1
}

func TestMulticast(t *testing.T) {
	none, lost, crash := model.Faults{}, model.Faults{Loss: 1}, model.Faults{Crashes: 1}
	decide(t, []verdict{
		{"floods", multicast(floods, model.Bag, none, 1, 1), group.Integrity(), checker.Holds},
		{"repeats", multicast(repeats, model.Bag, none, 1), group.Integrity(), checker.Violated},
		{"invents", multicast(invents, model.Bag, none, 1), group.Integrity(), checker.Violated},
		{"plain", multicast(plain, model.Bag, crash, 1, 1), group.Validity(), checker.Holds},
		{"sequenced, by itself", multicast(sequenced, model.FIFO, crash, 1), group.Validity(), checker.Holds},
		{"modest", multicast(modest, model.Bag, none, 1, 1), group.Validity(), checker.Violated},

		{"plain", multicast(plain, model.Bag, crash, 1, 1), group.Reach(), checker.Holds},
		{"plain, with a loss", multicast(plain, model.Bag, lost, 1), group.Reach(), checker.Violated},
		{"modest", multicast(modest, model.Bag, none, 1, 1), group.Reach(), checker.Violated},

		{"floods", multicast(floods, model.Bag, lost, 1), group.Agreement(), checker.Holds},
		{"plain", multicast(plain, model.Bag, lost, 1), group.Agreement(), checker.Violated},
		{"floods", multicast(floods, model.Bag, lost, 1), group.UniformAgreement(), checker.Holds},
		{"plain", multicast(plain, model.Bag, lost, 1), group.UniformAgreement(), checker.Violated},
		{"plain, with a crash", multicast(plain, model.Bag, crash, 1, 1), group.UniformAgreement(), checker.Holds},

		{"in turn", multicast(inTurn, model.Bag, none, 2, 1), group.FIFOOrder(), checker.Holds},
		{"plain", multicast(plain, model.Bag, none, 2), group.FIFOOrder(), checker.Violated},
		{"plain on FIFO", multicast(plain, model.FIFO, none, 2, 1), group.FIFOOrder(), checker.Holds},
		{"causally", multicast(causally, model.Bag, none, 2, 1), group.CausalOrder(), checker.Holds},
		{"in turn", multicast(inTurn, model.Bag, none, 1, 1), group.CausalOrder(), checker.Violated},
		{"modest", multicast(modest, model.Bag, none, 2), group.CausalOrder(), checker.Violated},
		{"sequenced", multicast(sequenced, model.FIFO, none, 1, 2), group.TotalOrder(), checker.Holds},
		{"sequenced, in a bag", multicast(sequenced, model.Bag, none, 1, 1), group.TotalOrder(), checker.Violated},
		{"causally", multicast(causally, model.Bag, none, 1, 1), group.TotalOrder(), checker.Violated},
		{"sequenced", multicast(sequenced, model.FIFO, crash, 1, 1), group.UniformTotalOrder(), checker.Holds},
		{"plain", multicast(plain, model.Bag, none, 1, 1), group.UniformTotalOrder(), checker.Violated},
	})
}

// club returns a group that nodes join and leave by a server that forwards all multicasts. A hasty server
// welcomes a node before it is a member.
func club(hasty bool, c model.Channel, casts int) scene {
	enter := func(n *tiny, who model.NodeID) { n.Counts[who] = 1 }
	keeper := tiny{receive: func(n *tiny, env model.Env, from model.NodeID, m any) {
		switch m := m.(type) {
		case packet:
			for id := range model.NodeID(3) {
				if n.Counts[id] == 1 {
					env.Send(id, m)
				}
			}
		case told:
			switch {
			case m.What == "leave":
				n.Counts[from] = 0
			case hasty:
				env.After(from, model.Anytime())
			default:
				enter(n, from)
			}
			env.Send(from, say("done"))
		}
	}, timeout: func(n *tiny, _ model.Env, key any) { enter(n, key.(model.NodeID)) }}
	p := tiny{invoke: func(n *tiny, env model.Env, op any) {
		switch op.(type) {
		case join:
			env.Send(3, say("join"))
		case leave:
			env.Send(3, say("leave"))
		default:
			n.Number++
			env.Send(3, packet{Sender: env.Self(), Number: n.Number})
			env.Return(nil)
		}
	}, receive: func(_ *tiny, env model.Env, _ model.NodeID, m any) {
		if p, ok := m.(packet); ok {
			env.Deliver(p)
		} else {
			env.Return(nil)
		}
	}}
	calls := append([]any{join{}}, slices.Repeat([]any{cast{}}, casts)...)
	return scene{channel: c, nodes: []model.NodeSpec{node(0, p, calls...), node(1, p, join{}, leave{}), node(2, p, join{}), server(keeper)}}
}

// joined returns a group that nodes join and leave.
func joined() claims.Group {
	g := group
	g.Join = func(call any) bool { return call == join{} }
	g.Leave = func(call any) bool { return call == leave{} }
	return g
}

// Members owe exactly the messages that were multicast while they were members.
func TestJoinsAndLeaves(t *testing.T) {
	still := group // a node that considers everybody a member
	still.Multicast = func(call any) bool { return call == cast{} }
	decide(t, []verdict{
		{"enters first", club(false, model.FIFO, 1), joined().Agreement(), checker.Holds},
		{"welcomes first", club(true, model.FIFO, 1), joined().Agreement(), checker.Violated},
		{"enters first, all members", club(false, model.FIFO, 1), still.Agreement(), checker.Violated},
		{"enters first", club(false, model.FIFO, 1), joined().Validity(), checker.Holds},
		{"welcomes first", club(true, model.FIFO, 1), joined().Validity(), checker.Violated},
		{"enters first", club(false, model.FIFO, 2), joined().FIFOOrder(), checker.Holds},
		{"in a bag", club(false, model.Bag, 2), joined().FIFOOrder(), checker.Violated},
		{"enters first", club(false, model.FIFO, 2), joined().CausalOrder(), checker.Holds},
		{"in a bag", club(false, model.Bag, 2), joined().CausalOrder(), checker.Violated},
		{"enters first", club(false, model.FIFO, 1), joined().TotalOrder(), checker.Holds},
		{"in a bag", club(false, model.Bag, 2), joined().TotalOrder(), checker.Violated},
		{"enters first", club(false, model.FIFO, 2), joined().Integrity(), checker.Holds},
	})
}

// What only a node did that crashed since binds the others where a claim is uniform, and there
// alone.
func TestUniformity(t *testing.T) {
	tells := tiny{invoke: func(_ *tiny, env model.Env, op any) {
		if p, ok := op.(propose); ok {
			env.Return(p.Value)
			return
		}
		env.Deliver(packet{Sender: env.Self(), Number: 1})
		env.Return(nil)
	}}
	for _, c := range []struct {
		name         string
		claim        model.Claim
		broken, goal bool // in the end
	}{
		{"agreement", claims.Agreement(claims.Returns), false, false},
		{"uniform agreement", claims.UniformAgreement(claims.Returns), true, false},
		{"all agree", claims.EventualAgreement(claims.Returns), false, true},
		{"overtaking who crashed", claims.BoundedOvertaking(0, first), false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := run(t, c.claim, node(0, tells, propose{1}), entering(node(1, tells, propose{2})))
			assert.Equal(t, c.broken, len(w.Violations) > 0)
			assert.Equal(t, c.goal, w.Reached(c.claim))
		})
	}
	for uniform, claim := range map[bool]model.Claim{false: group.Agreement(), true: group.UniformAgreement()} {
		w := run(t, claim, node(0, tells, cast{}), node(1, tells, cast{}))
		assert.False(t, w.Reached(claim), "p3 has not delivered what p2 has")
		crash(t, w, 1)
		assert.Equal(t, !uniform, w.Reached(claim))
	}
}

// entering makes the operations of a node enter a critical section.
func entering(n model.NodeSpec) model.NodeSpec {
	for i := range n.Script {
		n.Script[i].Release = release{}
	}
	return n
}

// first reports that the first node waits, once it has begun.
func first(o model.Observation) (model.NodeID, bool) {
	return 0, o.Kind == model.Invoked && o.Node == 0
}

// A node may change its mind: agreement is about two nodes. A message is omitted from an order once all nodes
// have delivered it first. The omission does not affect later messages.
func TestOfOneAndOfTwo(t *testing.T) {
	swings := tiny{invoke: func(_ *tiny, env model.Env, op any) {
		env.Deliver(op.(propose).Value)
		env.Deliver(-op.(propose).Value)
		env.Return(nil)
	}}
	orders := tiny{invoke: func(_ *tiny, env model.Env, op any) {
		mine := model.NodeID(op.(propose).Value)
		for _, sender := range []model.NodeID{2, mine, 1 - mine} {
			env.Deliver(packet{Sender: sender, Number: 1})
		}
		env.Return(nil)
	}}
	decide(t, []verdict{
		{"alone", scene{nodes: []model.NodeSpec{node(0, swings, propose{1})}}, claims.Validity(proposal, claims.Delivers), checker.Violated},
		{"after a common one", scene{nodes: []model.NodeSpec{node(0, orders, propose{0}), node(1, orders, propose{1})}}, group.TotalOrder(), checker.Violated},
	})
	w := run(t, claims.Agreement(claims.Delivers), node(0, tiny{}), node(1, swings, propose{1}))
	assert.Empty(t, w.Violations)
}

// Of two orders, the order of a crashed node counts if the claim is uniform.
func TestUniformTotalOrder(t *testing.T) {
	orders := tiny{invoke: func(_ *tiny, env model.Env, op any) {
		first := model.NodeID(op.(propose).Value)
		env.Deliver(packet{Sender: first, Number: 1})
		env.Deliver(packet{Sender: 1 - first, Number: 1})
		env.Return(nil)
	}}
	for uniform, claim := range map[bool]model.Claim{false: group.TotalOrder(), true: group.UniformTotalOrder()} {
		w := run(t, claim, node(0, orders, propose{0}), node(1, orders, propose{1}))
		assert.Equal(t, uniform, len(w.Violations) > 0)
	}
}

// run executes the operation of the first node, then its crash, then the operation of the second node.
func run(t *testing.T, claim model.Claim, nodes ...model.NodeSpec) *world.World {
	s, err := scene{nodes: append(nodes, node(2, tiny{}))}.protocol(claim).System("", model.Config{Faults: model.Faults{Crashes: 2}})
	require.NoError(t, err)
	w, err := world.New(s, []model.Claim{claim}, world.Options{})
	require.NoError(t, err)
	for id := range model.NodeID(2) {
		for range 2 {
			for _, m := range w.Moves() {
				if m.Event != nil && m.Event.Node == id {
					_, err := w.Step(m, 0, nil)
					require.NoError(t, err)
					break
				}
			}
		}
		if id == 0 {
			crash(t, w, id)
		}
	}
	return w
}

func crash(t *testing.T, w *world.World, id model.NodeID) {
	_, err := w.Step(world.Move{Kind: model.Crash, Node: id}, 0, nil)
	require.NoError(t, err)
}
