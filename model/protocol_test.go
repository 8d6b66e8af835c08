package model_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// Parameters of the protocol below, and a parameter that it does not have.
var (
	tries = model.Param[int]{Name: "tries", Meaning: "broadcasts", Least: 1, Most: 20, Default: 4}
	stay  = model.Param[model.Ticks]{Name: "stay", Meaning: "how long it stays", Symbol: "σ", Most: 1000, Default: 2}
	other = model.Param[int]{Name: "other", Meaning: "what another protocol reads", Most: 9}
)

// protocol returns a protocol of the valid system; its mutant has a server without New.
func protocol() *model.Protocol {
	return &model.Protocol{
		Name: "p",
		Params: []model.Parameter{
			model.N.WithDefault(3), model.B, model.Quorum.WithDefault(5), model.Clients, model.Ops, tries, model.Delay, stay,
		},
		Build: func(c model.Config) (*model.System, error) {
			if c.N > 5 {
				return nil, errors.New("n is 6, but p allows 5")
			}
			s := valid()
			s.Setup, s.Faults = c, c.Faults
			return s, nil
		},
		Claims: []model.Claim{{Name: "Lemma 1"}, {Name: "Theorem 2"}},
		Variants: []model.Variant{
			{Name: "named", Edit: func(s *model.System) { s.Nodes[0].Name = "first" }},
			{Name: "broken", Breaks: "Lemma 1", Edit: func(s *model.System) { s.Nodes[1].New = nil }},
		},
	}
}

func TestFilled(t *testing.T) {
	p := protocol()
	want := model.Config{N: 3}.With(stay.Is(2), model.Delay.Is(1), model.Clients.Is(2), model.Ops.Is(1), tries.Is(4), model.Quorum.Is(5))
	assert.Equal(t, want, p.Filled(model.Config{}))
	given := model.Config{N: 9, B: 2, Beyond: true, Faults: model.Faults{Loss: 1}}.With(
		model.Clients.Is(8), model.Ops.Is(7), tries.Is(6), model.Quorum.Is(4), model.Delay.Is(3), stay.Is(0))
	assert.Equal(t, given, p.Filled(given), "what is given stands, a zero too")
	assert.Equal(t, want.With(model.Ops.Is(3)), p.Filled(model.Config{}.With(model.Ops.Is(3))))
}

func TestProtocolSystem(t *testing.T) {
	p := protocol()
	s, err := p.System("", model.Config{Faults: model.Faults{Loss: 3}}.With(model.Ops.Is(7)))
	require.NoError(t, err)
	assert.Equal(t, 7, model.Ops.Of(s.Config))
	assert.Equal(t, 3, s.Config.N)
	assert.Equal(t, s.Config, s.Setup, "Build sees the filled configuration")
	assert.Equal(t, model.Faults{Loss: 3}, s.Faults)
	s, err = p.System("named", model.Config{})
	require.NoError(t, err)
	assert.Equal(t, "first", s.Name(0))
	for _, tc := range []struct {
		variant string
		config  model.Config
		want    string
	}{
		{"", model.Config{N: 6}, "n is 6, but p allows 5"},
		{"", model.Config{N: 33}, "n is 33, but must be 1 to 32"},
		{"", model.Config{B: -1}, "b is -1, but must be 0 to 10"},
		{"", model.Config{}.With(tries.Is(0)), "tries is 0, but must be 1 to 20"},
		{"", model.Config{}.With(stay.Is(1001)), "stay is 1001, but must be 0 to 1000"},
		{"", model.Config{}.With(other.Is(1)), "other is 1, but protocol p has no such parameter: it reads n, b, quorum, clients, ops, tries, delay, stay"},
		{"", model.Config{Network: model.StableNetwork}, "network is stable, but protocol p has no such network"},
		{"", model.Config{Network: "stabel"}, `network is "stabel", but must be one of synchronous, constant, stable, eventually-stable, asynchronous`},
		{"", model.Config{Drift: 501}, "drift is 501, but must be 0 to 500"},
		{"", model.Config{Faults: model.Faults{Loss: 256}}, "faults: loss is 256, but must be 0 to 255"},
		{"nmaed", model.Config{}, `protocol p has no variant "nmaed"; the verb list names them`},
		{"broken", model.Config{}, "system: node s1 has no New"},
	} {
		_, err := p.System(tc.variant, tc.config)
		assert.EqualError(t, err, tc.want)
	}
}

func TestLookUp(t *testing.T) {
	p := protocol()
	v, err := p.Variant("broken")
	require.NoError(t, err)
	assert.True(t, v.Mutant())
	v, err = p.Variant("named")
	require.NoError(t, err)
	assert.False(t, v.Mutant(), "an option")
	_, err = p.Variant("")
	assert.EqualError(t, err, `protocol p has no variant ""; the verb list names them`)
	c, err := p.Claim("Theorem 2")
	require.NoError(t, err)
	assert.Equal(t, "Theorem 2", c.Name)
	_, err = p.Claim("theorem 2")
	assert.EqualError(t, err, `protocol p has no claim "theorem 2"; the verb list names them`)
}

func TestEventKinds(t *testing.T) {
	for k := model.Deliver; k < model.EventKinds; k++ {
		got, err := model.ParseEventKind(k.String())
		require.NoError(t, err)
		assert.Equal(t, k, got)
		assert.Equal(t, k > model.Heal, k.Adversarial(), k)
	}
	_, err := model.ParseEventKind("Deliver")
	assert.EqualError(t, err, `kind "Deliver" is not one of [deliver timeout invoke return release expire suspect trust heal lose duplicate crash stop restart forge mistake partition]`)
}

func TestEnumNames(t *testing.T) {
	assert.Equal(t, []string{"client", "server", "peer"}, []string{model.Client.String(), model.Server.String(), model.Peer.String()})
	assert.Equal(t, []string{"bag", "fifo", "set"}, []string{model.Bag.String(), model.FIFO.String(), model.Set.String()})
	assert.Equal(t, []string{"untimed", "grid", "dense"}, []string{model.Untimed.String(), model.Grid.String(), model.Dense.String()})
	assert.Equal(t, "possible from everywhere", model.PossibleFromEverywhere.String())
	assert.Equal(t, "crashed", model.Crashed.String())
}

func TestMisuse(t *testing.T) {
	assert.PanicsWithValue(t, model.Misuse{Text: "node 3 is not there"}, func() { model.Misused("node %d is not there", 3) })
	assert.EqualError(t, model.Misuse{Text: "x"}, "x")
}

// A crowd has more clients than a check may have.
func TestProtocolCrowd(t *testing.T) {
	p := protocol()
	for _, clients := range []int{33, model.MostClients} {
		_, err := p.System("", model.Config{}.With(model.Clients.Is(clients)))
		assert.EqualError(t, err, fmt.Sprintf("clients is %d, but must be 1 to 32", clients))
		s, err := p.Crowd("", model.Config{}.With(model.Clients.Is(clients)))
		require.NoError(t, err)
		assert.Equal(t, clients, model.Clients.Of(s.Config))
	}
	_, err := p.Crowd("", model.Config{}.With(model.Clients.Is(model.MostClients+1)))
	assert.EqualError(t, err, "clients is 4097, but must be 1 to 4096")
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		for i := range 100 {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("more ", i), New: newIdle})
		}
		return s, err
	}
	_, err = p.System("", model.Config{})
	assert.EqualError(t, err, "system: it has 103 nodes, but needs 1 to 64")
	_, err = p.Crowd("", model.Config{})
	assert.NoError(t, err)
}
