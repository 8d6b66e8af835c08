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

// raising returns a protocol of counters; those above 2 are beyond a cut.
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

// A drummer counts to 3 while its hold lasts, and to 1 later.
type drummer struct{ Is int }

func (*drummer) Start(env model.Env) {
	env.Hold("beat", model.Below(2))
	env.After("drum", model.Between(1, 3))
}

func (d *drummer) Timeout(env model.Env, _ any) {
	if d.Is = 1; env.Held("beat") {
		d.Is = 3
	}
}

// In a timed run an offer is examined at its earliest instant, though later it may have another effect.
func TestBeyondAtFirst(t *testing.T) {
	p := &model.Protocol{Name: "drumming", Build: func(model.Config) (*model.System, error) {
		return &model.System{Types: []any{""}, Cuts: []model.Cut{{Name: "low", Beyond: func(n model.Node) bool { return n.(*drummer).Is > 2 }}},
			Nodes: []model.NodeSpec{{Name: "a", New: func() model.Node { return &drummer{} }}}}, nil
	}}
	header := traces.New(p, "", model.Config{}, true, "", "")
	w, err := walk.Begin(p, &header, nil, 0)
	require.NoError(t, err)
	offers := w.Offers()
	require.Len(t, offers, 1)
	assert.Equal(t, "low", w.Beyond(offers[0]))
	assert.NoError(t, w.Take(offers[0], "3", nil))
}
