package centralized

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// A coordinator that restarts must know whom it let in and who waits: both are kept in stable
// storage. This is not enough: a message that it received before the crash may arrive once more,
// as from a sender that got no acknowledgement. So messages carry numbers, and the coordinator
// keeps those that it has seen.

// Numbered is a message with its number among those of its kind that a client sends, from 1.
type Numbered struct {
	Number  int
	Message any // a Request or a Release
}

// keep gives the coordinator stable storage.
var keep = variant.Nodes(func(c Coordinator) model.Node { return &keepingCoordinator{c} })

type keepingCoordinator struct {
	Coordinator `contend:"stable"`
}

// number makes the coordinator ignore duplicates.
var number = variant.All(
	variant.Types(Numbered{}),
	variant.Nodes(func(c Client) model.Node { return &numberingClient{Client: c} }),
	variant.Nodes(func(c Coordinator) model.Node { return &StableCoordinator{Coordinator: c} }),
)

// A StableCoordinator has stable storage, and keeps there what it has seen of each client.
type StableCoordinator struct {
	Coordinator `contend:"stable"`
	Requests    map[model.NodeID]int `contend:"stable"` // the last of each client
	Releases    map[model.NodeID]int `contend:"stable"`
}

// Receive passes on what it has not seen yet.
func (c *StableCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	n := m.(Numbered)
	seen := c.Releases
	if _, asks := n.Message.(Request); asks {
		seen = c.Requests
	}
	if n.Number > seen[from] {
		seen[from] = n.Number
		c.Coordinator.Receive(env, from, n.Message)
	}
}

// A numberingClient numbers what it sends.
type numberingClient struct {
	Client
	Passage int // the number of its last request, and of the release that follows
}

// Invoke numbers the request or the release.
func (c *numberingClient) Invoke(env model.Env, op any) {
	if _, asks := op.(mutex.Acquire); asks {
		c.Passage++
	}
	c.Client.Invoke(numbering{env, c.Passage}, op)
}

// numbering is the environment of a node whose messages get a number.
type numbering struct {
	model.Env
	number int
}

// Send sends the message with its number.
func (e numbering) Send(to model.NodeID, m any) { e.Env.Send(to, Numbered{e.number, m}) }
