package component

import (
	"strings"
	"testing"

	"contend/model"
)

// What a node or a monitor leaves behind is found as the handler runs again, or when the store is asked.
func TestLeftovers(t *testing.T) {
	end := make(chan bool)
	defer close(end)
	waits := func() { <-end }
	var kept *actor
	var seen *watcher
	for _, c := range []struct {
		name     string
		node     func(n *actor, env model.Env)
		observes func(m *watcher, w model.Watch)
		want     string
	}{
		{name: "nothing", node: func(n *actor, env model.Env) { env.Note(n.S) }},
		{name: "a goroutine", node: func(*actor, model.Env) { go waits() },
			want: "Invoke of *component.actor leaves a goroutine behind (component/leftovers_test.go:24): no handler may start one"},
		{name: "a goroutine of a monitor", observes: func(*watcher, model.Watch) { go waits() },
			want: "Observe of *component.watcher leaves a goroutine behind (component/leftovers_test.go:26): no handler may start one"},
		{name: "an Env in a goroutine", node: func(_ *actor, env model.Env) { inTurn(func() { env.Note(1) }) },
			want: "node p1 uses its Env in another goroutine than the handler that it was given to (component/leftovers_test.go:28)"},
		{name: "a Watch in a goroutine", observes: func(_ *watcher, w model.Watch) { inTurn(w.Witness) },
			want: "claim watched uses its Env in another goroutine than the handler that it was given to (component/leftovers_test.go:"},
		{name: "a node", node: func(n *actor, _ model.Env) {
			if kept != nil {
				kept.S = 5
			}
			kept = n
		}, want: "the node that Invoke of *component.actor was given was written to after it had returned, in field S (0 and 5): no handler may keep a node"},
		{name: "a monitor", observes: func(m *watcher, _ model.Watch) {
			if seen != nil {
				seen.S = 5
			}
			seen = m
		}, want: "the node that Observe of *component.watcher was given was written to after it had returned, in field S (0 and 5): no handler may keep a node"},
	} {
		n, m := act(func(*actor, model.Env) {}), &watcher{does: func(*watcher, model.Watch, string, any) {}}
		if c.node != nil {
			n = act(c.node)
		}
		if c.observes != nil {
			m.does = func(m *watcher, w model.Watch, _ string, _ any) { c.observes(m, w) }
		}
		st := stored(t, n, watched(model.Always, m))
		on, label := st.on(Kind(model.Invoke), 1), st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Op: -1, Value: st.Value(1)})
		text := refusal(func() {
			for range 3 {
				st.Handle(st.first(p1), on)
				st.Watch(st.first(monitor), label)
			}
			st.MustLeaveNothing()
		})
		if !strings.HasPrefix(text, c.want) || (text == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// What is used or written after the last run of a handler is found when the store is asked.
func TestLateLeftovers(t *testing.T) {
	var kept *actor
	var used model.Env
	for name, c := range map[string]struct {
		late func()
		want string
	}{
		"nothing":    {func() {}, ""},
		"an Env":     {func() { inTurn(func() { used.Note(1) }) }, "node p1 uses its Env after the handler that it was given to has returned (component/leftovers_test.go:"},
		"a node":     {func() { kept.S = 5 }, "the node that Invoke of *component.actor was given was written to after it had returned, in field S (0 and 5)"},
		"map of one": {func() { kept.Keys[1] = 1 }, "the node that Invoke of *component.actor was given was written to after it had returned, in field Keys ("},
	} {
		st := stored(t, act(func(n *actor, env model.Env) {
			n.Keys = map[int]int{}
			kept, used = n, env
		}))
		for range 5 {
			st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1))
		}
		c.late()
		if text := refusal(st.MustLeaveNothing); !strings.HasPrefix(text, c.want) || (text == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// inTurn does something in a goroutine, and waits for it.
func inTurn(do func()) {
	end := make(chan bool)
	go func() {
		defer close(end)
		do()
	}()
	<-end
}
