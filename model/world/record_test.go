package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// traced selects a timed world that traces.
var traced = world.Options{Timed: true, Trace: true}

// A record of a tracing world lists the pending events that cannot happen any more. A record of another world
// does not.
func TestWhatIsGone(t *testing.T) {
	alarmed := func() *model.System {
		s := restarting(model.Bag)
		s.Nodes[0] = client("c", acts{
			start: func(_ *puppet, env model.Env) { env.After("a", model.Exactly(90)); env.After("b", model.Exactly(90)) },
			invoke: func(_ *puppet, env model.Env, op any) {
				switch op {
				case "cancel":
					env.Cancel("a")
				case "move":
					env.After("a", model.Exactly(95))
				default:
					env.Send(1, op)
				}
				env.Return(nil)
			},
		}, model.Op{Call: "send"}, model.Op{Call: "cancel"}, model.Op{Call: "move"})
		s.Faults.Loss, s.Faults.Duplication, s.Faults.Crashes = 1, 1, 1
		return s
	}
	type step struct {
		kind model.EventKind
		node model.NodeID
		of   model.EventKind // for a fault of an event, its kind
		gone []string
	}
	text := func(e *world.Event) string { return e.Kind.String() + " " + world.TypeName(e.Value) }
	for name, steps := range map[string][]step{
		"what fires":        {{model.Invoke, 0, 0, nil}, {model.Return, 0, 0, nil}, {model.Deliver, 1, 0, nil}},
		"what is lost":      {{model.Invoke, 0, 0, nil}, {model.Lose, 1, model.Deliver, []string{"deliver string"}}},
		"what comes twice":  {{model.Invoke, 0, 0, nil}, {model.Duplicate, 1, model.Deliver, nil}},
		"what is cancelled": {{model.Invoke, 0, 0, nil}, {model.Return, 0, 0, nil}, {model.Invoke, 0, 0, []string{"timeout string"}}},
		"what is moved": {{model.Invoke, 0, 0, nil}, {model.Return, 0, 0, nil}, {model.Invoke, 0, 0, []string{"timeout string"}}, {model.Return, 0, 0, nil},
			{model.Invoke, 0, 0, nil}},
		"with the node": {{model.Crash, 0, 0, []string{"invoke string", "timeout string", "timeout string"}}},
	} {
		for _, opt := range []world.Options{traced, timed} {
			r := start(t, alarmed(), opt)
			for k, s := range steps {
				m := world.Move{Kind: s.kind, Node: s.node}
				switch s.kind {
				case model.Lose, model.Duplicate:
					m = world.Move{Kind: s.kind, Event: r.event(s.of, s.node)}
				case model.Crash:
				default:
					m.Event, m.Node = r.event(s.kind, s.node), 0
				}
				before := r.Node(s.node)
				rec := r.move(0, m)
				var gone []string
				for _, e := range rec.Gone {
					gone = append(gone, text(e))
				}
				if !opt.Trace {
					assert.Empty(t, rec.Gone, name)
					assert.Nil(t, rec.Before)
					assert.Nil(t, rec.After)
					continue
				}
				assert.ElementsMatch(t, s.gone, gone, "%s, step %d", name, k+1)
				assert.Equal(t, s.node, rec.Node, name)
				if s.kind == model.Invoke || s.kind == model.Deliver {
					assert.Equal(t, before, r.Codec.Node(rec.Before, nil), name)
					assert.Equal(t, r.Node(s.node), r.Codec.Node(rec.After, nil), name)
				}
			}
		}
	}
}

// If a handler fails, its node's state is the same before and after the step.
func TestStatesAroundAFailure(t *testing.T) {
	s := system(client("c", acts{invoke: func(*puppet, model.Env, any) { panic("no") }}, model.Op{Call: "go"}))
	for _, opt := range []world.Options{traced, timed} {
		r := start(t, s, opt)
		rec := r.do(0, model.Invoke, 0)
		require.True(t, r.World.Failed())
		if opt.Trace {
			assert.Same(t, rec.Before, rec.After)
			assert.Empty(t, rec.Before.(*puppet).Log)
		} else {
			assert.Nil(t, rec.Before)
			assert.Nil(t, rec.After)
		}
		assert.Contains(t, r.Violations[0].Text, "Invoke", "it says which handler")
	}
}

// A record has the holds that a step set and that last, with their keys. If the world traces, the answers
// about holds have their keys, too. A record always has the node that asked.
func TestHoldsInRecords(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
		env.Hold("lasts", model.Through(3))
		env.Hold("is over", model.Below(0))
		env.Return(nil)
	}}, model.Op{Call: "go", After: model.Exactly(1)}))
	s.Returned = model.Anytime()
	c := watching(watcher{
		invoked:  func(w model.Watch) { w.Hold("a", model.Through(1)); w.Hold("b", model.Through(3)) },
		returned: func(w model.Watch) { w.Held("a"); w.Held("a"); w.Held("b"); w.Held("none") },
	})
	for _, opt := range []world.Options{traced, timed} {
		asked := []bool{}
		opt.HoldQueried = func(set bool) { asked = append(asked, set) }
		r := start(t, s, opt, c)
		rec := r.do(1, model.Invoke, 0)
		var holds []world.Countdown
		keys := []any{nil, nil}
		if opt.Trace {
			holds, keys = []world.Countdown{{Key: "lasts", Since: 1, Step: 1, Length: model.Through(3)}}, []any{"a", "b"}
		}
		assert.Equal(t, holds, rec.Holds)
		rec = r.do(3, model.Return, 0)
		assert.Equal(t, []world.HeldAnswer{
			{Key: keys[0], Since: 1, Length: model.Through(1), Watch: true}, {Key: keys[1], Since: 1, Length: model.Through(3), Held: true, Watch: true},
		}, rec.Held)
		assert.Equal(t, []bool{true, true, false}, asked, "the same question is asked once")
	}
}

// A node's own questions come first, and differ from the questions of the monitor that observes the step.
func TestWhoAskedAboutAHold(t *testing.T) {
	s := system(client("c", acts{
		start:  func(_ *puppet, env model.Env) { env.Hold("k", model.Through(1)) },
		invoke: func(_ *puppet, env model.Env, _ any) { env.Held("k") },
	}, model.Op{Call: "go"}, model.Op{Call: "go"}))
	r := start(t, s, timed, watching(watcher{invoked: func(w model.Watch) {
		w.Held("k")
		w.Hold("k", model.Through(1))
		w.Held("k")
	}}))
	assert.Equal(t, []world.HeldAnswer{{Length: model.Through(1), Held: true}}, r.do(0, model.Invoke, 0).Held)
}

// A hold that a monitor has seen over stays over. A hold that lasts can be queried again.
func TestAMonitorsHoldEnds(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Return(nil) }}, model.Op{Call: 1}, model.Op{Call: 2}, model.Op{Call: 3}))
	var heard []bool
	r := start(t, s, untimed, watching(watcher{
		invoked:  func(w model.Watch) { heard = append(heard, w.Held("k")) },
		returned: func(w model.Watch) { w.Hold("k", model.Through(1)) },
	}))
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	rec := r.do(0, model.Invoke, 0, 1) // over
	assert.Equal(t, []world.Choice{{Of: 2, Is: 1, What: "held"}}, rec.Choices)
	assert.Equal(t, []bool{false, false}, heard)
	state := r.State()
	assert.NotContains(t, state[len(state)-3], "holds")

	heard = nil
	r = start(t, s, untimed, watching(watcher{
		invoked: func(w model.Watch) {
			if len(heard) == 0 {
				w.Hold("k", model.Through(1))
			}
			heard = append(heard, w.Held("k"))
		},
		returned: func(w model.Watch) { heard = append(heard, w.Held("k")) },
	}))
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0, 0)
	r.do(0, model.Invoke, 0, 0)
	rec = r.do(0, model.Return, 0, 1)
	assert.Equal(t, []bool{true, true, true, false}, heard)
	assert.Len(t, rec.Choices, 1)
}

// At the beginning of the run a hold is queried at the instant when it is set, without a choice.
func TestHoldsAtBoot(t *testing.T) {
	s := system(server("s", acts{start: func(p *puppet, env model.Env) {
		env.Hold("k", model.Through(0))
		env.Note("booted")
	}}))
	for _, opt := range []world.Options{untimed, timed} {
		held := []bool{}
		c := model.Claim{Name: "at boot", Monitor: func(*model.System) model.Monitor {
			return &meter{see: func(w model.Watch, o model.Observation) {
				w.Hold(o.Value, model.Through(0))
				held = append(held, w.Held(o.Value), w.Held("other"))
			}}
		}}
		opt.Boot = func(int, string) int { t.Error("somebody chooses"); return 1 }
		r := start(t, s, opt, c)
		assert.Equal(t, []bool{true, false}, held)
		assert.Equal(t, []model.Observation{{Kind: model.Noted, Node: 0, Op: -1, Value: "booted"}}, r.Began)
	}
	// A monitor sets a hold, and queries it in a later observation at the beginning of the run.
	s = system(server("s", acts{start: func(_ *puppet, env model.Env) { env.Note(1); env.Note(2) }}))
	for _, c := range []struct {
		length model.Bound
		want   bool
	}{{model.Through(0), true}, {model.Below(1), true}, {model.Below(0), false}} {
		held := []bool{}
		claim := model.Claim{Name: "at boot", Monitor: func(*model.System) model.Monitor {
			return &meter{see: func(w model.Watch, o model.Observation) {
				if o.Value == 1 {
					w.Hold("k", c.length)
				} else {
					held = append(held, w.Held("k"))
				}
			}}
		}}
		opt := untimed
		opt.Boot = func(int, string) int { t.Error("somebody chooses"); return 1 }
		start(t, s, opt, claim)
		assert.Equal(t, []bool{c.want}, held, "%v", c.length)
	}
	// After the run has begun it is a choice.
	one := system(client("c", acts{start: func(_ *puppet, env model.Env) { env.Note(1) }, invoke: func(_ *puppet, env model.Env, _ any) { env.Note(2) }}, model.Op{Call: "go"}))
	r := start(t, one, untimed, model.Claim{Name: "later", Monitor: func(*model.System) model.Monitor {
		return &meter{see: func(w model.Watch, o model.Observation) {
			if o.Value == 1 {
				w.Hold("k", model.Through(0))
			} else if o.Value == 2 {
				w.Held("k")
			}
		}}
	}})
	assert.Len(t, r.do(0, model.Invoke, 0, 0).Choices, 1)
}

// The choices of Start are stored by node, each with its own answers.
func TestAnswersAtBoot(t *testing.T) {
	chooses := func(n int) acts { return acts{start: func(_ *puppet, env model.Env) { env.Choose(n) }} }
	r := start(t, system(server("a", chooses(2)), server("b", acts{}), server("c", chooses(3))), untimed)
	assert.Equal(t, []world.Booted{{Node: 0, Choice: world.Choice{Of: 2, What: "choose"}}, {Node: 2, Choice: world.Choice{Of: 3, What: "choose"}}}, r.Boot)
}

// Messages to a node that runs no code are stored for people, unless a cut separates the nodes.
func TestWhatIsSentToLiars(t *testing.T) {
	s := byzantine()
	s.Nodes[0].Script = []model.Op{{Call: "go"}, {Call: "go"}}
	s.Nodes[0].New = func() model.Node {
		return &puppet{acts: acts{invoke: func(_ *puppet, env model.Env, op any) { env.Send(1, "hello"); env.Return(nil) }}}
	}
	s.Faults.Partitions, s.Network.Partition = 1, model.Exactly(5)
	r := start(t, s, traced)
	r.do(0, model.Invoke, 0)
	require.Len(t, r.ToByzantine, 1)
	assert.Equal(t, &world.Event{Kind: model.Deliver, Node: 1, From: 0, Value: "hello", BornStep: 1}, r.ToByzantine[0])
	r.do(0, model.Return, 0)
	r.move(0, world.Move{Kind: model.Partition, Node: -1, Value: model.Side{1}})
	r.do(0, model.Invoke, 0)
	assert.Len(t, r.ToByzantine, 1, "the network is cut")
	r = start(t, s, timed)
	r.do(0, model.Invoke, 0)
	assert.Empty(t, r.ToByzantine)
	for _, e := range r.Pending() {
		assert.NotEqual(t, model.Deliver, e.Kind, "nobody is there")
	}
}

// The name of each event is assigned in order, including events that are pending at the beginning of the run,
// copies, and messages that arrive again. Names count by kind, nodes and type.
func TestEventsAreNamed(t *testing.T) {
	var named []string
	opt := timed
	opt.Created = func(e *world.Event) {
		named = append(named, e.Kind.String()+" "+world.TypeName(e.Value)+" "+string(rune('0'+e.From))+string(rune('0'+e.Node))+" "+string(rune('0'+e.Occurrence)))
	}
	s := restarting(model.Bag)
	s.Nodes[2].Script[0].Call = nil
	s.Faults.Duplication = 1
	r := start(t, s, opt)
	assert.Equal(t, []string{"invoke string 00 1", "invoke nil 02 1", "timeout string 01 1"}, named)
	named = nil
	r.do(0, model.Invoke, 0)
	r.move(0, world.Move{Kind: model.Duplicate, Event: r.event(model.Deliver, 1)})
	r.do(0, model.Deliver, 1)
	r.move(0, world.Move{Kind: model.Crash, Node: 1})
	r.move(0, world.Move{Kind: model.Restart, Node: 1})
	assert.Equal(t, []string{"deliver string 01 1", "deliver string 01 2", "deliver string 01 3", "timeout string 01 2"}, named)
	again := r.pending(model.Deliver, 1)
	require.Len(t, again, 2)
	assert.Equal(t, 1, again[1].Repeats.Occurrence)
}

// A run can begin only with a codec.
func TestWhatHasNoCodec(t *testing.T) {
	s := asking()
	s.Types = []any{nil}
	_, err := world.New(s, nil, untimed)
	assert.EqualError(t, err, "types: nil is not a type; list a value of each type")
	codec, err := value.For(asking(), nil)
	require.NoError(t, err)
	type bad struct {
		recorder
		P *int
	}
	w, err := world.Start(asking(), codec, []model.Claim{{Name: "bad", Monitor: func(*model.System) model.Monitor { return &bad{} }}}, untimed)
	assert.ErrorContains(t, err, "claim bad: ")
	assert.Nil(t, w)
}

// A run with a failing Start is over at its beginning, and no claim is judged.
func TestStartThatFails(t *testing.T) {
	started := 0
	s := system(server("a", acts{start: func(*puppet, model.Env) { panic("no") }}), server("b", acts{start: func(*puppet, model.Env) { started++ }}))
	judged := 0
	r := start(t, s, untimed, model.Claim{Name: "inv", Invariant: func([]model.Node) error { judged++; return nil }})
	assert.True(t, r.World.Failed())
	assert.Equal(t, []int{0, 0}, []int{started, judged})
}
