package predicate

import (
	"sync"
	"sync/atomic"

	"contend/model"
)

// views remember what is seen of nodes. A search asks about the same few thousand node states, in many
// combinations; to look at one by reflection takes longer than the search's step.
type views struct {
	known sync.Map // viewed to map[string]any
	count atomic.Int64
}

// viewed is a node's state, as the node with that id: the same state may be that of several.
type viewed struct {
	node model.Node
	id   int
}

// mostViews bounds the memory: then all is forgotten.
const mostViews = 1 << 16

// of is what is seen of the node with an id. The node is a pointer, and is not changed any more.
func (v *views) of(s *model.System, id int, n model.Node) map[string]any {
	key := viewed{n, id}
	if is, ok := v.known.Load(key); ok {
		return is.(map[string]any)
	}
	is := viewOfNode(s.Nodes[id].Name, n, s.Name)
	if v.count.Add(1) > mostViews {
		v.known.Clear()
		v.count.Store(0)
	}
	v.known.Store(key, is)
	return is
}
