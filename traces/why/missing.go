package why

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/model"
	"contend/model/value"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/show"
)

// mostSeen is the largest number of observations for which the monitor is run again.
const mostSeen = 2000

// mostTries is the largest number of continuations that are tried when a goal is not reached.
const mostTries = 5000

// explainUnreached explains a goal that is not reached, by the missing observations and what prevents them.
func (s *scene) explainUnreached() {
	s.explainEnd()
	words, missing := s.misses(), s.missing()
	for _, sentence := range words {
		s.mainf("%s.", sentence)
		s.explainLack(sentence)
	}
	for _, o := range missing {
		if len(words) == 0 {
			s.mainf("%s.", s.describeMissing(o))
		}
		if o.Kind == model.Delivered {
			s.explainPath(o, len(s.run.Records))
			s.silent[int(o.Node)] = 0
		}
	}
	if s.doomed() {
		return
	}
	if waits := s.explainWaits(); !waits && len(missing)+len(words) == 0 {
		s.explainMonitor()
	}
	s.explainSilent()
	s.explainIgnored(s.concerned(), 0, len(s.run.Records)+1)
}

// concerned returns the nodes that wait, have not answered or delivered, or are in a sentence of the monitor;
// all nodes if none waits or is silent.
func (s *scene) concerned() map[int]bool {
	nodes, all, some := map[int]bool{}, map[int]bool{}, false
	for id := range s.d.Lanes {
		_, silent := s.silent[id]
		all[id], nodes[id] = true, silent || s.runs(id) || s.lacking[id]
		some = some || silent || s.runs(id)
	}
	if some {
		return nodes
	}
	return all
}

// explainLack records the node that lacks an observation: the first word of the sentence. If the node runs no
// operation, its last input is added.
func (s *scene) explainLack(sentence string) {
	who, _, _ := strings.Cut(sentence, " ")
	for id, lane := range s.d.Lanes {
		if lane.Name == who {
			s.lacking[id] = true
			if !s.runs(id) {
				s.explainIdle(id)
			}
		}
	}
}

// mostFurther is the largest number of steps by which a run is continued.
const mostFurther = 200

// doomed explains a state from which the goal cannot be reached. It continues the run without the environment
// until it ends. It explains the waits of the nodes in the last state. It reports whether it added an
// explanation.
func (s *scene) doomed() bool {
	if s.claim.Kind != model.PossibleFromEverywhere || len(s.run.Records) > mostSeen {
		return false
	}
	on, ended, _ := s.run.Further(mostFurther) // a run that fails has not ended
	if !ended || len(on.Records) == len(s.run.Records) {
		return false
	}
	t := &scene{run: on, d: draw.New(on), claim: s.claim, named: s.named, blamed: map[int]bool{}, silent: map[int]int{}, quietSteps: map[int]bool{}, lacking: map[int]bool{}, onward: true, end: len(s.run.Records)}
	t.observe()
	t.sayf("if it goes on from there without the environment, in one of the ways that there are, it stops %d steps later%s.", len(on.Records)-len(s.run.Records), t.describeContinuation())
	waits := t.explainWaits()
	t.explainSilent()
	if len(s.run.Records) == 0 { // there is nothing else to explain
		waits = true
	}
	if waits {
		s.sentences, s.important = append(s.sentences, t.sentences...), append(s.important, t.important...)
	}
	return waits
}

// mostToCome is the largest number of later steps that are listed.
const mostToCome = 8

// describeContinuation lists the steps of this continuation, if they are few and the explained run has no
// steps.
func (s *scene) describeContinuation() string {
	if s.end > 0 {
		return ""
	}
	var parts []string
	for _, l := range show.Lines(s.run) {
		if l.Step > 0 {
			parts = append(parts, fmt.Sprintf("%d %s %s", l.Step, l.Who, l.What))
		}
	}
	if len(parts) > mostToCome {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// misses returns the sentences of the claim's monitor about missing events, if there are any.
func (s *scene) misses() []string {
	status, _ := s.run.World.MonitorStatus(s.claim.Name)
	if m, ok := status.State.(model.Explainer); ok {
		return m.Misses(s.name)
	}
	return nil
}

// explainMonitor adds the final state of the claim's monitor.
func (s *scene) explainMonitor() {
	if status, ok := s.run.World.MonitorStatus(s.claim.Name); ok {
		s.sayf("what the claim's monitor keeps of the run in the end: %s.", s.describeState(status.State))
	}
}

// explainEnd adds the loop and the point of no return of the run.
func (s *scene) explainEnd() {
	t := s.run.Trace
	if rounds := t.Rounds(); rounds != "" {
		s.mainf("%s: the state after %s is the one before %s%s.", rounds, s.step(len(s.run.Records)), s.step(t.Loop), s.describeLoop())
	}
	switch after, ok := t.NoReturn.Point(); {
	case ok && after == 0:
		s.sayf("the goal cannot be reached from the beginning%s.", latest(t.NoReturn))
	case ok && (after < len(s.run.Records) || t.Text == ""):
		s.sayf("after %s the goal cannot be reached any more%s.", s.step(after), latest(t.NoReturn))
	case t.NoReturn != nil && t.NoReturn.After < 0:
		s.sayf("the goal could be reached even from the end, but the run does not go there.")
	}
}

func latest(n *traces.NoReturn) string {
	if n.AtLatest {
		return ", perhaps earlier already"
	}
	return ""
}

// describeLoop returns a clause if every pending event is executed in the loop, or "".
func (s *scene) describeLoop() string {
	for _, e := range s.run.World.Pending() {
		if !e.Optional && e.Kind != model.Expire && e.BornStep < s.run.Trace.Loop {
			return ""
		}
	}
	return "; all that is to happen happens within a round"
}

// describeMissing returns a clause on a missing observation.
func (s *scene) describeMissing(o observation) string {
	who := s.name(o.Node)
	switch o.Kind {
	case model.Delivered:
		return fmt.Sprintf("%s has not delivered %s", who, s.value(o.Value))
	case model.Returned:
		call := s.run.World.System.Nodes[o.Node].Script[o.Op].Call
		return fmt.Sprintf("the %s of %s, invoked at %s, has not returned", s.value(call), who, s.step(s.invocation(o.Node)))
	}
	text := fmt.Sprintf("%s has not noted %s", who, s.value(o.Value))
	var last []string
	for id := range s.d.Lanes {
		if was, ok := s.lastLike(model.NodeID(id), o); ok {
			last = append(last, fmt.Sprintf("%s noted %s at %s", s.d.Lanes[id].Name, s.value(was.Value), s.step(was.step)))
		}
	}
	return text + "; the last of that kind: " + listed(last)
}

// lastLike returns the last observation of a node that has the kind and type of another.
func (s *scene) lastLike(id model.NodeID, o observation) (observation, bool) {
	for _, was := range slices.Backward(s.seen) {
		if was.Node == id && was.Kind == o.Kind && reflect.TypeOf(was.Value) == reflect.TypeOf(o.Value) {
			return was, true
		}
	}
	return observation{}, false
}

// observedBefore reports whether the run has an equal observation.
func (s *scene) observedBefore(o observation) bool {
	return slices.ContainsFunc(s.seen, func(was observation) bool {
		return was.Node == o.Node && was.Kind == o.Kind && value.Canonical(was.Value) == value.Canonical(o.Value)
	})
}

// missing returns the fewest observations, at most three, that reach the goal after this run; nil if there are
// none.
func (s *scene) missing() []observation {
	if s.claim.Monitor == nil || s.claim.Causal != nil || len(s.seen) > mostSeen {
		return nil
	}
	all, tries := s.candidates(), 0
	reached := func(more ...observation) bool {
		tries++
		out, ok := s.rerun(append(slices.Clone(s.seen), more...))
		return ok && out.reached
	}
	for size := 1; size <= 3; size++ {
		if found := combined(all, size, func(more []observation) bool { return tries < mostTries && reached(more...) }); found != nil {
			return found
		}
	}
	return nil
}

// combined returns the first combination of the given size that passes accepts. It calls passes for each, in
// order.
func combined(all []observation, size int, passes func([]observation) bool) []observation {
	if size == 0 {
		if passes(nil) {
			return []observation{}
		}
		return nil
	}
	for i, o := range all {
		rest := combined(all[i+1:], size-1, func(more []observation) bool { return passes(append([]observation{o}, more...)) })
		if rest != nil {
			return append([]observation{o}, rest...)
		}
	}
	return nil
}

// candidates returns observations that a continuation may make: of each node that is up, what nodes of its role
// delivered or noted in the run, and the return of its operation.
func (s *scene) candidates() (all []observation) {
	w := s.run.World
	for i, spec := range w.System.Nodes {
		id := model.NodeID(i)
		status := w.Status(id)
		if status.Down || spec.Byzantine {
			continue
		}
		if status.Runs {
			all = append(all, s.imagined(model.Observation{Kind: model.Returned, Node: id, Op: status.Begun - 1}))
		}
		seen := map[string]bool{}
		for _, o := range s.seen {
			if o.Kind != model.Delivered && o.Kind != model.Noted || w.System.Nodes[o.Node].Role != spec.Role {
				continue
			}
			if key := o.Kind.String() + value.Canonical(o.Value); !seen[key] && !s.observedBefore(s.imagined(model.Observation{Kind: o.Kind, Node: id, Value: o.Value})) {
				seen[key] = true
				all = append(all, s.imagined(model.Observation{Kind: o.Kind, Node: id, Op: -1, Value: o.Value}))
			}
		}
	}
	return all
}

// imagined returns an observation right after the run.
func (s *scene) imagined(o model.Observation) observation {
	return observation{o, len(s.run.Records) + 1, s.run.World.Now}
}
