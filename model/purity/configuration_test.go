package purity_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/purity"
	"contend/model/value"
)

// settings is a configuration with a pointer.
type settings struct {
	N     int
	Rates map[string]float64
	Next  *settings
	Peers []model.NodeID
	Any   any
	F     func()
	quiet bool
}

// cell is a node that another node may contain.
type cell struct {
	size int
	Full bool
}

func (*cell) Timeout(model.Env, any) {}

// configured is a node with every kind of configuration, some of it within a node.
type configured struct {
	cfg  *settings
	name string
	list []*settings
	byID map[model.NodeID]*settings

	State map[string]int
	Part  cell
}

func (*configured) Receive(model.Env, model.NodeID, any) {}

func newConfigured() *configured {
	cfg := &settings{N: 3, Rates: map[string]float64{"a": 1, "b": 2}, Peers: []model.NodeID{1, 2}, Any: 7, F: func() {}}
	cfg.Next = cfg // a cycle
	return &configured{cfg: cfg, name: "s", list: []*settings{{N: 1}, nil}, byID: map[model.NodeID]*settings{0: {N: 4}, 1: {N: 5}},
		State: map[string]int{"x": 1}}
}

func TestConfigurationChangesAreSeen(t *testing.T) {
	for name, change := range map[string]func(n *configured){
		"a field":                 func(n *configured) { n.name = "t" },
		"through a pointer":       func(n *configured) { n.cfg.N = 4 },
		"another pointer":         func(n *configured) { n.cfg = &settings{N: 4} },
		"no pointer":              func(n *configured) { n.cfg = nil },
		"an unexported field":     func(n *configured) { n.cfg.quiet = true },
		"a map's value":           func(n *configured) { n.cfg.Rates["a"] = 3 },
		"a map's new key":         func(n *configured) { n.cfg.Rates["c"] = 0 },
		"a map's lost key":        func(n *configured) { delete(n.cfg.Rates, "a") },
		"two values exchanged":    func(n *configured) { n.cfg.Rates["a"], n.cfg.Rates["b"] = 2, 1 },
		"behind a map":            func(n *configured) { n.byID[1].N = 6 },
		"an element":              func(n *configured) { n.cfg.Peers[0] = 2 },
		"one element more":        func(n *configured) { n.cfg.Peers = append(n.cfg.Peers, 0) },
		"no elements":             func(n *configured) { n.cfg.Peers = nil },
		"behind a list":           func(n *configured) { n.list[0].N = 2 },
		"an interface":            func(n *configured) { n.cfg.Any = 8 },
		"no value":                func(n *configured) { n.cfg.Any = nil },
		"a func":                  func(n *configured) { n.cfg.F = func() { panic("another") } },
		"of a node within a node": func(n *configured) { n.Part.size = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			n := newConfigured()
			before := purity.Configuration(n)
			change(n)
			assert.NotEqual(t, before, purity.Configuration(n))
		})
	}
}

func TestConfigurationIsStable(t *testing.T) {
	n := newConfigured()
	before := purity.Configuration(n)
	for range 20 { // maps are visited in many orders
		assert.Equal(t, before, purity.Configuration(n))
	}
	c, err := value.New(&model.System{})
	require.NoError(t, err)
	n.State["x"], n.State["y"], n.Part.Full = 2, 3, true
	assert.Equal(t, before, purity.Configuration(n), "state is no configuration")
	assert.Equal(t, before, purity.Configuration(c.Fresh(n)), "a copy has the same")
}

func TestConfigurationOfEqualNodesIsEqual(t *testing.T) {
	shared := func() {}
	a, b := newConfigured(), newConfigured()
	a.cfg.F, b.cfg.F = shared, shared
	assert.Equal(t, purity.Configuration(a), purity.Configuration(b))
}

// Entries of a map that share a pointer do not make the fingerprint depend on their order.
type sharing struct{ m map[string]*int }

func (*sharing) Start(model.Env) {}

func TestSharedPointer(t *testing.T) {
	x := 1
	n := &sharing{m: map[string]*int{"a": &x, "b": &x}}
	before := purity.Configuration(n)
	for range 50 {
		assert.Equal(t, before, purity.Configuration(n))
	}
}

type two struct{ a, b string }

func (*two) Start(model.Env) {}

func TestStringsRun(t *testing.T) {
	assert.NotEqual(t, purity.Configuration(&two{a: "x;", b: ""}), purity.Configuration(&two{a: "x", b: ";"}))
}

type dyn struct{ a any }

func (*dyn) Start(model.Env) {}

func TestDynType(t *testing.T) {
	assert.NotEqual(t, purity.Configuration(&dyn{1}), purity.Configuration(&dyn{"1"}))
}
