// Package ballots has what protocols have in common whose acceptors vote in numbered ballots, each conducted by its leader: the sizes,
// the nodes and the network.
package ballots

import (
	"fmt"

	"contend/model"
)

// The sizes of a check, besides the number of acceptors.
var (
	Ballots = model.Param[int]{
		Name: "ballots", Meaning: "ballots, each with a leader", Least: 1, Most: 20, Default: 2,
	}
	Learners = model.Param[int]{
		Name: "learners", Meaning: "learners", Most: 20, Default: 1,
	}
)

// Roles has the nodes of each role. The leaders are in the order of their ballots, from 0.
type Roles struct{ Acceptors, Leaders, Learners []model.NodeID }

// Makers make a node of each role.
type Makers struct {
	Acceptor func() model.Node
	Leader   func(ballot int) model.Node
	Learner  func() model.Node
}

// Specs returns the nodes of a system: acceptors, leaders and learners. Acceptors restart after a crash. Leaders restart, or
// crash for good. Learners crash for good.
func Specs(c model.Config, nodes Makers) (Roles, []model.NodeSpec) {
	var specs []model.NodeSpec
	add := func(name string, crash model.CrashModel, count int, node func(i int) model.Node) (ids []model.NodeID) {
		for i := range count {
			ids = append(ids, model.NodeID(len(specs)))
			specs = append(specs, model.NodeSpec{
				Name: fmt.Sprintf("%s%d", name, i), Role: model.Server, Crash: crash, New: func() model.Node { return node(i) },
			})
		}
		return ids
	}
	roles := Roles{
		Acceptors: add("a", model.CrashRecovery, c.N, func(int) model.Node { return nodes.Acceptor() }),
		Leaders:   add("l", model.CrashStopRecovery, Ballots.Of(c), nodes.Leader),
		Learners:  add("r", model.CrashStop, Learners.Of(c), func(int) model.Node { return nodes.Learner() }),
	}
	return roles, specs
}

// Network returns the network of Lamport's specifications: a set of messages, each of which is sent once and takes any time.
func Network() model.Network {
	return model.Network{Channel: model.Set, Once: true, Delay: model.Anytime()}
}

// Majority reports whether some acceptors of all are a majority.
func Majority(some int, all []model.NodeID) bool { return 2*some > len(all) }
