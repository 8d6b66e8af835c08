package minimize

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
)

// A narrow plan leaves a lie out that the liar cannot tell any more. Another lie in its place would keep the claim from breaking, and
// so hide that the run breaks it without any.
func TestNarrowPlansTakeNoOtherLie(t *testing.T) {
	tr := traces.New(blurting, "", model.Config{}, false, "silent", "")
	tr.Watched = []string{"silent"}
	tr.Steps = []traces.Step{
		{Kind: "invoke", To: "a", Type: "int", Occurrence: 1, Value: []byte("0")},
		{Kind: "deliver", From: "a", To: "c", Type: "minimize.arming", Occurrence: 1, Value: []byte("{}")},
		{Kind: "forge", From: "l", To: "c", Type: "minimize.word", Value: []byte(`{"Number":1}`)},
		{Kind: "invoke", To: "c", Type: "int", Occurrence: 1, Value: []byte("0")},
	}
	m, err := begin(blurting, &tr, Options{})
	require.NoError(t, err)
	p := m.omit(1) // that c is armed
	is, amiss := m.execute(p)
	assert.Nil(t, is, "the other lie keeps c from speaking")
	assert.True(t, amiss)
	require.True(t, m.try(p))
	require.Len(t, m.best.records, 2)
	assert.Equal(t, model.Invoke, m.best.records[0].Move.Kind)
	assert.Equal(t, model.Invoke, m.best.records[1].Move.Kind)
}

// blurting is a protocol in which c is to say nothing, and says something when it is asked unless it has heard 2. A liar can say only 1 to
// it once it is armed, and only 2 before.
var blurting = &model.Protocol{Name: "blurting",
	Claims: []model.Claim{{Name: "silent", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[1].(*blurter).Spoke {
			return errors.New("c spoke")
		}
		return nil
	}}},
	Build: func(c model.Config) (*model.System, error) {
		script := []model.Op{{Call: 0}}
		return &model.System{Config: c, Types: []any{arming{}, word{}}, Network: model.Network{Delay: model.Anytime()},
			Forge: func(to model.Node, _, _ model.NodeID) []any {
				switch c, ok := to.(*blurter); {
				case !ok:
					return nil
				case c.Armed:
					return []any{word{1}}
				}
				return []any{word{2}}
			}, Nodes: []model.NodeSpec{
				{Name: "a", New: func() model.Node { return &armer{} }, Script: script},
				{Name: "c", New: func() model.Node { return &blurter{} }, Script: script},
				{Name: "l", Byzantine: true, New: func() model.Node { return &armer{} }},
			}}, nil
	}}

type (
	arming  struct{}
	word    struct{ Number int }
	armer   struct{}
	blurter struct{ Armed, Hushed, Spoke bool }
)

func (*armer) Invoke(env model.Env, _ any) { env.Send(1, arming{}) }

func (b *blurter) Invoke(model.Env, any) { b.Spoke = !b.Hushed }

func (b *blurter) Receive(_ model.Env, _ model.NodeID, m any) {
	switch m := m.(type) {
	case arming:
		b.Armed = true
	case word:
		b.Hushed = b.Hushed || m.Number == 2
	}
}
