package centralized

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/variant"
)

// checkpoint is the alarm at which the coordinator writes its state to stable storage.
type checkpoint struct{}

// A Checkpoint is the coordinator's state as it was written last.
type Checkpoint struct {
	Inside             model.Optional[model.NodeID]
	Queue              []model.NodeID
	Requests, Releases map[model.NodeID]int
}

// A journalCoordinator writes its state to stable storage now and then, and each message at once into a journal. A crash loses
// nothing, unless the journal overflows first: then the messages since the checkpoint are lost.
type journalCoordinator struct {
	StableCoordinator `contend:"stable"`
	Last              Checkpoint `contend:"stable"`
	Journal           int        `contend:"stable"` // messages since the checkpoint
	room              int        // for so many messages
}

// journal gives the coordinator a journal with room for some messages.
func journal(room int) func(*model.System) {
	return variant.All(number, variant.Types(checkpoint{}), variant.Nodes(func(c StableCoordinator) model.Node {
		return &journalCoordinator{StableCoordinator: c, room: room}
	}))
}

// Start reads stable storage.
func (c *journalCoordinator) Start(env model.Env) {
	if c.Journal > c.room {
		c.Inside, c.Queue, c.Requests, c.Releases = c.Last.Inside, slices.Clone(c.Last.Queue), copied(c.Last.Requests), copied(c.Last.Releases)
		c.Journal = 0
	}
	if c.Journal > 0 {
		env.After(checkpoint{}, model.Anytime())
	}
}

// Receive writes a message into the journal.
func (c *journalCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if c.Journal++; c.Journal == 1 {
		env.After(checkpoint{}, model.Anytime())
	}
	c.StableCoordinator.Receive(env, from, m)
}

// Timeout writes the state, and empties the journal.
func (c *journalCoordinator) Timeout(model.Env, any) {
	c.Last = Checkpoint{c.Inside, slices.Clone(c.Queue), copied(c.Requests), copied(c.Releases)}
	c.Journal = 0
}

// copied is a copy that can be written to.
func copied(m map[model.NodeID]int) map[model.NodeID]int {
	if m == nil {
		return map[model.NodeID]int{}
	}
	return maps.Clone(m)
}
