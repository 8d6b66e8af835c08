package wrapped

import (
	"reflect"
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

// Objects are those that the [Merged] nodes of one run of a system have for themselves.
type Objects struct {
	System *model.System // of the run
	of     *model.System
	held   map[any]any
}

// Apart gives a run of a system objects of its own.
func Apart(sys *model.System) *Objects { return apart(sys, map[any]any{}) }

func apart(of *model.System, held map[any]any) *Objects {
	s := *of
	s.Nodes = slices.Clone(s.Nodes)
	for i := range s.Nodes {
		made := s.Nodes[i].New
		s.Nodes[i].New = func() model.Node {
			n := made()
			if one, is := n.(Merged); is {
				one.Alone(held)
			}
			return n
		}
	}
	return &Objects{&s, of, held}
}

// A Branching is what a node holds among the objects of a run, if another run can go on from there: Branch returns what that run holds,
// and changes nothing.
type Branching interface{ Branch() any }

// Branch returns objects for a run that goes on from where this one is.
func (o *Objects) Branch() *Objects {
	held := map[any]any{}
	for place, is := range o.held {
		if b, can := is.(Branching); can {
			held[place] = b.Branch()
		}
	}
	return apart(o.of, held)
}

// Node returns a copy of a node of another run that has these objects; the node itself, if it has none.
func (o *Objects) Node(n model.Node) model.Node {
	if _, is := n.(Merged); !is {
		return n
	}
	was := reflect.ValueOf(n).Elem()
	own := reflect.New(was.Type())
	own.Elem().Set(was)
	n = own.Interface().(model.Node)
	n.(Merged).Alone(o.held)
	return n
}

// Release frees them when the run is over.
func (o *Objects) Release() {
	for _, held := range o.held {
		if r, is := held.(interface{ Release() }); is {
			r.Release()
		}
	}
}

// Alone returns the system with objects of its own for each [Merged] node, for one run. Release frees them when the run
// is over.
func Alone(sys *model.System) (alone *model.System, release func()) {
	o := Apart(sys)
	return o.System, o.Release
}
