package search

import (
	"testing"

	"contend/model"
)

// handsUp is two clients that deliver, and then note, their own names once they are answered.
func handsUp() *model.System {
	tells := scripted{Who: -1,
		invoke: func(_ *scripted, env model.Env, _ any) {
			env.Send(2, mark{1})
			env.Return(nil)
		},
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
			env.Deliver(named{env.Self()})
			env.Note(named{env.Self()})
		},
	}
	s := system(client("a", tells, "go"), client("b", tells, "go"),
		server("s", scripted{Who: -1, receive: func(_ *scripted, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}))
	s.Types = append(s.Types, named{})
	return s
}

// A named value names a node.
type named struct{ Who model.NodeID }

// order wants every delivery to come before the note of the same, and to name its node.
type order struct{ Delivered map[model.NodeID]bool }

func (m *order) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Delivered:
		w.Witness()
		if o.Value != (named{o.Node}) || o.Op != -1 {
			w.Violate("it delivers %v, of operation %d", o.Value, o.Op)
		}
		m.Delivered[o.Node] = true
	case model.Noted:
		if !m.Delivered[o.Node] {
			w.Violate("it notes what it has not delivered")
		}
	}
}

// A search tells monitors of deliveries as of notes, in their order, and renames what is
// delivered.
func TestDeliveriesAreObserved(t *testing.T) {
	claim := model.Claim{Name: "order", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &order{} }}
	off := explore(t, handsUp(), Options{}, claim)
	on := explore(t, handsUp(), Options{Clients: true}, claim)
	for _, r := range []*Result{off, on} {
		if c, broken := r.violation(0); broken || !r.Claims[0].Witnessed || !r.Complete {
			t.Errorf("it is witnessed: %v, complete: %v, and broken: %s", r.Claims[0].Witnessed, r.Complete, c.Text)
		}
	}
	if len(on.Notes) > 0 || on.States >= off.States {
		t.Errorf("%d states with symmetry, %d without; notes %q", on.States, off.States, on.Notes)
	}
}
