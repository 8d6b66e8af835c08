package world_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// A keeper has maps in its state and its calls, for handlers that depend on the order of entries.
type keeper struct {
	act  func(k *keeper, env model.Env, op any)
	Maps map[int]int
	Log  []string
}

func (k *keeper) Invoke(env model.Env, op any) { k.act(k, env, op) }

// A handler that is not a function of its arguments is refused with the difference: in its next state, its
// effects, its choices, or its failure. A handler that is a function is accepted.
func TestImpureHandlers(t *testing.T) {
	runs := 0
	odd := func(do func(env model.Env)) func(*keeper, model.Env, any) {
		return func(_ *keeper, env model.Env, _ any) {
			if runs++; runs%2 == 1 {
				do(env)
			}
		}
	}
	often := func(k *keeper) string { // more often than once
		return fmt.Sprint(len(k.Log))
	}
	for name, c := range map[string]struct {
		act  func(k *keeper, env model.Env, op any)
		want string
	}{
		"state":  {func(k *keeper, _ model.Env, _ any) { runs++; k.Log = append(k.Log, fmt.Sprint(runs)) }, `differ in field Log (["1"] and ["2"])`},
		"send":   {odd(func(env model.Env) { env.Send(1, "m") }), "its effects"},
		"to":     {func(_ *keeper, env model.Env, _ any) { runs++; env.Send(model.NodeID(runs%2), "m") }, "its effects"},
		"what":   {func(_ *keeper, env model.Env, _ any) { runs++; env.Send(1, fmt.Sprint(runs)) }, "its effects"},
		"liar":   {odd(func(env model.Env) { env.Send(2, "m") }), "its effects"},
		"arm":    {odd(func(env model.Env) { env.After("k", model.Exactly(1)) }), "its effects"},
		"when":   {func(_ *keeper, env model.Env, _ any) { runs++; env.After("k", model.Exactly(model.Ticks(runs))) }, "its effects"},
		"cancel": {odd(func(env model.Env) { env.Cancel("k") }), "its effects"},
		"hold":   {odd(func(env model.Env) { env.Hold("k", model.Through(1)) }), "its effects"},
		"return": {odd(func(env model.Env) { env.Return(nil) }), "its effects"},
		"note":   {odd(func(env model.Env) { env.Note("n") }), "its effects"},
		"hand":   {odd(func(env model.Env) { env.Deliver("n") }), "its effects"},
		"choose": {odd(func(env model.Env) { env.Choose(2) }), "its choices"},
		"more": {func(_ *keeper, env model.Env, _ any) {
			runs++
			env.Choose(2)
			if runs%2 == 0 {
				env.Choose(2)
			}
		}, "its choices"},
		"other": {func(_ *keeper, env model.Env, _ any) { runs++; env.Choose(2 + runs%2) }, "its choices"},
		"first": {func(_ *keeper, env model.Env, _ any) { runs++; env.Choose(2 + runs%2); env.Choose(2) }, "its choices"},
		"draw": {func(_ *keeper, env model.Env, _ any) {
			if runs++; runs%2 == 0 {
				env.Choose(2)
			} else {
				env.Draw(2)
			}
		}, "its choices"},
		"fails": {odd(func(model.Env) { panic("no") }), "whether it fails"},
		"then": {func(*keeper, model.Env, any) {
			if runs++; runs%2 == 0 {
				panic("no")
			}
		}, "whether it fails"},
		"order": {func(k *keeper, _ model.Env, op any) {
			for x := range op.(map[int]int) {
				k.Log = append(k.Log, fmt.Sprint(x)) // the whole log: two runs with equal beginnings differ later
			}
		}, "differ in field Log"},
		"gift": {func(_ *keeper, _ model.Env, op any) { op.(map[int]int)[0]++ }, "changes the value"},

		"pure": {func(k *keeper, env model.Env, _ any) {
			env.Choose(2)
			env.Draw(3)
			env.Send(1, often(k))
			env.Note("n")
			env.Return(nil)
		}, ""},
		"failing": {func(*keeper, model.Env, any) { panic("no") }, ""},
	} {
		runs = 0
		op := map[int]int{}
		for k := range 40 {
			op[k] = k
		}
		s := system(model.NodeSpec{Name: "k", New: func() model.Node { return &keeper{act: c.act, Maps: map[int]int{}} }, Script: []model.Op{{Call: op}}}, server("s", acts{}),
			model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Types = []any{map[int]int{}}
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return nil }
		r := start(t, s, world.Options{Purity: world.NewPurity()})
		_, err := r.Step(r.of(model.Invoke, 0), 0, r.choose)
		if c.want == "" {
			assert.NoError(t, err, name)
			assert.Equal(t, name == "failing", r.World.Failed(), name)
			continue
		}
		assert.ErrorContains(t, err, c.want, name)
	}
}

// The result of a handler is stored across worlds. So a handler that gives the same result twice, and another
// result later, is detected. With other arguments or answers another result is permitted.
func TestImpurityIsRemembered(t *testing.T) {
	runs, differs := 0, func(k *keeper, env model.Env) {}
	s := system(model.NodeSpec{Name: "k", Script: []model.Op{{Call: "go"}}, New: func() model.Node {
		return &keeper{Maps: map[int]int{}, act: func(k *keeper, env model.Env, _ any) {
			if runs++; runs > 2 {
				differs(k, env)
			}
		}}
	}}, server("s", acts{}))
	for name, c := range map[string]struct {
		differs func(k *keeper, env model.Env)
		want    string
	}{
		"state":   {func(k *keeper, _ model.Env) { k.Log = []string{"late"} }, `differ in field Log (["late"] and [])`},
		"effects": {func(_ *keeper, env model.Env) { env.Note("late") }, "its effects"},
		"asked":   {func(k *keeper, env model.Env) { env.Choose(1); k.Log = []string{"late"} }, ""},
	} {
		runs, differs = 0, c.differs
		opt := world.Options{Purity: world.NewPurity()}
		first := start(t, s, opt)
		first.do(0, model.Invoke, 0)
		require.Equal(t, 2, runs, "it runs twice")
		again := start(t, s, opt)
		_, err := again.Step(again.of(model.Invoke, 0), 0, again.choose)
		if c.want == "" {
			assert.NoError(t, err, name)
		} else {
			assert.ErrorContains(t, err, c.want, name)
		}
		runs = 2
		alone := start(t, s, world.Options{Purity: world.NewPurity()})
		alone.do(0, model.Invoke, 0)
	}
	runs = 0
	plain := start(t, s, world.Options{})
	plain.do(0, model.Invoke, 0)
	assert.Equal(t, 1, runs, "nobody asked whether it is pure")
}

// counts are of an unexported type, so they are configuration, and copies share them.
type counts struct{ Notes map[string]int }

// A counter is a monitor that keeps state in its configuration.
type counter struct{ counts }

func (c *counter) Observe(_ model.Watch, o model.Observation) { c.Notes[fmt.Sprint(o.Value)]++ }

// A monitor that changes what its copies share is an error.
func TestMonitorChangesConfiguration(t *testing.T) {
	s := system(model.NodeSpec{Name: "k", Script: []model.Op{{Call: "go"}}, New: func() model.Node {
		return &keeper{Maps: map[int]int{}, act: func(_ *keeper, env model.Env, _ any) { env.Note("n") }}
	}}, server("s", acts{}))
	claim := model.Claim{Name: "counted", Monitor: func(*model.System) model.Monitor { return &counter{counts{map[string]int{}}} }}
	r := start(t, s, world.Options{Purity: world.NewPurity()}, claim)
	_, err := r.Step(r.of(model.Invoke, 0), 0, r.choose)
	assert.ErrorContains(t, err, "Observe of *world_test.counter changes its configuration")
}
