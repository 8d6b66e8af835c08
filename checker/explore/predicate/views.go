package predicate

import (
	"sync"
	"sync/atomic"

	"contend/model"
)

// A views caches views of node states. A search evaluates the same few thousand states in many combinations.
// A view by reflection costs more than the search's step.
type views struct {
	known sync.Map // viewed to map[string]any
	count atomic.Int64
}

// A viewed is a node state with the id of its node. Several nodes may share a state.
type viewed struct {
	node model.Node
	id   int
}

// mostViews is the maximum size of the cache. Then the cache is cleared.
const mostViews = 1 << 16

// get returns the view of a node's state. The caller must not modify the node afterwards.
func (v *views) get(s *model.System, id int, n model.Node) map[string]any {
	key := viewed{n, id}
	if view, ok := v.known.Load(key); ok {
		return view.(map[string]any)
	}
	view := viewOfNode(s.Nodes[id].Name, n, s.Name)
	if v.count.Add(1) > mostViews {
		v.known.Clear()
		v.count.Store(0)
	}
	v.known.Store(key, view)
	return view
}
