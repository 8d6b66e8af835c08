package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

// A handler in place changes the state of its own run only: a fork before the handler keeps the state, whichever of the
// two runs goes on first.
func TestInPlace(t *testing.T) {
	s := system(
		client("c", acts{invoke: tell(1, "one")}, model.Op{After: model.Anytime()}, model.Op{After: model.Anytime()}),
		server("s", acts{}))
	s.Network.Delay = model.Anytime()
	for _, forkFirst := range []bool{false, true} {
		r := start(t, s, world.Options{InPlace: true})
		r.do(0, model.Invoke, 0)
		f := &run{TB: t, World: r.Fork()}
		first, second := r, f
		if forkFirst {
			first, second = f, r
		}
		before := len(second.log(1))
		first.do(0, model.Deliver, 1)
		assert.Len(t, first.log(1), before+1)
		assert.Len(t, second.log(1), before)
		second.do(0, model.Deliver, 1)
		assert.Equal(t, first.log(1), second.log(1))
	}
}

// A message that the caller does not want is lost when it is sent.
func TestUnwanted(t *testing.T) {
	var asked []any
	s := system(
		client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
			env.Send(1, "one")
			env.Send(1, "two")
		}}, model.Op{After: model.Anytime()}),
		server("s", acts{}))
	s.Network.Delay = model.Anytime()
	r := start(t, s, world.Options{Unwanted: func(e *world.Event) bool {
		asked = append(asked, e.Value)
		return e.Value == "one"
	}})
	rec := r.do(0, model.Invoke, 0)
	assert.Equal(t, []any{"one", "two"}, asked)
	assert.Len(t, rec.Sent, 1)
	pending := r.pending(model.Deliver, 1)
	assert.Len(t, pending, 1)
	assert.Equal(t, "two", pending[0].Value)
}

// Without limits, a node may crash more often than the budget permits. What is forgotten neither arrives nor arrives again.
func TestUnlimitedAndForgotten(t *testing.T) {
	s := system(
		client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
			env.Send(1, "one")
			env.Send(1, "two")
			env.Send(1, "three")
		}}, model.Op{After: model.Anytime()}),
		server("s", acts{}))
	s.Network.Delay = model.Anytime()
	r := start(t, s, world.Options{Unlimited: true})
	r.do(0, model.Invoke, 0)
	r.do(0, model.Deliver, 1)
	r.do(0, model.Deliver, 1)
	r.Forget(func(e *world.Event) bool { return e.Value != "two" })
	assert.Empty(t, r.pending(model.Deliver, 1))
	for range 3 {
		for _, kind := range []model.EventKind{model.Crash, model.Restart} {
			_, err := r.Step(world.Move{Kind: kind, Node: 1}, r.Now, nil)
			assert.NoError(t, err)
		}
	}
	again := r.pending(model.Deliver, 1)
	assert.Len(t, again, 1)
	assert.Equal(t, "two", again[0].Value)
}
