package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
)

// An asker returns in one of its handlers although no invocation runs, and goes on.
type asker struct {
	where string
	then  func(env model.Env)
	N     int
}

func (a *asker) misuse(env model.Env, at string) {
	if a.where == at {
		env.Return("misuse")
		a.then(env)
	}
}

func (a *asker) Start(env model.Env) {
	env.After("alarm", model.Between(1, 3))
	a.misuse(env, "Start")
}

func (a *asker) Invoke(env model.Env, op any) {
	if op == "release" {
		a.misuse(env, "Release")
		return
	}
	env.Send(1, "ask")
	env.Send(2, "ask")
}

func (a *asker) Timeout(env model.Env, _ any) { a.misuse(env, "Timeout") }

func (a *asker) Receive(env model.Env, _ model.NodeID, _ any) {
	if a.N++; a.N == 1 {
		env.Return("done")
	} else {
		a.misuse(env, "Receive")
	}
}

type replier struct{}

func (*replier) Receive(env model.Env, from model.NodeID, _ any) { env.Send(from, "answer") }

func asking(where string, then func(env model.Env)) *model.Protocol {
	return &model.Protocol{
		Name: "asking", Title: "questions", Source: "nowhere",
		Build: func(model.Config) (*model.System, error) {
			server := func() model.Node { return &replier{} }
			return &model.System{Types: []any{""}, Network: model.Network{Delay: model.By(1)}, Returned: model.By(1), Nodes: []model.NodeSpec{
				{Name: "c", Role: model.Client, New: func() model.Node { return &asker{where: where, then: then} }, Script: []model.Op{
					{Call: "call", After: model.Anytime(), Release: "release", Stay: model.Between(0, 2)},
				}},
				{Name: "s", Role: model.Server, New: server}, {Name: "u", Role: model.Server, New: server},
			}}, nil
		},
		Claims: []model.Claim{{Name: "fine", Kind: model.Always, Source: "nowhere", Invariant: func([]model.Node) error { return nil }}},
	}
}

// A Return without an invocation is misuse, told with its line, whatever the handler does next: the
// interpreter, which stops there, asks for nothing more.
func TestReturnWithoutInvocation(t *testing.T) {
	for _, where := range []string{"Start", "Release", "Timeout", "Receive"} {
		for what, then := range map[string]func(env model.Env){
			"nothing": func(model.Env) {}, "a choice": func(env model.Env) { env.Choose(2) }, "Held": func(env model.Env) { env.Held("hold") },
			"a second return": func(env model.Env) { env.Choose(3); env.Return(2) }, "a panic": func(env model.Env) { env.Choose(2); panic("later") },
		} {
			for _, reading := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
				rows, err := checker.Check(asking(where, then), model.Check{Reading: reading}, checker.Options{Workers: 1})
				require.NoError(t, err)
				require.Len(t, rows[0].Claims, 2, "%s, then %s, %v", where, what, reading)
				c := rows[0].Claims[1]
				assert.Equal(t, checker.Violated, c.Verdict, "%s, then %s, %v: %s", where, what, reading, c.Limit)
				assert.Regexp(t, ` of c.*: node c returns, but no invocation runs \(checker/return_test\.go:\d+\)$`, c.Text)
			}
		}
	}
}
