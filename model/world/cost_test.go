package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// metered returns the claim of a cost whose meter calls see for each observation.
func metered(c model.Cost, see func(w model.Watch, o model.Observation)) model.Claim {
	c.Name = "price"
	c.Meter = func(*model.System) model.Monitor { return &meter{see: see} }
	return c.Claim()
}

type meter struct {
	see  func(w model.Watch, o model.Observation)
	Seen int
}

func (m *meter) Observe(w model.Watch, o model.Observation) { m.Seen++; m.see(w, o) }
func (m *meter) Total() int                                 { return m.Seen }

// tellAll returns a client that sends to two others and itself when it is invoked.
func tellAll() *model.System {
	a := acts{invoke: func(_ *puppet, env model.Env, op any) {
		env.Broadcast([]model.NodeID{1, 0}, op)
		env.Return(nil)
	}}
	return system(client("a", a, model.Op{Call: "go"}), client("b", acts{}))
}

// A meter that asks for it observes each sent message, in order. Other meters do not.
func TestMetersAreToldOfSends(t *testing.T) {
	nothing := func(model.Watch, model.Observation) {}
	for sends, want := range map[bool][]model.Observation{
		false: {{Kind: model.Invoked, Value: "go"}},
		true:  {{Kind: model.Invoked, Value: "go"}, {Kind: model.Sent, Op: -1, Value: "go", To: 1}, {Kind: model.Sent, Op: -1, Value: "go"}},
	} {
		c := metered(model.Cost{Sends: sends}, nothing)
		r := start(t, tellAll(), untimed, c)
		assert.Equal(t, want, r.do(0, model.Invoke, 0).Observations)
		assert.Equal(t, []int{len(want)}, r.Totals(c))
		assert.False(t, r.Ended())
	}
}

// A chain grows by a message with each message that arrives and is answered. It is reset by each operation.
// It is the longest of the chains that end with the observation.
func TestChains(t *testing.T) {
	relays := acts{receive: func(_ *puppet, env model.Env, from model.NodeID, m any) {
		env.Note(m)
		if n := m.(int); n > 0 {
			env.Send(from, n-1)
		}
	}}
	asks := relays
	asks.invoke = func(_ *puppet, env model.Env, op any) { env.Send(1, op); env.Return(nil) }
	s := system(client("a", asks, model.Op{Call: 2}, model.Op{Call: 0}), client("b", relays))
	r := start(t, s, untimed, metered(model.Cost{Chains: true}, func(model.Watch, model.Observation) {}))
	chain := func(rec world.Record) int { return rec.Observations[0].Chain }
	assert.Equal(t, 0, chain(r.do(0, model.Invoke, 0)))
	assert.Equal(t, 0, chain(r.do(0, model.Deliver, 1)), "b has invoked nothing")
	assert.Equal(t, 2, chain(r.do(0, model.Deliver, 0)), "there and back")
	assert.Equal(t, 0, chain(r.do(0, model.Return, 0)), "a returned before anything arrived")
	assert.Equal(t, 0, chain(r.do(0, model.Invoke, 0)), "a new one")
}

// After a selected observation of any node, chains count at every node. Messages in flight at that time
// belong to no chain. A return ends the chain that had arrived when the node returned.
func TestChainsSinceAMoment(t *testing.T) {
	relays := acts{receive: func(_ *puppet, env model.Env, from model.NodeID, m any) {
		if n := m.(int); n > 0 {
			env.Send(1-env.Self(), n-1)
		}
		if m.(int) == 0 {
			env.Return(nil)
		}
		env.Note("got")
	}}
	asks := relays
	asks.invoke = func(_ *puppet, env model.Env, op any) {
		if op.(int) > 0 {
			env.Send(1, op)
		}
	}
	s := system(client("a", asks, model.Op{Call: 2}), client("b", relays, model.Op{Call: 0}))
	since := metered(model.Cost{Chains: true, Since: func(o model.Observation) bool { return o.Kind == model.Invoked && o.Node == 1 }},
		func(model.Watch, model.Observation) {})
	r := start(t, s, untimed, since)
	chain := func(rec world.Record) int { return rec.Observations[len(rec.Observations)-1].Chain }
	assert.Equal(t, 0, chain(r.do(0, model.Invoke, 0)), "a invokes, which is no moment: it sends 2 to b")
	assert.Equal(t, 0, chain(r.do(0, model.Invoke, 1)), "b invokes, and sends nothing: chains begin everywhere")
	assert.Equal(t, 0, chain(r.do(0, model.Deliver, 1)), "2 was in flight: b is at 0, and sends 1")
	assert.Equal(t, 1, chain(r.do(0, model.Deliver, 0)), "a is at 1, and sends 0")
	assert.Equal(t, 2, chain(r.do(0, model.Deliver, 1)), "b is at 2, and returns")
	assert.Equal(t, 2, chain(r.do(0, model.Return, 1)))
}

// What arrives between a node's return and when its application sees it has delayed nothing.
func TestChainOfAReturn(t *testing.T) {
	echo := acts{receive: func(_ *puppet, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}
	asks := acts{
		invoke:  func(_ *puppet, env model.Env, op any) { env.Send(1, op); env.Return(nil) },
		receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) { env.Note("got") },
	}
	r := start(t, system(client("a", asks, model.Op{Call: 7}), client("b", echo)), untimed,
		metered(model.Cost{Chains: true}, func(model.Watch, model.Observation) {}))
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1)
	assert.Equal(t, 2, r.do(0, model.Deliver, 0).Observations[0].Chain, "there and back")
	assert.Equal(t, 0, r.do(0, model.Return, 0).Observations[0].Chain, "it waited for nothing")
}

// A number is stored with its step. A second number for an observation, or a negative number, is refused.
func TestMeasure(t *testing.T) {
	count := func(numbers ...int) model.Claim {
		return metered(model.Cost{}, func(w model.Watch, o model.Observation) {
			if o.Kind == model.Returned {
				for _, n := range numbers {
					w.Measure(n)
				}
			}
		})
	}
	for _, c := range []struct {
		numbers []int
		error   string
	}{
		{[]int{7}, ""},
		{[]int{-1}, "claim price measures -1, but must measure 0 to 1073741824, and once for each observation"},
		{[]int{1, 2}, "claim price measures 2, but must measure 0 to 1073741824, and once for each observation"},
	} {
		r := start(t, asking(), untimed, count(c.numbers...))
		r.do(0, model.Invoke, 0)
		_, err := r.Step(r.of(model.Return, 0), 0, nil)
		require.NoError(t, err)
		if c.error != "" {
			require.True(t, r.World.Failed())
			assert.Contains(t, r.Violations[0].Text, c.error)
			continue
		}
		assert.Equal(t, []world.Measurement{{Claim: "price", Number: 7, Step: 2}}, r.Measured)
		assert.True(t, r.Witnessed["price"])
		assert.True(t, r.Ended())
	}
}
