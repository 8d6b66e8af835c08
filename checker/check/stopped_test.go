package check

import (
	"testing"

	"contend/checker/verdict"
	"contend/model"
)

// asker asks a server and gets two answers; it takes the first, has no use for the
// second, and never returns.
type asker struct{ Answered bool }

func (a *asker) Invoke(env model.Env, _ any)                { env.Send(1, "question") }
func (a *asker) Receive(_ model.Env, _ model.NodeID, _ any) { a.Answered = true }

type answerer struct{ Asked bool }

func (a *answerer) Receive(env model.Env, from model.NodeID, _ any) {
	env.Broadcast([]model.NodeID{from, from}, "answer")
}

// A run that stops with a useless message in flight has stopped: the search, which
// absorbs the message, and the interpreter, which delivers it, agree.
func TestStoppedWithStaleMessage(t *testing.T) {
	p := &model.Protocol{
		Name: "asker",
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{
				{Name: "c", Role: model.Client, Script: []model.Op{{Call: "ask"}}, New: func() model.Node { return &asker{} }},
				{Name: "s", Role: model.Server, New: func() model.Node { return &answerer{} }},
			}}, nil
		},
		Claims: []model.Claim{{Name: "done", Kind: model.Always, Done: true}},
	}
	for _, r := range []model.Reading{model.Untimed, model.Grid} {
		rows, err := Run(p, model.Check{Reading: r}, verdict.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := rows[0].Claims[0]
		if c.Verdict != verdict.Violated || c.Counterexample == nil {
			t.Errorf("%v: %s %s", r, c.Verdict, c.Text)
		}
		if len(rows[0].Reductions) == 0 {
			t.Errorf("%v: nothing was absorbed: the test tests nothing", r)
		}
	}
}
