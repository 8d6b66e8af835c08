package value

import (
	"slices"

	"contend/model"
)

// A Lone is a node that may say that hardly any of its states is ever met twice, and that its handlers cost more than to remember
// what they did saves. Schedules of a system that has one run in the interpreter alone, with objects of their own.
type Lone interface{ Lone() bool }

// HasLone reports whether a system has such a node.
func HasLone(sys *model.System) bool {
	return slices.ContainsFunc(sys.Nodes, func(spec model.NodeSpec) bool {
		if spec.Byzantine {
			return false
		}
		n, is := spec.New().(Lone)
		return is && n.Lone()
	})
}

// Alone returns the system with objects of its own for each [Merged] node, for one run. Release frees them when the run
// is over.
func Alone(sys *model.System) (alone *model.System, release func()) {
	s, objects := *sys, map[any]any{}
	s.Nodes = slices.Clone(s.Nodes)
	for i := range s.Nodes {
		made := s.Nodes[i].New
		s.Nodes[i].New = func() model.Node {
			n := made()
			if one, is := n.(Merged); is {
				one.Alone(objects)
			}
			return n
		}
	}
	return &s, func() {
		for _, held := range objects {
			if r, is := held.(interface{ Release() }); is {
				r.Release()
			}
		}
	}
}
