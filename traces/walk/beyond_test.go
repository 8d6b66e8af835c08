package walk_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

type (
	raise   struct{ To, Choices int }
	counter struct{ Is int }
)

func (c *counter) Invoke(env model.Env, op any) {
	c.Is = op.(raise).To
	if n := op.(raise).Choices; n > 0 {
		c.Is += env.Choose(n)
	}
}

// raising is a protocol of counters that are raised at once; those above 2 are beyond a cut.
func raising(raises ...raise) *model.Protocol {
	return &model.Protocol{Name: "raising", Build: func(model.Config) (*model.System, error) {
		s := &model.System{Types: []any{raise{}}, Cuts: []model.Cut{{Name: "low", Beyond: func(n model.Node) bool { return n.(*counter).Is > 2 }}}}
		for i, r := range raises {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: string(rune('a' + i)), New: func() model.Node { return &counter{} }, Script: []model.Op{{Call: r}}})
		}
		return s, nil
	}}
}

// An offer is beyond a cut if each way to take it is; asking leaves the walk where it is.
func TestBeyond(t *testing.T) {
	p := raising(raise{2, 0}, raise{3, 0}, raise{2, 2}, raise{3, 3}, raise{3, 1000})
	header := traces.New(p, "", model.Config{}, false, "", "")
	w, err := walk.Begin(p, &header, nil, 0)
	require.NoError(t, err)
	var got []string
	for _, o := range w.Offers() {
		got = append(got, w.Beyond(o))
	}
	assert.Equal(t, []string{"", "low", "", "low", ""}, got, "of a thousand answers not all are tried")
	assert.Len(t, w.Offers(), 5)
	assert.ErrorContains(t, w.Take(w.Offers()[1], "", nil), "beyond the cut low")
}
