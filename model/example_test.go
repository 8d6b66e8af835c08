package model_test

import (
	"fmt"

	"contend/model"
	"contend/model/world"
)

// A locker grants a lock, and asserts that the holder does not request it.
type locker struct{ Holder string }

func (l *locker) Invoke(env model.Env, who any) {
	model.Assert(l.Holder != who, "%v holds the lock and asks for it", who)
	l.Holder = who.(string)
	env.Return(nil)
}

func ExampleAssert() {
	s := &model.System{Nodes: []model.NodeSpec{{
		Name: "s", New: func() model.Node { return &locker{} }, Script: []model.Op{{Call: "p"}, {Call: "p"}},
	}}}
	w, _ := world.New(s, nil, world.Options{})
	for !w.Failed() {
		_, _ = w.Step(w.Moves()[0], 0, nil)
	}
	fmt.Println(w.Violations[0].Claim)
	fmt.Println(w.Violations[0].Text)
	// Output:
	// no handler fails
	// Invoke of s on "p": assertion: p holds the lock and asks for it (model/example_test.go:14)
}
