package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
)

// turn is a client that asks a server for a turn, and waits for the answer.
type turn struct{ Waits bool }

func (n *turn) Invoke(env model.Env, _ any)                  { n.Waits = true; env.Send(0, "ask") }
func (n *turn) Receive(env model.Env, _ model.NodeID, _ any) { n.Waits = false; env.Return(nil) }

// usher answers.
type usher struct{}

func (usher) Receive(env model.Env, from model.NodeID, _ any) { env.Send(from, "go") }

// A note says that clients which look alike are not permuted because of a claim that needs every run; so it does not where
// there are none, where reductions are turned off, and where the claim is not searched.
func TestSymmetryThatIsOffIsNoted(t *testing.T) {
	turns := func(clients int) *model.Protocol {
		return &model.Protocol{Name: "turns", Title: "turns", Build: func(c model.Config) (*model.System, error) {
			s := &model.System{Config: c, Types: []any{""}, Network: model.Network{Delay: model.Anytime()},
				Nodes: []model.NodeSpec{{Name: "usher", Role: model.Server, New: func() model.Node { return &usher{} }}}}
			for i := range clients {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: string(rune('a' + i)), New: func() model.Node { return &turn{} },
					Script: []model.Op{{Call: "turn", After: model.Anytime()}}})
			}
			return s, nil
		}, Claims: []model.Claim{{Name: "stops nowhere", Kind: model.Always, Done: true}, {Name: "all are served", Kind: model.Eventually, Done: true}}}
	}
	note := "symmetry of clients is off because of all are served: fairness may require the step that it removes"
	other := note + "; --claim searches the other claims with it"
	for name, x := range map[string]struct {
		clients int
		claims  []string
		reduce  []string
		note    string
		states  int64
	}{
		"both claims":          {3, nil, nil, other, 125},
		"the eventually claim": {3, []string{"all are served"}, nil, note, 125},
		"the other claim":      {3, []string{"stops nowhere"}, nil, "", 35},
		"no reductions":        {3, nil, []string{}, "", 125},
		"one client":           {1, nil, nil, "", 5},
	} {
		rows, err := checker.Check(turns(x.clients), model.Check{Claims: x.claims}, checker.Options{Workers: 1, Reduce: x.reduce})
		require.NoError(t, err, name)
		assert.Equal(t, x.states, rows[0].States, name)
		if x.note == "" {
			assert.Empty(t, rows[0].Notes, name)
		} else {
			assert.Contains(t, rows[0].Notes, x.note, name)
		}
	}
}
