package value_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/purity"
	"contend/model/value"
)

// counter is a monitor with configuration and a state that names nodes.
type counter struct {
	step int
	At   map[model.NodeID]int
	Last model.NodeID
}

func (c *counter) Observe(_ model.Watch, o model.Observation) {
	c.At[o.Node] += c.step
	c.Last = o.Node
}

// duet is a monitor of two others.
type duet struct{ One, Other model.Monitor }

func (d *duet) Observe(w model.Watch, o model.Observation) {
	d.One.Observe(w, o)
	d.Other.Observe(w, o)
}

// broken is a monitor whose state is not plain.
type broken struct{ Bad *int }

func (*broken) Observe(model.Watch, model.Observation) {}

// overseer is a node without monitors.
type overseer struct {
	base
	Inside model.Monitor
}

func newDuet() *duet { return &duet{&counter{step: 1}, &counter{step: 2}} }

// A monitor within a monitor is state. Ids in it are renamed. It has its original configuration, and copies
// share nothing.
func TestMonitorsWithin(t *testing.T) {
	c, err := value.New(&model.System{})
	require.NoError(t, err)
	d := c.Fresh(newDuet()).(*duet)
	d.Observe(nil, model.Observation{Node: 1})
	was := c.Node(d, nil)

	again := c.DecodeNode(newDuet(), was).(*duet)
	assert.Equal(t, was, c.Node(again, nil))
	assert.Equal(t, map[model.NodeID]int{1: 2}, again.Other.(*counter).At)
	again.Observe(nil, model.Observation{Node: 1})
	assert.Equal(t, map[model.NodeID]int{1: 4}, again.Other.(*counter).At, "it steps by two still")

	copied := c.Fresh(d).(*duet)
	copied.Observe(nil, model.Observation{Node: 0})
	assert.Equal(t, was, c.Node(d, nil), "a copy is none of it")

	swapped := c.Fresh(newDuet()).(*duet)
	swapped.Observe(nil, model.Observation{Node: 0})
	assert.Equal(t, was, c.Node(swapped, value.Renaming{1, 0}))

	assert.Equal(t, purity.Configuration(newDuet()), purity.Configuration(d))
	d.Other.(*counter).step = 3
	assert.NotEqual(t, purity.Configuration(newDuet()), purity.Configuration(d))
}

// A monitor that is missing, not plain or not in a monitor is refused by name.
func TestMonitorsWithinAreRefused(t *testing.T) {
	assert.NoError(t, value.CheckNode(newDuet()))
	assert.EqualError(t, value.CheckNode(&duet{One: &counter{}}), "value_test.duet.Other is nil: a monitor within a monitor must be there")
	assert.EqualError(t, value.CheckNode(&duet{&counter{}, &broken{}}), "value_test.broken.Bad is a ptr (*int): state must be plain values")
	assert.EqualError(t, value.CheckNode(&overseer{}),
		"value_test.overseer.Inside is an interface with methods (model.Monitor): state may hold any, with its types listed")
}
