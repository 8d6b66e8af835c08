package step

import (
	"fmt"
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/reduce"
	"contend/model"
	"contend/model/value"
)

// A node does what its funcs say; S is its state.
type node struct {
	begins func(env model.Env)
	hears  func(n *node, env model.Env, m any)
	rings  func(n *node, env model.Env)
	S      int
}

func (n *node) Start(env model.Env) {
	if n.begins != nil {
		n.begins(env)
	}
}

func (n *node) Receive(env model.Env, _ model.NodeID, m any) {
	if n.hears != nil {
		n.hears(n, env, m)
	}
}

func (n *node) Timeout(env model.Env, _ any) {
	if n.rings != nil {
		n.rings(n, env)
	}
}

func (n *node) Invoke(env model.Env, _ any) { env.Return(nil) }

// system is one of nodes that all have a role, p1 and so on.
func system(role model.Role, delay model.Window, nodes ...node) *model.System {
	s := &model.System{Network: model.Network{Delay: delay}}
	for k, n := range nodes {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("p", k+1), Role: role, New: func() model.Node { c := n; return &c }})
	}
	return s
}

// A reading is how time is read.
type reading struct {
	name         string
	timed, dense bool
	refine       component.Refinement
}

var (
	untimed  = reading{"untimed", false, false, component.Closing}
	grid     = reading{"grid", true, false, component.Closing}
	exact    = reading{"exact grid", true, false, component.ExactGrid(1)}
	dense    = reading{"dense", true, true, component.Closing}
	readings = []reading{untimed, grid, exact, dense}
)

// working makes a worker of a system.
func working(t *testing.T, s *model.System, r reading, claims ...model.Claim) *Worker {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	st := component.NewStore(s, codec, claims, r.timed, r.refine)
	st.Dense = r.dense
	e := NewEngine(st)
	e.Uses = reduce.Uses{Equals: !r.dense}
	return NewWorker(e)
}

// A successor is one with the move that leads there.
type successor struct {
	move string // "deliver after 1", with the answers that the handler was given
	v    []uint32
	sum  fingerprint.Print
}

// gathered are the successors that are emitted while something is done.
func gathered(w *Worker, what func()) (all []successor) {
	w.Emit = func(next []uint32) {
		v := slices.Clone(next)
		SortParts(v[w.Head:])
		text := fmt.Sprintf("%v after %d", w.Move.Kind, w.Move.Delay)
		for _, p := range w.Move.Picks {
			switch {
			case p.Held == 0:
				text += fmt.Sprintf(", chosen %d", p.Is)
			case p.Lasts():
				text += ", it lasts"
			default:
				text += ", it is over"
			}
		}
		all = append(all, successor{text, v, w.Sum})
	}
	what()
	return all
}

// first is the first state of a system in which Start makes no choices.
func first(t *testing.T, w *Worker) []uint32 {
	t.Helper()
	all := gathered(w, w.Initial)
	if len(all) != 1 {
		t.Fatalf("there are %d first states", len(all))
	}
	if w.Zones != nil {
		w.Zones.At.Set(w.Zones.Made)
	}
	return all[0].v
}

// firsts are the first states: one for each way in which Start may choose.
func firsts(w *Worker) (all [][]uint32) {
	for _, s := range gathered(w, w.Initial) {
		all = append(all, s.v)
	}
	return all
}

// next are the successors of a state.
func next(w *Worker, v []uint32) []successor {
	return gathered(w, func() { w.Expand(v, w.PrintOfState(v)) })
}

func moves(all []successor) (texts []string) {
	for _, s := range all {
		texts = append(texts, s.move)
	}
	return texts
}

// shown is a state: the nodes' S, and what is pending by kind and value.
func shown(w *Worker, v []uint32) string {
	text := ""
	for i := range w.N {
		if v[i] == component.Down {
			text += "down "
			continue
		}
		text += fmt.Sprint(w.Codec.DecodeNode(w.Protos[i], []byte(w.Store.Locals.Items[v[i]].Bytes)).(*node).S, " ")
	}
	var pending []string
	for _, id := range v[w.Head:] {
		f := w.Flats[id]
		if f.Kind == component.Stored {
			continue // it says how a node that is down comes back
		}
		kind := map[component.Kind]string{component.Hold: "hold", component.Delivered: "delivered"}[f.Kind]
		if kind == "" {
			kind = model.EventKind(f.Kind).String()
		}
		if f.Optional {
			kind += " once more"
		}
		pending = append(pending, fmt.Sprintf("%s %v", kind, w.Decoded(w.Store.Bases.Items[f.Base].Value)))
	}
	slices.Sort(pending)
	return fmt.Sprint(text, pending)
}
