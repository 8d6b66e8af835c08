package model_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

func TestConfigValidate(t *testing.T) {
	full := model.Config{N: 32, B: 10, Quorum: 32, Clients: 32, Ops: 1000, Tries: 20, Attempts: 1000, Delay: 1000, Section: 1000}
	require.NoError(t, full.Validate())
	require.NoError(t, model.Config{}.Validate(), "zero stands for the default")
	for field, edit := range map[string]func(c *model.Config, by int){
		"n":        func(c *model.Config, by int) { c.N += by },
		"b":        func(c *model.Config, by int) { c.B += by },
		"quorum":   func(c *model.Config, by int) { c.Quorum += by },
		"clients":  func(c *model.Config, by int) { c.Clients += by },
		"ops":      func(c *model.Config, by int) { c.Ops += by },
		"tries":    func(c *model.Config, by int) { c.Tries += by },
		"attempts": func(c *model.Config, by int) { c.Attempts += by },
		"delay":    func(c *model.Config, by int) { c.Delay += model.Ticks(by) },
		"section":  func(c *model.Config, by int) { c.Section += model.Ticks(by) },
	} {
		above, below := full, model.Config{}
		edit(&above, 1)
		edit(&below, -1)
		assert.ErrorContains(t, above.Validate(), field+" is ")
		assert.ErrorContains(t, below.Validate(), field+" is -1, but must be ")
	}
	assert.EqualError(t, model.Config{N: 33}.Validate(), "n is 33, but must be 1 to 32")
	assert.EqualError(t, model.Config{Faults: model.Faults{Loss: -1}}.Validate(), "faults: loss is -1, but must be 0 to 255")
}

// protocol builds the valid system; its mutant gives no server a constructor.
func protocol() *model.Protocol {
	return &model.Protocol{
		Name:   "p",
		Config: model.Config{N: 3, B: 1, Clients: 2, Ops: 1, Tries: 2, Attempts: 4, Quorum: 5, Delay: 1, Section: 2},
		Build: func(c model.Config) (*model.System, error) {
			if c.N > 5 {
				return nil, errors.New("n is 6, but p allows 5")
			}
			s := valid()
			s.Setup = c
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
	assert.Equal(t, p.Config, p.Filled(model.Config{}))
	given := model.Config{N: 9, B: 2, Clients: 8, Ops: 7, Tries: 6, Attempts: 5, Quorum: 4, Delay: 3, Section: 4, Beyond: true, Faults: model.Faults{Loss: 1}}
	assert.Equal(t, given, p.Filled(given), "what is given stands")
	want := p.Config
	want.Ops = 3
	assert.Equal(t, want, p.Filled(model.Config{Ops: 3}))
	p.Config.Faults, p.Config.Beyond = model.Faults{Crashes: 1}, true
	assert.Zero(t, p.Filled(model.Config{}).Faults, "no faults are none, not the default")
	assert.False(t, p.Filled(model.Config{}).Beyond)
}

func TestProtocolSystem(t *testing.T) {
	p := protocol()
	s, err := p.System("", model.Config{Ops: 7, Faults: model.Faults{Loss: 3}})
	require.NoError(t, err)
	assert.Equal(t, 7, s.Config.Ops)
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
		{"", model.Config{Faults: model.Faults{Loss: 256}}, "faults: loss is 256, but must be 0 to 255"},
		{"nmaed", model.Config{}, `protocol p has no variant "nmaed"; verify list names them`},
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
	assert.EqualError(t, err, `protocol p has no variant ""; verify list names them`)
	c, err := p.Claim("Theorem 2")
	require.NoError(t, err)
	assert.Equal(t, "Theorem 2", c.Name)
	_, err = p.Claim("theorem 2")
	assert.EqualError(t, err, `protocol p has no claim "theorem 2"; verify list names them`)
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
		_, err := p.System("", model.Config{Clients: clients})
		assert.EqualError(t, err, fmt.Sprintf("clients is %d, but must be 1 to 32", clients))
		s, err := p.Crowd("", model.Config{Clients: clients})
		require.NoError(t, err)
		assert.Equal(t, clients, s.Config.Clients)
	}
	_, err := p.Crowd("", model.Config{Clients: model.MostClients + 1})
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
