package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// begins is an operation at boot.
var begins = model.Op{Call: "go", AtBoot: true}

// tempted returns a system of clients in which much could happen at once: messages in flight, an alarm, faults
// and forgeries.
func tempted(faults model.Faults, clients ...model.NodeSpec) *model.System {
	greets := acts{start: func(_ *puppet, env model.Env) {
		for i := range clients {
			env.Send(model.NodeID(i), "hello")
		}
		env.After("now", model.Window{})
	}}
	s := system(append(clients, server("s", greets), model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})...)
	s.Faults = faults
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} }
	return s
}

var everything = model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}

// Operations at boot are the only moves, one after another in the order of the nodes. After them all other
// moves are possible.
func TestAtBootComesFirst(t *testing.T) {
	later := model.Op{Call: "later"}
	for _, opt := range []world.Options{untimed, timed, halves} {
		r := start(t, tempted(everything, client("a", returns, begins), client("b", returns, later), client("c", returns, begins)), opt)
		for _, id := range []model.NodeID{0, 2} {
			require.True(t, r.Booting())
			require.Equal(t, []world.Move{r.of(model.Invoke, id)}, r.Moves())
			require.Empty(t, r.Forgeries())
			r.do(0, model.Invoke, id)
		}
		require.False(t, r.Booting())
		assert.NotEmpty(t, r.Forgeries())
		for kind, node := range map[model.EventKind]model.NodeID{
			model.Invoke: 1, model.Return: 0, model.Deliver: 1, model.Timeout: 3, model.Lose: 1, model.Duplicate: 1, model.Crash: 2,
		} {
			assert.True(t, r.offers(kind, node), "%v at %d", kind, node)
		}
	}
}

// While operations must begin at boot every other step is refused with a sentence, and changes nothing:
// traces are not trusted.
func TestStepsBeforeBootAreRefused(t *testing.T) {
	for _, opt := range []world.Options{untimed, timed} {
		r := start(t, tempted(everything, client("a", returns, begins), client("b", returns, begins), client("c", returns, model.Op{Call: "later"})), opt)
		hello := r.event(model.Deliver, 0)
		for _, m := range []world.Move{
			r.of(model.Invoke, 1), r.of(model.Invoke, 2), r.of(model.Deliver, 0), r.of(model.Timeout, 3),
		} {
			assert.ErrorContains(t, r.refused(0, m), "the event cannot fire at 0")
		}
		for _, m := range []world.Move{
			{Kind: model.Lose, Event: hello}, {Kind: model.Duplicate, Event: hello},
			{Kind: model.Crash, Node: 0}, {Kind: model.Crash, Node: 3},
			{Kind: model.Forge, Node: 0, From: 4, Value: "lie"},
		} {
			assert.EqualError(t, r.refused(0, m), "the environment moves before the operations that begin at boot")
		}
		r.do(0, model.Invoke, 0)
		assert.Error(t, r.refused(0, world.Move{Kind: model.Crash, Node: 0}), "one operation has yet to begin")
		r.do(0, model.Invoke, 1)
		r.move(0, world.Move{Kind: model.Crash, Node: 0})
	}
}

// No time passes before boot, and durations from the start count from boot.
func TestAtBootTakesNoTime(t *testing.T) {
	s := system(client("c", returns, begins, model.Op{Call: "next", After: model.Exactly(2)}))
	s.Returned = model.Exactly(1)
	r := start(t, s, timed)
	require.Error(t, r.refused(1, r.of(model.Invoke, 0)))
	r.do(0, model.Invoke, 0)
	r.do(1, model.Return, 0)
	r.do(3, model.Invoke, 0)
	assert.Equal(t, []string{"invoke go", "invoke next"}, r.log(0))
}

// If an operation at boot leads beyond a cut nothing else happens instead.
func TestCutAtBoot(t *testing.T) {
	s := tempted(everything, client("a", returns, begins), client("b", returns, begins))
	s.Cuts = []model.Cut{{Name: "none", Beyond: func(n model.Node) bool {
		p := n.(*puppet)
		return len(p.Log) > 0 && p.Log[0] == "invoke go"
	}}}
	r := start(t, s, untimed, model.Claim{Name: "progress", Done: true})
	_, err := r.Step(r.of(model.Invoke, 0), 0, r.choose)
	require.ErrorAs(t, err, &world.ErrCut{})
	assert.True(t, r.Booting())
	assert.Empty(t, r.Moves())
	assert.Empty(t, r.Forgeries())
	assert.Empty(t, r.Violations, "it is cut, not stuck")
}

// Only the first operation of a script may be at boot, and it has no window.
func TestAtBootIsValidated(t *testing.T) {
	for _, script := range [][]model.Op{
		{{Call: "go"}, begins},
		{{Call: "go", AtBoot: true, After: model.Exactly(1)}},
		{{Call: "go", AtBoot: true, After: model.Anytime()}},
	} {
		assert.ErrorContains(t, system(client("c", returns, script...)).Validate(), "only the first may be AtBoot, and then After is left out")
	}
	s := system(client("a", returns, begins), client("b", returns), client("c", returns, begins, model.Op{Call: "on"}))
	require.NoError(t, s.Validate())
	assert.Equal(t, []model.NodeID{0, 2}, s.AtBoot())
}

// No operation is invoked from outside before the operations at boot have begun.
func TestNothingIsDrivenWhileBooting(t *testing.T) {
	s := system(client("a", returns, begins), client("b", returns))
	r := start(t, s, untimed)
	_, ok := r.Drive(model.Invoke, 1, 0, "go")
	require.False(t, ok)
	r.do(0, model.Invoke, 0)
	m, ok := r.Drive(model.Invoke, 1, 0, "go")
	require.True(t, ok)
	require.Contains(t, r.Moves(), m)
}
