package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

func TestNetworkModels(t *testing.T) {
	for name, want := range map[model.NetworkModel]model.NetworkModel{
		"": model.SynchronousNetwork, "stable": model.StableNetwork, "stable:0,x": model.StableNetwork, "constant": model.ConstantNetwork,
	} {
		assert.Equal(t, want, name.Model(), "%q", name)
		assert.NoError(t, name.Validate())
	}
	for name, want := range map[model.NetworkModel]string{
		"Stable":         `network is "Stable", but must be one of synchronous, constant, stable, eventually-stable, asynchronous`,
		":0":             `network is ":0", but only stable and eventually-stable have places`,
		"asynchronous:0": `network is "asynchronous:0", but only stable and eventually-stable have places`,
	} {
		assert.EqualError(t, model.Config{Network: name}.Validate(), want)
	}
}

// A position for each client determines its slow servers.
func TestPlaces(t *testing.T) {
	for name, want := range map[model.NetworkModel][]int{
		"stable": {0, 2, 4}, "stable:0,0,3": {0, 0, 3}, "eventually-stable:x,1,0": {model.Faulty, 1, 0},
	} {
		got, err := name.Slow(3, 2)
		require.NoError(t, err)
		assert.Equal(t, want, got, "%q", name)
	}
	for name, want := range map[model.NetworkModel]string{
		"stable:0,0":    `network is "stable:0,0", but must name a place for each of 3 clients`,
		"stable:0,0,-1": `network is "stable:0,0,-1", but the place "-1" must be 0 to 31, or x`,
		"stable:0,,32":  `network is "stable:0,,32", but the place "" must be 0 to 31, or x`,
		"stable:":       `network is "stable:", but must name a place for each of 3 clients`,
	} {
		_, err := name.Slow(3, 2)
		assert.EqualError(t, err, want)
	}
}

// A message has the window of its pair of nodes, unless messages have their own windows.
func TestMessageWindows(t *testing.T) {
	n := model.Network{Delay: model.By(2)}
	assert.Equal(t, model.By(2), n.Message(0, 1, "x"))
	n.Messages = func(_, _ model.NodeID, m any) model.Window {
		if m == "slow" {
			return model.Anytime()
		}
		return model.By(1)
	}
	assert.Equal(t, model.By(1), n.Message(0, 1, "x"))
	assert.Equal(t, model.Anytime(), n.Message(0, 1, "slow"))
	assert.Equal(t, model.By(2), n.Window(0, 1))
}
