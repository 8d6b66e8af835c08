// Package why says in a few sentences why a claim broke in a run. Each sentence is made from the
// run, and names the steps it speaks of.
//
// What a claim's monitor found is explained by taking things away and asking it again: which few
// observations contradict each other (contradiction.go), which are missing that it waits for
// (missing.go), which nodes' states break an invariant together (invariant.go). Then the run itself
// is asked how that came to be: who answered both of two nodes that should not both have gone
// on, and what became of what it knew in between (between.go); what became of a message that
// somebody has not delivered (carried.go); who waits for what, and whether they wait in a circle
// (waits.go); and what the environment did (faults.go). So a protocol need not say anything of all that. Of a
// linearizable object the order of the operations is told as far as there is one (order.go).
//
// All that is said is true of the run. That it is what a reader should know first is a guess.
package why

import (
	"slices"

	"contend/model"
	"contend/traces"
	"contend/traces/draw"
)

// An Explanation says why a run breaks its claim.
type Explanation struct {
	Sentences []string
	Short     []string // those of them that say most, two at most
	Steps     []int    // of which the sentences speak, in order; 0 is the start
}

// most is how many things of a kind a sentence lists.
const most = 4

// Of explains the violation that the trace of a run names. It has no sentences where the run
// violates nothing, or is none to its end.
func Of(run *traces.Run) Explanation {
	if run.Trace.Claim == "" || run.Diverged != nil {
		return Explanation{}
	}
	s := &scene{run: run, d: draw.Of(run), spoken: map[int]bool{}, blamed: map[int]bool{}, silent: map[int]bool{}}
	s.observed()
	s.claim, _ = run.World.Claim(run.Trace.Claim)
	s.explain()
	s.faults()
	s.differs()
	e := Explanation{Sentences: s.said, Short: s.said}
	if len(s.mains) > 0 {
		e.Short = s.mains
	}
	e.Short = e.Short[:min(2, len(e.Short))]
	for step := range s.spoken {
		e.Steps = append(e.Steps, step)
	}
	slices.Sort(e.Steps)
	return e
}

// explain says what there is to say of the kind of the claim.
func (s *scene) explain() {
	switch c := s.claim; {
	case s.run.Trace.Claim == model.NoHandlerFails:
		s.failed()
	case c.Done:
		s.unfinished()
	case c.Invariant != nil:
		s.together()
	case c.Kind == model.Linearizable:
		s.order()
	case c.Kind == model.Always:
		s.contradiction()
	default:
		s.unreached()
	}
}

// differs says what makes the variant of the run another than the protocol.
func (s *scene) differs() {
	if s.run.Title != "" {
		s.sayf("What is special here (%s): %s.", s.run.Trace.Variant, s.run.Title)
	}
}

// failed says which call failed, and in which step.
func (s *scene) failed() {
	for _, v := range s.run.World.Violations {
		if v.Claim == model.NoHandlerFails {
			s.mainf("at %s a call fails: %s.", s.when(v.Step), v.Text)
			if r := s.record(v.Step); r != nil {
				s.trigger(observation{Observation: model.Observation{Kind: model.Noted, Node: r.Node}, step: v.Step})
			}
			return
		}
	}
}
