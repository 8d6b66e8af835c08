package suite

import (
	"fmt"

	"contend/checker/search/runs"
	"contend/checker/search/statespace"
	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// A taker takes paths of a state space in the simple interpreter.
type taker struct {
	space   *statespace.Space
	codec   *value.Codec
	setting *world.Setting
	header  traces.Trace
	running *guard.Cell
}

func newTaker(p *model.Protocol, variant string, s *model.System, space *statespace.Space, running *guard.Cell) (*taker, error) {
	codec, err := value.New(s)
	if err != nil {
		return nil, err
	}
	t := &taker{space: space, codec: codec, header: traces.New(p, variant, s.Config, false, "", ""), running: running}
	t.setting, err = world.Prepare(s, codec, nil)
	return t, err
}

// take returns the run of a path. An error means that the search and the interpreter disagree.
func (t *taker) take(p path) (Run, error) {
	w, err := t.setting.Start(world.Options{Boot: world.Answering(answersOf(t.space.States[p.root].Boot), nil), Running: t.running})
	if err != nil {
		return Run{}, err
	}
	var records []world.Record
	for i, e := range p.edges {
		step := t.space.Edges[e].Step
		m, ok := t.find(w, step)
		if !ok {
			return Run{}, disagree(fmt.Errorf("step %d: %v of a %s is not possible", i+1, step.Kind, world.TypeName(step.Value)))
		}
		r, err := w.Step(m, 0, world.Answering(answersOf(step.Picks), nil))
		if err != nil {
			return Run{}, disagree(fmt.Errorf("step %d: %w", i+1, err))
		}
		records = append(records, r)
	}
	if len(p.edges) > 0 {
		if err := t.same(w, t.space.Edges[p.edges[len(p.edges)-1]].To); err != nil {
			return Run{}, disagree(err)
		}
	}
	trace, err := traces.FromRun(t.header, w, 1, records)
	return Run{Trace: trace, Edges: p.edges}, err
}

func disagree(err error) error { return runs.Disagreement{Err: err} }

// answersOf returns answers to handlers. The answer of a hold is 0 if it lasts, as in the interpreter.
func answersOf(picks []runs.Pick) (all []int) {
	for _, p := range picks {
		all = append(all, p.Is)
	}
	return all
}

// find returns the move of a step. Events that are equal are interchangeable, besides their order in a FIFO channel;
// there the first that may fire is meant.
func (t *taker) find(w *world.World, s runs.Step) (world.Move, bool) {
	switch s.Kind {
	case model.Crash, model.Stop, model.Restart:
		return world.Move{Kind: s.Kind, Node: s.Node}, true
	case model.Partition:
		return world.Move{Kind: s.Kind, Node: -1, Value: s.Value}, true
	case model.Forge, model.Mistake:
		return world.Move{Kind: s.Kind, Node: s.Node, From: s.From, Value: s.Value}, true
	}
	for _, m := range w.Moves() {
		e := m.Event
		if m.Kind == s.Kind && e != nil && e.Node == s.Node && e.Optional == s.Optional && e.Op == s.Op && (e.Kind != model.Deliver || e.From == s.From) &&
			value.Canonical(e.Value) == value.Canonical(s.Value) {
			return m, true
		}
	}
	return world.Move{}, false
}

// same compares the nodes after a run with those of a state.
func (t *taker) same(w *world.World, state int) error {
	for id, n := range t.space.States[state].Nodes {
		id := model.NodeID(id)
		if live := w.Live(id); (n == nil) != (live == nil) || n != nil && string(t.codec.Node(n, nil)) != string(w.Node(id)) {
			return fmt.Errorf("after %d steps, %s has another state in the search", w.Steps, w.System.Name(id))
		}
	}
	return nil
}
