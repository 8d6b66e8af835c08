package component

import (
	"strings"
	"testing"

	"contend/model"
	"contend/model/rules"
)

// A handler that misuses its Env fails, with a sentence that says who did what: in each reading, whatever
// else it does.
func TestMisuseOfEnvFails(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(n *actor, env model.Env)
		want string // what the failure begins with
	}{
		"nobody":          {func(_ *actor, env model.Env) { env.Send(7, 1) }, "node p1 sends to node 7, which does not exist"},
		"below nobody":    {func(_ *actor, env model.Env) { env.Send(-1, 1) }, "node p1 sends to node -1, which does not exist"},
		"no window":       {func(_ *actor, env model.Env) { env.After("a", model.Between(2, 1)) }, "node p1 arms an alarm: "},
		"no hold":         {func(_ *actor, env model.Env) { env.Hold("a", model.Through(-1)) }, "node p1 holds for -1 ticks"},
		"no choice":       {func(_ *actor, env model.Env) { env.Choose(0) }, "a handler chooses among 0"},
		"no draw":         {func(_ *actor, env model.Env) { env.Draw(-1) }, "a handler chooses among -1"},
		"two returns":     {func(_ *actor, env model.Env) { env.Return(1); env.Return(2) }, "node p1 returns, but no invocation runs"},
		"endless sends":   {func(_ *actor, env model.Env) { forever(func() { env.Send(p2, 1) }) }, "node p1 does more than "},
		"endless alarms":  {func(_ *actor, env model.Env) { forever(func() { env.After("a", model.By(1)) }) }, "node p1 does more than "},
		"endless ends":    {func(_ *actor, env model.Env) { forever(func() { env.Cancel("a") }) }, "node p1 does more than "},
		"endless holds":   {func(_ *actor, env model.Env) { forever(func() { env.Hold("a", model.Through(1)) }) }, "node p1 does more than "},
		"endless notes":   {func(_ *actor, env model.Env) { forever(func() { env.Note(1) }) }, "node p1 does more than "},
		"endless choices": {func(_ *actor, env model.Env) { forever(func() { env.Choose(1) }) }, "node p1 asks for more than "},
		"after a step":    {func(n *actor, env model.Env) { n.S = 1; env.Note(1); panic("late") }, "panic: late"},
	} {
		st := stored(t, act(c.do))
		from := st.first(p1)
		all := st.Handle(from, st.on(Kind(model.Invoke), 1))
		if len(all) != 1 || all[0].Failed == nil || !strings.Contains(all[0].Failed.String(), c.want) {
			t.Errorf("%s: %+v; want %q", name, all[0].Failed, c.want)
			continue
		}
		if o := all[0]; o.Next != from || o.Cut != -1 || len(o.Effects) > 0 || o.Finishes != (name == "two returns") || o.Idle {
			t.Errorf("%s: what fails leads nowhere, and says whether it returned before, but %+v", name, o)
		}
	}
}

// forever does something more often than a handler may.
func forever(do func()) {
	for range 2 * rules.MaxEffects {
		do()
	}
	panic("it may go on for ever")
}

// So does a monitor that misuses its Watch.
func TestMisuseOfWatchFails(t *testing.T) {
	for name, c := range map[string]struct {
		kind model.Kind
		do   func(w model.Watch)
		want string
	}{
		"a goal that is violated": {model.Eventually, func(w model.Watch) { w.Violate("never") }, "watched"},
		"no window":               {model.Always, func(w model.Watch) { w.After("a", model.Between(2, 1)) }, "claim watched arms an alarm: "},
		"no hold":                 {model.Always, func(w model.Watch) { w.Hold("a", model.Through(-1)) }, "claim watched holds for -1 ticks"},
		"endless alarms":          {model.Always, func(w model.Watch) { forever(func() { w.After("a", model.By(1)) }) }, "claim watched does more than "},
	} {
		st := stored(t, act(nil), watched(c.kind, &watcher{does: func(_ *watcher, w model.Watch, _ string, _ any) { c.do(w) }}))
		all := st.Watch(st.first(monitor), st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Op: -1, Value: st.Value(1)}))
		if len(all) != 1 || all[0].Failed == nil || !strings.Contains(all[0].Failed.String(), c.want) {
			t.Errorf("%s: %+v; want %q", name, all[0].Failed, c.want)
		}
	}
}

// An Env that is used after its handler has returned is refused, whatever is asked of it; so is a Watch.
func TestNothingIsKept(t *testing.T) {
	var kept model.Env
	for name, use := range map[string]func(env model.Env){
		"Self": func(env model.Env) { env.Self() }, "Send": func(env model.Env) { env.Send(p2, 1) }, "After": func(env model.Env) { env.After("a", model.By(1)) },
		"Cancel": func(env model.Env) { env.Cancel("a") }, "Hold": func(env model.Env) { env.Hold("a", model.Through(1)) }, "Held": func(env model.Env) { env.Held("a") },
		"Choose": func(env model.Env) { env.Choose(1) }, "Draw": func(env model.Env) { env.Draw(1) }, "Return": func(env model.Env) { env.Return(1) },
		"Deliver": func(env model.Env) { env.Deliver(1) }, "Note": func(env model.Env) { env.Note(1) },
	} {
		st := stored(t, act(func(_ *actor, env model.Env) { kept = env }))
		st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1))
		if text := misuse(func() { use(kept) }); !strings.HasPrefix(text, "node p1 uses its Env after the handler that it was given to has returned (component/misuse_test.go:") {
			t.Errorf("%s: %q", name, text)
		}
	}
	var watch model.Watch
	for name, use := range map[string]func(w model.Watch){
		"Violate": func(w model.Watch) { w.Violate("x") }, "Witness": func(w model.Watch) { w.Witness() }, "Held": func(w model.Watch) { w.Held("a") },
		"After": func(w model.Watch) { w.After("a", model.By(1)) }, "Cancel": func(w model.Watch) { w.Cancel("a") }, "Hold": func(w model.Watch) { w.Hold("a", model.Through(1)) },
	} {
		st := stored(t, act(nil), watched(model.Always, &watcher{does: func(_ *watcher, w model.Watch, _ string, _ any) { watch = w }}))
		st.Watch(st.first(monitor), st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Op: -1, Value: st.Value(1)}))
		if text := misuse(func() { use(watch) }); !strings.HasPrefix(text, "claim watched uses its Env after the handler that it was given to has returned (component/misuse_test.go:") {
			t.Errorf("%s of a monitor: %q", name, text)
		}
	}
}

// What a slot stands for is the claim whose monitor has it, past those without.
func TestClaimsOfSlots(t *testing.T) {
	m := func(*model.System) model.Monitor { return &watcher{} }
	st := stored(t, act(nil))
	st.Claims = []model.Claim{{Name: "none"}, {Name: "first", Monitor: m}, {Name: "none either"}, {Name: "second", Monitor: m}}
	for slot, want := range map[int16]string{monitor: "first", monitor + 1: "second", monitor + 2: ""} {
		if c := st.ClaimOf(slot); c.Name != want {
			t.Errorf("slot %d: claim %q, want %q", slot, c.Name, want)
		}
	}
}

// A hold that is over as it begins is none; one that lasts is known to.
func TestHoldsThatBegin(t *testing.T) {
	for name, c := range map[string]struct {
		d    model.Bound
		held bool
	}{
		"through 0": {model.Through(0), true}, "below 0": {model.Below(0), false},
		"through 1": {model.Through(1), true}, "below 1": {model.Below(1), true},
	} {
		st := stored(t, act(func(n *actor, env model.Env) {
			env.Hold("lock", c.d)
			if env.Held("lock") {
				n.S = 1
			}
		}))
		all := st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1))
		if len(all) != 1 || st.node(p1, all[0].Next).(*actor).S == 1 != c.held {
			t.Errorf("%s: %d outcomes, %q", name, len(all), st.told(p1, all[0]))
		}
	}
}
