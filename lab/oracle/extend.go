package oracle

import (
	"math/rand/v2"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
)

// After executes random steps in an untimed system, and explores the continuations, as [Explore] does. State
// 0 of the graph is the state after the last step. It returns the run with its records, shorter than steps if
// nothing more can happen. The graph is nil if the run violates a claim.
func After(s *model.System, claims []model.Claim, limit int, r *rand.Rand, steps int) (g *Graph, w *world.World, records []world.Record, err error) {
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, nil, nil, err
	}
	x := &explorer{sys: s, codec: codec, graph: newGraph(None, claims), limit: limit, work: limit * stepsPerState}
	defer guard.Caught(&err)
	if err := x.begin(func(*world.World, path) error { return nil }); err != nil {
		return nil, nil, nil, err // some initial state is refused
	}
	p := path{}
	for range 4 { // answers of Start
		p.boot = append(p.boot, r.IntN(2))
	}
	w, err = x.run(p)
	for ; err == nil && len(records) < steps; steps-- {
		n := len(moves(w))
		if n == 0 || w.Failed() { // the system's Forge may fail
			break
		}
		var record world.Record
		next := step{move: r.IntN(n)}
		if record, next.answers, err = stepRandomly(w, next, r); err == nil {
			records, p = append(records, record), p.append(next)
		} else if _, cut := err.(world.ErrCut); cut {
			break
		}
	}
	if _, cut := err.(world.ErrCut); cut { // the event cannot fire any more in this world
		w, err = x.run(p)
	}
	if err != nil || len(w.Violations) > 0 {
		return nil, w, records, err
	}
	if _, err := x.state(w, p); err != nil {
		return nil, w, records, err
	}
	for i := 0; i < len(x.graph.States); i++ {
		if err := x.expand(i); err != nil {
			return nil, w, records, err
		}
	}
	return x.graph, w, records, nil
}

// stepRandomly executes a step with random answers, and returns these.
func stepRandomly(w *world.World, s step, r *rand.Rand) (record world.Record, answers []int, err error) {
	record, err = w.Step(moves(w)[s.move], s.at, func(n int, _ string) int {
		answers = append(answers, r.IntN(n))
		return answers[len(answers)-1]
	})
	return record, answers, err
}
