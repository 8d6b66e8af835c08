package search

import (
	"testing"

	"contend/checker/search/runs"
	"contend/model"
)

// A search that begins where a run ends meets that state first, and what comes after it. Which handlers were not run it does not say: some
// ran on the way there.
func TestBeginsWhereARunEnds(t *testing.T) {
	s := counting(5)
	s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: "again", After: model.Anytime()})
	whole := explore(t, s, Options{}, never(1), reach(model.Sometimes, 1))
	way := whole.broken(0)
	r := explore(t, s, Options{From: &runs.Beginning{Boot: way.Boot, Steps: way.Steps, Nodes: way.Nodes}}, never(2))
	if r.States == 0 || r.States >= whole.States || r.Widths[0] != 1 || !r.Complete {
		t.Errorf("%d states of %d, in layers of %v; complete %v", r.States, whole.States, r.Widths, r.Complete)
	}
	if len(whole.Handlers) == 0 || len(r.Handlers) > 0 {
		t.Errorf("of the handlers of the whole %v, of the rest %v", whole.Handlers, r.Handlers)
	}
}

// Where steps could have gone several ways the search begins behind the one that was taken, and knows the way there.
func TestBeginsBehindTheStepThatWasTaken(t *testing.T) {
	count := func(id model.NodeID) scripted {
		return scripted{
			start: func(_ *scripted, env model.Env) { env.Send(id, 1) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
				if n.S++; n.S == 3 {
					env.Note(mark{1 + int(id)})
					return
				}
				env.Send(id, 1)
			},
		}
	}
	s := system(server("a", count(0)), server("b", count(1)), server("c", count(2)))
	whole := explore(t, s, Options{}, never(1), never(2), never(3))
	for claim := range 3 {
		way := whole.broken(claim)
		r := explore(t, s, Options{From: &runs.Beginning{Steps: way.Steps, Nodes: way.Nodes}}, never(1), never(2), never(3))
		for other := range 3 {
			if c, violated := r.violation(other); violated == (other == claim) || violated && len(c.Steps) != 6 {
				t.Errorf("behind a run that violates claim %d, claim %d: violated %v, after %d steps; disputed %v", claim, other, violated, len(c.Steps), r.disputes())
			}
		}
	}
}
