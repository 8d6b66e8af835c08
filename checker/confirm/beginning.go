package confirm

import (
	"fmt"

	"contend/checker/search/runs"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// Beginning names the steps of an untimed run of the interpreter as the search does, so that a search can begin behind it. The claims that
// were watched in the run are given. The run is taken once more, to learn which questions are asked: the search answers those about holds
// that are not set, too, and records have no such answers.
func Beginning(s *model.System, codec *value.Codec, claims []model.Claim, boot []world.Booted, records []world.Record) (*runs.Beginning, error) {
	l, n := &listener{booting: true}, newNames()
	for _, b := range boot {
		l.given = append(l.given, b.Choice)
	}
	w, err := world.Start(s, codec, claims, world.Options{Boot: l.next, HoldQueried: l.asked, Created: n.named, Merged: n.merged})
	if err != nil {
		return nil, fmt.Errorf("as the run begins: %w", err)
	}
	from := &runs.Beginning{Boot: l.picks}
	for i, r := range records {
		m, step, err := n.again(w, r.Move)
		if err == nil {
			*l = listener{given: r.Choices}
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

// again finds the move of another world's run, and names it as the search does.
func (n *names) again(w *world.World, was world.Move) (world.Move, runs.Step, error) {
	m, step := was, runs.Step{Kind: was.Kind, Node: was.Node, From: was.From, Value: was.Value}
	if was.Event == nil {
		return m, step, nil
	}
	for _, e := range w.Pending() {
		if e.Occurrence == was.Event.Occurrence && kinOf(e) == kinOf(was.Event) {
			m.Event = e
			step.Node, step.From, step.Op, step.Value, step.Occurrence = e.Node, e.From, e.Op, e.Value, n.number[e]
			return m, step, nil
		}
	}
	return m, step, fmt.Errorf("%v at %s is not pending when the run is taken once more", was.Kind, w.System.Name(was.Event.Node))
}

// A listener gives a step the answers of its record, and writes down all questions with their answers as the search has them.
type listener struct {
	given   []world.Choice
	picks   []runs.Pick
	booting bool // the run begins: a hold that is set lasts, and nobody is asked
}

func (l *listener) next(n int, what string) int {
	if len(l.given) == 0 {
		return 0
	}
	is := l.given[0].Is
	l.given = l.given[1:]
	l.picks = append(l.picks, runs.Pick{Of: n, Is: is, Held: what == "held"})
	return is
}

func (l *listener) asked(set bool) {
	switch {
	case !set:
		l.picks = append(l.picks, runs.Pick{Of: 2, Is: 1, Held: true})
	case l.booting:
		l.picks = append(l.picks, runs.Pick{Of: 2, Is: 0, Held: true})
	}
}
