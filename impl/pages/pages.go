// Package pages has specifications that many protocols refine: protocols of one node, without network or faults. It also has
// the claims that map observations of a system to notes of a page. See [claims.Refines].
//
//   - lock.go: a lock
//   - object.go: an atomic object
//   - broadcast.go: atomic broadcast
//
// The node of a page acts when its alarm rings, at any time. It chooses its action, and notes the action.
// It names the nodes of the system by their ids.
package pages

import "contend/model"

// nodes is the number of nodes of the system that must refine the page.
var nodes = model.N.WithMeaning("nodes of the system that is held to the page").WithRange(1, 64).WithDefault(3)

// check returns the check of a page with as many nodes as a system.
func check(s *model.System) model.Check { return model.Check{Config: model.Config{N: len(s.Nodes)}} }

// system returns the system of a page. It has one node, whose operations and notes alone are visible.
func system(name string, c model.Config, types []any, node func() model.Node) *model.System {
	return &model.System{
		Config: c, Types: append(types, turn{}),
		Network: model.Network{Delay: model.Anytime()},
		Nodes:   []model.NodeSpec{{Name: name, Role: model.Server, New: node}},
	}
}

// turn is the alarm of the next action of a page's node.
type turn struct{}

// wake sets the alarm of the next action, at any time.
func wake(env model.Env) { env.After(turn{}, model.Anytime()) }

// note returns the observation of a note by the page's node.
func note(label any) (model.Observation, bool) {
	return model.Observation{Kind: model.Noted, Value: label}, true
}

// choose returns a node of the system, of n nodes.
func choose(env model.Env, n int) model.NodeID { return model.NodeID(env.Choose(n)) }
