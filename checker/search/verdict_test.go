package search_test

import (
	"testing"

	"contend/checker"
	"contend/model"
)

// stepper counts to ten by messages to itself.
type stepper struct{ S int }

func (p *stepper) Start(env model.Env) { env.Send(0, 0) }
func (p *stepper) Receive(env model.Env, _ model.NodeID, _ any) {
	if p.S++; p.S < 10 {
		env.Send(0, 0)
	}
	env.Note(p.S)
}

type sees struct {
	number int
	Seen   bool
}

func (m *sees) Observe(_ model.Watch, o model.Observation) { m.Seen = m.Seen || o.Value == m.number }
func (m *sees) Reached() bool                              { return m.Seen }

// stepping claims that a number is reached, under a cut at so many steps.
func stepping(kind model.Kind, number, most int) *model.Protocol {
	return &model.Protocol{
		Name: "stepping",
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{
				Config: c,
				Nodes:  []model.NodeSpec{{Name: "p", Role: model.Server, New: func() model.Node { return &stepper{} }}},
				Cuts:   []model.Cut{{Name: "small", Beyond: func(n model.Node) bool { return n.(*stepper).S > most }}},
			}, nil
		},
		Claims: []model.Claim{{Name: "number", Kind: kind, Monitor: func(*model.System) model.Monitor { return &sees{number: number} }}},
	}
}

// A goal that a complete search never reaches is violated, and one that a cut or a
// limit may hide is inconclusive: silence is never a pass.
func TestVerdictsOfGoals(t *testing.T) {
	for _, c := range []struct {
		name         string
		kind         model.Kind
		number, most int
		states       int64
		verdict      checker.Verdict
		limit        string
	}{
		{"reached", model.Sometimes, 10, 10, 0, checker.Holds, ""},
		{"reached before a cut", model.Sometimes, 3, 4, 0, checker.Holds, ""},
		{"unreached", model.Sometimes, 11, 10, 0, checker.Violated, ""},
		{"unreached before a cut", model.Sometimes, 5, 4, 0, checker.Inconclusive, "cut"},
		{"unreached before a limit", model.Sometimes, 5, 10, 3, checker.Inconclusive, "states: 3"},
		{"eventually", model.Eventually, 10, 10, 0, checker.Holds, ""},
		{"eventually, before a cut", model.Eventually, 3, 4, 0, checker.Holds, ""},
		{"never", model.Eventually, 11, 10, 0, checker.Violated, ""},
		{"eventually, beyond a cut", model.Eventually, 5, 4, 0, checker.Inconclusive, "cut"},
		{"eventually, beyond a limit", model.Eventually, 5, 10, 3, checker.Inconclusive, "states: 3"},
		{"possible", model.PossibleFromEverywhere, 10, 10, 0, checker.Holds, ""},
		{"impossible", model.PossibleFromEverywhere, 11, 10, 0, checker.Violated, ""},
		{"possible beyond a cut", model.PossibleFromEverywhere, 5, 4, 0, checker.Inconclusive, "cut"},
		{"possible beyond a limit", model.PossibleFromEverywhere, 5, 10, 3, checker.Inconclusive, "states: 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := checker.Check(stepping(c.kind, c.number, c.most), model.Check{}, checker.Options{MaxStates: c.states})
			if err != nil {
				t.Fatal(err)
			}
			got := rows[0].Claims[0]
			if got.Verdict != c.verdict || got.Limit.String() != c.limit {
				t.Errorf("%s, limit %q (%s); want %s, limit %q", got.Verdict, got.Limit, got.Text, c.verdict, c.limit)
			}
		})
	}
}
