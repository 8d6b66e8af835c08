package confirm

import (
	"fmt"

	"contend/checker/search/runs"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// Beginning converts an untimed run of the interpreter to the search's form, so that a search can continue
// from it. The claims must be those watched in the run. It repeats the run to learn the handlers' questions.
// The search also answers questions about holds that are not set; records lack these.
func Beginning(s *model.System, codec *value.Codec, claims []model.Claim, boot []world.Booted, records []world.Record) (*runs.Beginning, error) {
	l, n := &listener{booting: true}, newNames()
	for _, b := range boot {
		l.recorded = append(l.recorded, b.Choice)
	}
	w, err := world.Start(s, codec, claims, world.Options{Boot: l.next, HoldQueried: l.held, Created: n.created, Merged: n.merged})
	if err != nil {
		return nil, fmt.Errorf("as the run begins: %w", err)
	}
	from := &runs.Beginning{Boot: l.picks}
	for i, r := range records {
		m, step, err := n.again(w, r.Move)
		if err == nil {
			*l = listener{recorded: r.Choices}
			_, err = w.Step(m, 0, l.next)
		}
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		step.Picks = l.picks
		from.Steps = append(from.Steps, step)
	}
	for i := range s.Nodes {
		from.Nodes = append(from.Nodes, w.Node(model.NodeID(i)))
	}
	return from, nil
}

// again returns the move that corresponds to another world's, and the search's step.
func (n *names) again(w *world.World, original world.Move) (world.Move, runs.Step, error) {
	m, step := original, runs.Step{Kind: original.Kind, Node: original.Node, From: original.From, Value: original.Value}
	if original.Event == nil {
		return m, step, nil
	}
	for _, e := range w.Pending() {
		if e.Occurrence == original.Event.Occurrence && kinOf(e) == kinOf(original.Event) {
			m.Event = e
			step.Node, step.From, step.Op, step.Value, step.Occurrence = e.Node, e.From, e.Op, e.Value, n.number[e]
			return m, step, nil
		}
	}
	return m, step, fmt.Errorf("%v at %s is not pending when the run is repeated", original.Kind, w.System.Name(original.Event.Node))
}

// A listener gives a step its recorded answers. It records all questions with the search's answers.
type listener struct {
	recorded []world.Choice
	picks    []runs.Pick
	booting  bool // during the boot, holds that are set last, and are not questions
}

// next is called by the world for each choice of a handler.
func (l *listener) next(n int, what string) int {
	if len(l.recorded) == 0 {
		return 0
	}
	choice := l.recorded[0].Is
	l.recorded = l.recorded[1:]
	l.picks = append(l.picks, runs.Pick{Of: n, Is: choice, Held: what == "held"})
	return choice
}

// held is called by the world for each query of a hold. Set reports whether the hold is set.
func (l *listener) held(set bool) {
	switch {
	case !set:
		l.picks = append(l.picks, runs.Pick{Of: 2, Is: 1, Held: true})
	case l.booting:
		l.picks = append(l.picks, runs.Pick{Of: 2, Is: 0, Held: true})
	}
}
