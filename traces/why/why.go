// Package why explains the violation of a claim in a run by a few sentences. Each sentence is computed from
// the run, and names the steps that it is about. So a protocol needs no texts of its own.
//
// A claim's monitor is run again with observations removed or added. The result are the observations that
// contradict each other (contradiction.go) or are missing (missing.go). The same with states results in the
// nodes that violate an invariant (invariant.go). For a linearizable object the longest order of operations
// is computed (order.go).
//
// Their causes are in the run: which node answered both of two nodes (pair.go); the fate of a message
// (delivery.go); which node waits for which (waits.go); what a node overlooked, or received too late
// (overlooked.go); the effect of a step (effects.go); a message that overtook another (late.go); and programs
// that exited (exits.go). For the run of a mutant, the first step is named in which the protocol itself
// reacts differently (departure.go).
//
// All sentences are true of the run. Their choice is a heuristic.
//
// The files are one package because each sentence depends on earlier ones. A scene (scene.go) stores which
// steps and nodes they name.
package why

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/traces/draw"
	"contend/traces/replay"
)

// An Explanation explains the violation of a claim in a run.
type Explanation struct {
	Sentences []string
	Short     []string // the most important sentences, at most two
	Steps     []int    // the steps that the sentences name, sorted; 0 is the initial state
}

// most is the largest number of items in a list within a sentence.
const most = 4

// Explain explains the violation that the trace of a run names. It returns no sentences if the trace names
// none, or if the run diverged.
func Explain(run *replay.Run) Explanation {
	if run.Trace.Claim == "" || run.Diverged != nil {
		return Explanation{}
	}
	s := &scene{run: run, d: draw.New(run), named: map[int]bool{}, blamed: map[int]bool{}, silent: map[int]int{}, quietSteps: map[int]bool{}, lacking: map[int]bool{}}
	s.observe()
	s.claim, _ = run.World.Claim(run.Trace.Claim)
	s.explain()
	s.explainExits()
	s.explainOvertaking()
	s.explainFaults()
	s.explainVariant()
	e := Explanation{Sentences: s.sentences, Short: s.sentences}
	if len(s.important) > 0 {
		e.Short = s.important
	}
	e.Short = e.Short[:min(2, len(e.Short))]
	for step := range s.named {
		e.Steps = append(e.Steps, step)
	}
	slices.Sort(e.Steps)
	return e
}

// explain adds the sentences for the kind of the claim.
func (s *scene) explain() {
	switch c := s.claim; {
	case s.run.Trace.Claim == model.NoHandlerFails:
		s.explainFailure()
	case c.Done:
		s.explainUnfinished()
	case c.Invariant != nil:
		s.explainInvariant()
	case c.Kind == model.Linearizable:
		s.explainOrder()
	case c.Kind == model.Refines:
		s.explainContradiction()
		s.explainAllowed()
	case c.Kind == model.Always:
		s.explainContradiction()
	default:
		s.explainUnreached()
	}
}

// explainFailure adds the step in which a handler failed, and the state of its node.
func (s *scene) explainFailure() {
	step, _ := s.violation()
	if step < 0 {
		return
	}
	r := s.record(step)
	if r == nil {
		s.mainf("it fails as the run begins.")
		return
	}
	s.mainf("it fails at %s: %s.", s.when(step), s.eventText(step))
	for _, a := range s.d.Arrows {
		if a.End == step && a.To == int(r.Node) && arrives(a) {
			s.sayf("%s was sent by %s at %s.", short(a.Label), s.d.Lanes[a.From].Name, s.step(a.Sent))
		}
	}
	if status := s.run.World.Status(r.Node); status.State != nil {
		s.mainf("%s had %s.", s.name(r.Node), s.describeState(status.State))
	}
}

// explainFaults adds the moves of the environment that no other sentence names.
func (s *scene) explainFaults() {
	var parts []string
	for i, r := range s.run.Records {
		if r.Move.Kind.Adversarial() && !s.blamed[i+1] {
			parts = append(parts, fmt.Sprintf("%s (%s)", s.describeFault(s.d.Rows[i+1], i+1), s.step(i+1)))
		}
	}
	if len(parts) > 0 {
		also := ""
		if len(s.blamed) > 0 {
			also = "other "
		}
		s.sayf("%sfaults in this run: %s.", also, semicolons(parts))
	}
}

// describeFault returns a phrase for a move of the environment.
func (s *scene) describeFault(row draw.Row, step int) string {
	m := s.run.Records[step-1].Move
	switch m.Kind {
	case model.Lose, model.Duplicate:
		return fmt.Sprintf("the message %s, from %s to %s", row.What, s.name(m.Event.From), s.name(m.Event.Node))
	case model.Forge:
		return fmt.Sprintf("%s, which is Byzantine, makes up %s for %s", s.name(m.From), s.value(m.Value), s.name(m.Node))
	}
	return row.Who + " " + row.What
}
