package wrapped

import (
	"reflect"
	"slices"

	"contend/model"
)

// A Lone is a node whose Lone may report that a cache of its handlers' results would save nothing, since almost
// no state recurs. Schedules of a system with such a node run in the interpreter only, with their own objects.
type Lone interface{ Lone() bool }

// HasLone reports whether a system has such a node.
func HasLone(sys *model.System) bool {
	return slices.ContainsFunc(sys.Nodes, func(spec model.NodeSpec) bool {
		if spec.Byzantine {
			return false
		}
		n, ok := spec.New().(Lone)
		return ok && n.Lone()
	})
}

// Objects has the objects of the [Merged] nodes in one run of a system.
type Objects struct {
	System *model.System // of the run
	base   *model.System
	held   map[any]any
}

// Apart returns new objects for a run of a system.
func Apart(sys *model.System) *Objects { return newObjects(sys, map[any]any{}) }

func newObjects(base *model.System, held map[any]any) *Objects {
	s := *base
	s.Nodes = slices.Clone(s.Nodes)
	for i := range s.Nodes {
		made := s.Nodes[i].New
		s.Nodes[i].New = func() model.Node {
			n := made()
			if one, ok := n.(Merged); ok {
				one.Alone(held)
			}
			return n
		}
	}
	return &Objects{&s, base, held}
}

// A Branching is an object of a run that another run can continue. Branch returns the object for that run, and
// does not change this one.
type Branching interface{ Branch() any }

// Branch returns objects for a run that continues this one.
func (o *Objects) Branch() *Objects {
	held := map[any]any{}
	for place, object := range o.held {
		if b, can := object.(Branching); can {
			held[place] = b.Branch()
		}
	}
	return newObjects(o.base, held)
}

// Node returns a copy of a node of another run with these objects, or the node itself if it is not [Merged].
func (o *Objects) Node(n model.Node) model.Node {
	if _, ok := n.(Merged); !ok {
		return n
	}
	was := reflect.ValueOf(n).Elem()
	own := reflect.New(was.Type())
	own.Elem().Set(was)
	n = own.Interface().(model.Node)
	n.(Merged).Alone(o.held)
	return n
}

// Release frees the objects after the run.
func (o *Objects) Release() {
	for _, held := range o.held {
		if r, ok := held.(interface{ Release() }); ok {
			r.Release()
		}
	}
}

// Alone returns a copy of the system with new objects for one run. Release frees the objects after the run.
func Alone(sys *model.System) (alone *model.System, release func()) {
	o := Apart(sys)
	return o.System, o.Release
}
