// Package why says in a few sentences why a claim broke in a run. Each sentence is made from the
// run, and names the steps it speaks of.
//
// What a claim's monitor found is explained by taking things away and asking it again: which few
// observations contradict each other (contradiction.go), which are missing that it waits for
// (missing.go), which nodes' states break an invariant together (invariant.go). Then the run itself
// is asked how that came to be: who answered both of two nodes that should not both have gone
// on, and what became of what it knew in between (between.go); what became of a message that
// somebody has not delivered (carried.go); who waits for what, and whether they wait in a circle
// (waits.go); what somebody was told and passed over, or was told too late (passed.go); what came of a step, or that nothing did, and which step wrote what a node has (effects.go); and what the
// environment did, and which message came too late (late.go); which programs exited, with which last words (exits.go). So a protocol need not say anything of all that. Of a
// linearizable object the order of the operations is told as far as there is one (order.go).
//
// All that is said is true of the run. That it is what a reader should know first is a guess.
//
// The files are one package because each sentence depends on what was said before it: a scene (scene.go) remembers the steps that
// were spoken of, the nodes that are known to be silent, and what is blamed. An account of a wait leads to one of a message, and that to
// another wait, so the files call each other in both directions.
package why

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/traces/draw"
	"contend/traces/replay"
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
func Of(run *replay.Run) Explanation {
	if run.Trace.Claim == "" || run.Diverged != nil {
		return Explanation{}
	}
	s := &scene{run: run, d: draw.Of(run), spoken: map[int]bool{}, blamed: map[int]bool{}, silent: map[int]int{}, vain: map[int]bool{}, lacking: map[int]bool{}}
	s.observed()
	s.claim, _ = run.World.Claim(run.Trace.Claim)
	s.explain()
	s.exits()
	s.late()
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
	case c.Kind == model.Refines:
		s.contradiction()
		s.allowed()
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

// failedIn says in which step a call failed, what came of it where, and how the node stood.
func (s *scene) failedIn(step int) {
	r := s.record(step)
	if r == nil {
		s.mainf("it fails as the run begins.")
		return
	}
	s.mainf("it fails at %s: %s.", s.when(step), s.happens(step))
	for _, a := range s.d.Arrows {
		if a.End == step && a.To == int(r.Node) && arrives(a) {
			s.sayf("%s was sent by %s at %s.", short(a.Label), s.d.Lanes[a.From].Name, s.step(a.Sent))
		}
	}
	if is := s.run.World.Standing(r.Node); is.State != nil {
		s.mainf("%s had %s.", s.name(r.Node), s.state(is.State))
	}
}

// failed says which call failed.
func (s *scene) failed() {
	if step, _ := s.broke(); step >= 0 {
		s.failedIn(step)
	}
}

// faults says what the environment did in the run, and was not spoken of.
func (s *scene) faults() {
	var parts []string
	for i, r := range s.run.Records {
		if r.Move.Kind.Adversarial() && !s.blamed[i+1] {
			parts = append(parts, fmt.Sprintf("%s (%s)", s.fault(s.d.Rows[i+1], i+1), s.step(i+1)))
		}
	}
	if len(parts) > 0 {
		also := ""
		if len(s.blamed) > 0 {
			also = "other "
		}
		s.sayf("%sfaults in this run: %s.", also, apart(parts))
	}
}

// fault says what the environment does in a step.
func (s *scene) fault(row draw.Row, step int) string {
	m := s.run.Records[step-1].Move
	switch m.Kind {
	case model.Lose, model.Duplicate:
		return fmt.Sprintf("the message %s, from %s to %s", row.What, s.name(m.Event.From), s.name(m.Event.Node))
	case model.Forge:
		return fmt.Sprintf("%s, which is Byzantine, makes up %s for %s", s.name(m.From), s.value(m.Value), s.name(m.Node))
	}
	return row.Who + " " + row.What
}
