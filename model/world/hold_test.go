package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

// holder returns a server that holds for d in Start, and queries the hold at a message.
func holder(d model.Bound) *model.System {
	s := system(
		client("c", acts{invoke: tell(1, "held?")}, model.Op{After: model.Anytime()}),
		server("s", acts{
			start: func(_ *puppet, env model.Env) { env.Hold("k", d) },
			receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) {
				p.say("%v", env.Held("k"))
			},
		}))
	s.Network.Delay = model.Anytime()
	return s
}

// Held is false exactly when more than d has passed, or exactly d for a hold below d. Instants between the
// ticks count, too.
func TestHeldKeepsTime(t *testing.T) {
	for _, tc := range []struct {
		d    model.Bound
		opt  world.Options
		at   world.Time
		want string
	}{
		{model.Through(2), timed, 1, "true"},
		{model.Through(2), timed, 2, "true"},
		{model.Through(2), timed, 3, "false"},
		{model.Below(2), timed, 1, "true"},
		{model.Below(2), timed, 2, "false"},
		{model.Through(2), halves, 4, "true"},
		{model.Through(2), halves, 5, "false"},
		{model.Below(2), halves, 3, "true"},
		{model.Below(2), halves, 4, "false"},
		{model.Through(0), timed, 0, "true"},
		{model.Through(0), halves, 1, "false"},
		{model.Below(0), timed, 0, "false"},
		{model.Below(1), world.Options{Timed: true, Parts: 1000}, 999, "true"},
		{model.Through(1), world.Options{Timed: true, Parts: 1000}, 1001, "false"},
	} {
		r := start(t, holder(tc.d), tc.opt)
		r.do(0, model.Invoke, 0)
		rec := r.do(tc.at, model.Deliver, 1)
		assert.Equal(t, tc.want, r.log(1)[1], "%+v at %d", tc.d, tc.at)
		assert.Empty(t, rec.Choices, "the clock answers, nobody chooses")
		if tc.d == model.Below(0) {
			assert.Empty(t, rec.Held, "it was over as it began")
			continue
		}
		assert.Equal(t, []world.HeldAnswer{{Since: 0, Length: tc.d, Held: tc.want == "true"}}, rec.Held)
	}
}

// Untimed the answer is a choice, and a hold once over stays over.
func TestHeldUntimed(t *testing.T) {
	s := holder(model.Through(2))
	s.Nodes[0] = client("c", acts{invoke: tell(1, "held?", "held?", "held?", "held?")}, model.Op{})
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	rec := r.do(0, model.Deliver, 1, 0)
	assert.Equal(t, []world.Choice{{Of: 2, Is: 0, What: "held"}}, rec.Choices)
	r.do(0, model.Deliver, 1, 0)
	r.do(0, model.Deliver, 1, 1)
	rec = r.do(0, model.Deliver, 1)
	assert.Empty(t, rec.Choices, "there is nothing left to choose")
	assert.Equal(t, []string{"true", "true", "false", "false"}, everySecond(r.log(1)))
}

func everySecond(log []string) []string {
	var out []string
	for i := 1; i < len(log); i += 2 {
		out = append(out, log[i])
	}
	return out
}

// Within one handler no time passes. The same query has the same answer, a new hold is held, and a key
// without a hold is not.
func TestHeldWithinOneHandler(t *testing.T) {
	s := system(server("s", acts{}), client("c", acts{invoke: func(p *puppet, env model.Env, _ any) {
		p.say("%v", env.Held("never"))
		env.Hold("k", model.Through(0))
		p.say("%v %v", env.Held("k"), env.Held("k"))
		env.Hold("k", model.Below(0))
		p.say("%v", env.Held("k"))
	}}, model.Op{Call: "go"}))
	for _, opt := range []world.Options{untimed, timed} {
		r := start(t, s, opt)
		rec := r.do(0, model.Invoke, 1)
		assert.Equal(t, []string{"invoke go", "false", "true true", "false"}, r.log(1))
		assert.Empty(t, rec.Choices)
	}
}

func TestHeldIsAskedOncePerHandler(t *testing.T) {
	s := holder(model.Through(2))
	s.Nodes[1] = server("s", acts{
		start: func(_ *puppet, env model.Env) { env.Hold("k", model.Through(1)) },
		receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) {
			p.say("%v %v", env.Held("k"), env.Held("k"))
		}})
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	rec := r.do(0, model.Deliver, 1, 1, 0)
	assert.Len(t, rec.Choices, 1)
	assert.Equal(t, "false false", r.log(1)[1])
}

// A new hold of a key restarts the countdown, even in the handler that saw the last hold over.
func TestHoldAnew(t *testing.T) {
	s := holder(model.Through(1))
	s.Nodes[1].New = func() model.Node {
		return &puppet{acts: acts{receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) {
			p.say("%v", env.Held("k"))
			env.Hold("k", model.Through(1))
		}}}
	}
	s.Nodes[0] = client("c", acts{invoke: tell(1, "a", "b", "c", "d")}, model.Op{})
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	for _, at := range []world.Time{0, 1, 2, 4} {
		r.do(at, model.Deliver, 1)
	}
	assert.Equal(t, []string{"false", "true", "true", "false"}, everySecond(r.log(1)))
}
