package model_test

import (
	"fmt"

	"contend/checker"
	"contend/model"
)

// A Question is repeated until it is answered.
type Question struct{ Number int }

// An Answer names its question.
type Answer struct{ Number int }

// again is the key of the alarm that repeats a question.
type again struct{}

// An Asker asks node 0 a question for each call of its application.
type Asker struct {
	patience model.Ticks // configuration: an unexported field
	Number   int         // state: exported fields
	Waiting  bool
}

// Invoke sends a new question.
func (a *Asker) Invoke(env model.Env, _ any) {
	a.Number, a.Waiting = a.Number+1, true
	a.ask(env)
}

// Timeout repeats the question.
func (a *Asker) Timeout(env model.Env, _ any) { a.ask(env) }

func (a *Asker) ask(env model.Env) {
	env.Send(0, Question{a.Number})
	env.After(again{}, model.Exactly(a.patience))
}

// Receive returns the first answer to the application.
func (a *Asker) Receive(env model.Env, _ model.NodeID, m any) {
	if !a.Waiting || m.(Answer).Number != a.Number {
		return
	}
	a.Waiting = false
	env.Cancel(again{})
	env.Return(a.Number)
}

// An Answerer answers.
type Answerer struct{}

// Receive answers a question.
func (Answerer) Receive(env model.Env, from model.NodeID, m any) {
	env.Send(from, Answer{m.(Question).Number})
}

// asking returns a system of one asker and one answerer.
func asking(c model.Config) (*model.System, error) {
	return &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Question{}, Answer{}, again{}, "", 0},
		Nodes: []model.NodeSpec{
			{Name: "answerer", Role: model.Server, New: func() model.Node { return &Answerer{} }},
			{Name: "asker", Role: model.Client, New: func() model.Node { return &Asker{patience: 3 * model.Delay.Of(c)} },
				Script: []model.Op{{Call: "ask"}, {Call: "ask"}}},
		},
	}, nil
}

// asks returns the protocol of asking with claims.
func asks(claims ...model.Claim) *model.Protocol {
	return &model.Protocol{Name: "asking", Title: "questions and answers", Params: []model.Parameter{model.Delay}, Build: asking, Claims: claims}
}

func verdicts(p *model.Protocol, c model.Check) {
	rows, err := checker.Check(p, c, checker.Options{})
	if err != nil {
		fmt.Println(err)
	}
	for _, row := range rows {
		for _, claim := range row.Claims {
			fmt.Println(claim.Name+":", claim.Verdict, claim.Text)
		}
	}
}

// A node sends, sets an alarm and cancels it, and returns to its application, all by its Env. A repeated
// question gets an answer even if a message is lost.
func ExampleEnv() {
	verdicts(asks(model.Claim{
		Name: "each question is answered", Kind: model.Eventually, Done: true,
		Assumes: []model.Assumption{model.Timed},
	}), model.Check{Reading: model.Grid, Config: model.Config{Faults: model.Faults{Loss: 1}}})
	// Output: each question is answered: holds
}

// An invariant checks each state. A claim with an assumption is not claimed in a check that does not meet it.
func ExampleClaim() {
	verdicts(asks(
		model.Claim{
			Name: "two questions at most", Kind: model.Always,
			Invariant: func(nodes []model.Node) error {
				if a, live := nodes[1].(*Asker); live && a.Number > 2 {
					return fmt.Errorf("question %d is asked", a.Number)
				}
				return nil
			},
		},
		model.Claim{
			Name: "all is over", Kind: model.Eventually, Done: true,
			Assumes: []model.Assumption{model.NoLoss},
		},
	), model.Check{Reading: model.Grid, Config: model.Config{Faults: model.Faults{Loss: 1}}})
	// Unordered output:
	// two questions at most: holds
	// all is over: not claimed it assumes no loss
}

// numbers is a monitor: its exported fields are its state.
type numbers struct{ Last int }

// Observe checks the returned answers.
func (n *numbers) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Returned {
		return
	}
	w.Witness()
	if is := o.Value.(int); is <= n.Last {
		w.Violate("it returns %d after %d", is, n.Last)
	} else {
		n.Last = is
	}
}

// A monitor observes a run.
func ExampleMonitor() {
	verdicts(asks(model.Claim{
		Name: "answers come in order", Kind: model.Always,
		Monitor: func(*model.System) model.Monitor { return &numbers{} },
	}), model.Check{Reading: model.Dense})
	// Output: answers come in order: holds
}
