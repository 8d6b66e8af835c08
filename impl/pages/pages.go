// Package pages has what many protocols refine: protocols of one node that is all there is, so that
// nothing can go wrong in them, and what observations of others they show. See [claims.Refines].
//
//   - lock.go: a lock
//   - object.go: an atomic object
//   - broadcast.go: atomic broadcast
//
// The node of a page acts whenever its alarm rings, which is at any time, and chooses what it does;
// what it shows it notes. It names the nodes of the system that is held to it by their ids.
package pages

import "contend/model"

// nodes is how many nodes the system has that is held to a page.
var nodes = model.N.WithMeaning("nodes of the system that is held to the page").WithRange(1, 64).WithDefault(3)

// beside builds a page for as many nodes as a system has.
func beside(s *model.System) model.Check { return model.Check{Config: model.Config{N: len(s.Nodes)}} }

// alone is the system of a page: one node, of which nothing but what it notes and is told is shown.
func alone(name string, c model.Config, types []any, node func() model.Node) *model.System {
	return &model.System{
		Config: c, Types: append(types, turn{}),
		Network: model.Network{Delay: model.Anytime()},
		Nodes:   []model.NodeSpec{{Name: name, Role: model.Server, New: node}},
	}
}

// turn is the alarm by which the node of a page acts.
type turn struct{}

// next has the node act again, at any time.
func next(env model.Env) { env.After(turn{}, model.Anytime()) }

// told is the observation that the node of a page notes something.
func told(label any) (model.Observation, bool) {
	return model.Observation{Kind: model.Noted, Value: label}, true
}

// one chooses a node of the system.
func one(env model.Env, of int) model.NodeID { return model.NodeID(env.Choose(of)) }
