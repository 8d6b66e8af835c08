package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/lab/random"
	"contend/model"
	"contend/model/world"
)

// A shadow takes a simulated run through model/world, event by event: there is one
// semantics, and this is a fast way through it.
type shadow struct {
	*testing.T
	r     *simulation
	w     *world.World
	twins map[*event]*world.Event
	since map[model.NodeID]world.Time
	waits []Time
	sent  int                     // messages that came into flight
	kinds map[model.EventKind]int // taken
}

// shadowed makes a run, with the world beside it, and compares what both measure.
func shadowed(t *testing.T, s *model.System, law Law, faulty Behaviour, events int, seed uint64) (*shadow, Run) {
	t.Helper()
	uncut := *s
	uncut.Cuts = nil
	setting, err := New(&uncut, law, faulty, events)
	require.NoError(t, err)
	sh := &shadow{T: t, r: newSimulation(setting, seed, 0), twins: map[*event]*world.Event{},
		since: map[model.NodeID]world.Time{}, kinds: map[model.EventKind]int{}}
	sh.r.taken = sh.take
	sh.r.start()
	boot := sh.r.env.choices
	w, err := world.New(&uncut, nil, world.Options{Timed: true, Parts: Parts, Boot: func(int, string) int {
		is := boot[0]
		boot = boot[1:]
		return is
	}})
	require.NoError(t, err)
	sh.w = w
	sh.pair()
	sh.r.loop()
	result := sh.r.result
	require.Equal(t, result.Waits, sh.waits)
	require.Equal(t, !result.Unfinished, w.Done())
	return sh, result
}

// take takes an event in the world too, and compares the node's state and what is
// pending. The world refuses an event that is outside its window.
func (sh *shadow) take(e *event, choices []int) {
	if e.kind == model.Forge && e.value == nil {
		return // the server had nothing to say
	}
	sh.kinds[e.kind]++
	move := world.Move{Kind: e.kind, Event: sh.twins[e], Node: e.node, From: e.from, Value: e.value}
	rec, err := sh.w.Step(move, world.Time(e.instant), func(int, string) int {
		require.NotEmpty(sh, choices)
		is := choices[0]
		choices = choices[1:]
		return is
	})
	require.NoError(sh, err)
	require.Empty(sh, choices)
	for _, o := range rec.Observations {
		switch o.Kind {
		case model.Invoked:
			sh.since[o.Node] = rec.At
		case model.Returned:
			sh.waits = append(sh.waits, Time(rec.At-sh.since[o.Node]))
		}
	}
	require.Equal(sh, sh.w.Node(e.node), sh.r.Codec.Node(sh.r.nodes[e.node].live, nil))
	sh.pair()
}

// pair matches what waits in the queue with what is pending in the world, both in the
// order in which they came.
func (sh *shadow) pair() {
	queue := slices.DeleteFunc(slices.Clone(sh.r.events), func(e *event) bool { return e.kind == model.Forge })
	slices.SortFunc(queue, func(a, b *event) int { return int(a.created) - int(b.created) })
	bag := sh.w.Pending()
	require.Len(sh, queue, len(bag))
	for i, e := range queue {
		twin := bag[i]
		require.Equal(sh,
			fmt.Sprint(twin.Kind, twin.Node, twin.From, sh.w.Codec.Any(twin.Value, nil), twin.Window),
			fmt.Sprint(e.kind, e.node, e.from, sh.r.Codec.Any(e.value, nil), e.window))
		if sh.twins[e] == nil && e.kind == model.Deliver {
			sh.sent++
		}
		sh.twins[e] = twin
	}
}

// Random systems: every channel, holds, alarms that are moved and cancelled, choices.
func TestRandomSystemsRunAsInTheWorld(t *testing.T) {
	taken, unfinished := map[model.EventKind]int{}, 0
	for seed := range uint64(2000) {
		s := random.System(rand.New(rand.NewPCG(seed, 1)), true)
		s.Faults = model.Faults{}
		sh, result := shadowed(t, s, laws[seed%3], Silent, 200, seed)
		if s.Network.Channel == model.Set {
			require.LessOrEqual(t, sh.sent, result.Messages, "some found an equal one in flight")
		} else {
			require.Equal(t, sh.sent, result.Messages)
		}
		for kind, n := range sh.kinds {
			taken[kind] += n
		}
		if result.Unfinished {
			unfinished++
		}
	}
	for _, kind := range []model.EventKind{model.Deliver, model.Timeout, model.Invoke, model.Return, model.Release} {
		require.Greater(t, taken[kind], 100, kind)
	}
	require.Less(t, unfinished, 1000)
}

// The protocols themselves, with every law and every kind of faulty server.
func TestProtocolsRunAsInTheWorld(t *testing.T) {
	for _, c := range []struct {
		protocol *model.Protocol
		variant  string
		config   model.Config
	}{
		{backoff.Protocol, "", model.Config{N: 6, B: 1}.With(model.Clients.Is(5), backoff.Section.Is(3))},
		{backoff.Protocol, "quadratic", model.Config{N: 6, B: 1}.With(model.Clients.Is(4), backoff.Section.Is(3))},
		{backoff.Protocol, "", model.Config{N: 3}.With(model.Clients.Is(6))},
		{ordering.Protocol, "composed", model.Config{N: 7, B: 1}.With(model.Clients.Is(3), ordering.Attempts.Is(9))},
	} {
		forged := 0
		s, err := c.protocol.System(c.variant, c.config)
		require.NoError(t, err)
		for seed := range uint64(12) {
			sh, result := shadowed(t, s, laws[seed%3], []Behaviour{Silent, Random, Stubborn(1)}[seed/3%3], 2000, seed)
			require.Len(t, result.Waits, model.Clients.Of(c.config))
			forged += sh.kinds[model.Forge]
			require.Positive(t, result.Tries)
		}
		require.Equal(t, c.config.B > 0, forged > 0)
	}
}

// An asker holds for two ticks, with either bound, and asks when they are over, as
// alarms say; it does so twice, after a pause.
type asker struct{ Held []bool }

func (a *asker) Invoke(env model.Env, _ any) {
	env.Hold("through", model.Through(2))
	env.Hold("below", model.Below(2))
	env.Hold("nothing", model.Below(0))
	env.After("early", model.Window{Lo: model.Below(1), Hi: model.Below(2)})
	env.After("ask", model.Exactly(2))
}

func (a *asker) Timeout(env model.Env, key any) {
	a.Held = append(a.Held, env.Held("through"), env.Held("below"), env.Held("nothing"), env.Held("never"))
	if key == "ask" {
		env.Return(nil)
	}
}

// Bounds of holds and windows are exact, and a wait begins with its own operation.
func TestBoundsAreExact(t *testing.T) {
	for _, law := range laws {
		s := &model.System{Nodes: []model.NodeSpec{{Name: "a", New: func() model.Node { return &asker{} }, Script: []model.Op{
			{Call: "go", AtBoot: true}, {Call: "go", After: model.Exactly(5)},
		}}}}
		require.NoError(t, s.Validate())
		sh, result := shadowed(t, s, law, Silent, 100, 1)
		want := []bool{true, true, false, false, true, false, false, false}
		require.Equal(t, append(want, want...), sh.r.nodes[0].live.(*asker).Held)
		require.Equal(t, []Time{2 * Parts, 2 * Parts}, result.Waits)
		require.Equal(t, 9.0, result.Last.Ticks())
	}
}
