package minimize_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/minimize"
	"contend/model"
	"contend/traces"
)

// poll is a protocol of a client that adds what two servers answer, both of them liars. An honest one answers 2, a liar what it will up
// to 3. It is claimed that the sum is neither 3 nor 4.
var poll = &model.Protocol{Name: "poll", Params: []model.Parameter{model.B},
	Claims: []model.Claim{{Name: "sum", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if sum := nodes[2].(*asking).Sum; sum == 3 || sum == 4 {
			return fmt.Errorf("the sum is %d", sum)
		}
		return nil
	}}},
	Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Types: []any{ask{}, reply{}}, Network: model.Network{Delay: model.Anytime()},
			Forge: func(to model.Node, _, _ model.NodeID) []any {
				if a, ok := to.(*asking); !ok || !a.Asked {
					return nil
				}
				return []any{reply{1}, reply{2}, reply{3}}
			}}
		for i := range 2 {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", i+1), Role: model.Server, Byzantine: true, New: func() model.Node { return &polled{} }})
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "c", New: func() model.Node { return &asking{} }, Script: []model.Op{{Call: 0}}})
		return s, nil
	}}

type (
	ask    struct{}
	reply  struct{ Number int }
	polled struct{}
	asking struct {
		Asked      bool
		Heard, Sum int
	}
)

func (*polled) Receive(env model.Env, from model.NodeID, _ any) { env.Send(from, reply{2}) }

func (a *asking) Invoke(env model.Env, _ any) {
	a.Asked = true
	env.Send(0, ask{})
	env.Send(1, ask{})
}

// Receive adds up only once it has heard both, so that no lie alone breaks the claim.
func (a *asking) Receive(_ model.Env, _ model.NodeID, m any) {
	a.Heard += m.(reply).Number + 10
	if a.Heard > 20 {
		a.Sum = a.Heard - 20
	}
}

// A lie gives way to what an honest node would have said where the claim breaks all the same, though another lie would come earlier
// in the alphabet.
func TestFewerLies(t *testing.T) {
	tr := traces.New(poll, "", model.Config{B: 2}, false, "sum", "")
	tr.Watched = []string{"sum"}
	tr.Steps = []traces.Step{
		{Kind: "invoke", To: "c", Type: "int", Occurrence: 1, Value: []byte("0")},
		{Kind: "forge", From: "s1", To: "c", Type: "minimize_test.reply", Value: []byte(`{"Number":3}`), Adversary: "sly"},
		{Kind: "forge", From: "s2", To: "c", Type: "minimize_test.reply", Value: []byte(`{"Number":1}`), Adversary: "sly"},
	}
	is, _, err := minimize.Minimize(poll, &tr, minimize.Options{})
	require.NoError(t, err)
	require.Len(t, is.Steps, 3)
	for _, s := range is.Steps[1:] {
		assert.JSONEq(t, `{"Number":2}`, string(s.Value))
		assert.Empty(t, s.Adversary, "it chose another lie")
	}
}

// A lie that stays is still of the adversary that chose it.
func TestWhoChoseLies(t *testing.T) {
	tr := traces.New(poll, "", model.Config{B: 2}, false, "sum", "")
	tr.Watched = []string{"sum"}
	tr.Steps = []traces.Step{{Kind: "invoke", To: "c", Type: "int", Occurrence: 1, Value: []byte("0")}}
	for _, s := range []string{"s1", "s2", "s1"} { // the last is not needed
		tr.Steps = append(tr.Steps, traces.Step{Kind: "forge", From: s, To: "c", Type: "minimize_test.reply", Value: []byte(`{"Number":2}`), Adversary: "sly"})
	}
	is, _, err := minimize.Minimize(poll, &tr, minimize.Options{})
	require.NoError(t, err)
	require.Len(t, is.Steps, 3)
	assert.Equal(t, "sly", is.Steps[1].Adversary)
	assert.Equal(t, "sly", is.Steps[2].Adversary)
}
