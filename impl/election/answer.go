package election

import (
	"contend/model"
	"contend/model/claims"
)

// Told claims that the answer to an application is a coordinator of its process: the last before the invocation, or a
// later one. So "pick a unique coordinator" applies to the answer, too.
func Told(proof string, assumes ...model.Assumption) model.Claim {
	return claims.Vacuous(claims.From(model.Claim{Name: "the answer", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &told{} }},
		"SDX lecture, election algorithms: 'pick a unique coordinator'", proof, assumes...), Unasked, "no application initiates one")
}

// Unasked reports whether no application initiates an election: only suspicions do.
func Unasked(s *model.System) bool {
	nodes, _ := claims.Invokers(s)
	return nodes == 0
}

type told struct {
	Asked map[model.NodeID]bool
	// On has the allowed answers of each process, a bit for each: its last coordinator, and after an invocation all its
	// coordinators since then.
	On map[model.NodeID]uint64
}

func (t *told) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		t.Asked[o.Node] = true
	case model.Crashed:
		delete(t.Asked, o.Node)
		delete(t.On, o.Node)
	case model.Noted:
		if d, is := o.Value.(Decided); is {
			t.decided(o.Node, d.Coordinator)
		}
	case model.Returned:
		w.Witness()
		if id, is := o.Value.(model.NodeID); !is || t.On[o.Node]>>id&1 == 0 {
			w.Violate("its application is told of a coordinator that it has not decided on")
		}
		delete(t.Asked, o.Node)
	}
}

func (t *told) decided(id, on model.NodeID) {
	if !t.Asked[id] {
		t.On[id] = 0
	}
	t.On[id] |= 1 << on
}
