package why

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces/draw"
)

// explainUnfinished explains a run in which operations have not returned.
func (s *scene) explainUnfinished() {
	s.explainEnd()
	if len(s.run.Records) == 0 && s.doomed() {
		return
	}
	var parts []string
	for i, spec := range s.run.World.System.Nodes {
		id := model.NodeID(i)
		status := s.run.World.Status(id)
		if status.Down && !status.Cut || spec.Byzantine || len(spec.Script) == 0 {
			continue
		}
		switch {
		case status.Cut:
			parts = append(parts, fmt.Sprintf("%s is down within its %s, and need not come back", spec.Name, s.value(spec.Script[status.Begun-1].Call)))
		case status.Runs:
			parts = append(parts, fmt.Sprintf("the %s of %s, invoked at %s, has not returned", s.value(spec.Script[status.Begun-1].Call), spec.Name, s.step(s.invocation(id))))
		case status.Begun < len(spec.Script):
			parts = append(parts, fmt.Sprintf("%s has not invoked %s", spec.Name, s.value(spec.Script[status.Begun].Call)))
		}
	}
	if len(parts) > 0 {
		s.mainf("%s.", semicolons(parts))
	}
	s.explainWaits()
	s.explainSilent()
	s.explainIgnored(s.concerned(), 0, len(s.run.Records)+1)
}

// explainWaits adds, for each operation that has not returned, the missing answers and their causes, and a
// cycle of waiting nodes. It reports whether there is such an operation.
func (s *scene) explainWaits() (waits bool) {
	edges, parts := map[int]int{}, map[int][]string{}
	for id := range s.d.Lanes {
		if !s.runs(id) {
			continue
		}
		waits = true
		var on int
		if parts[id], on = s.waitsFor(id); on >= 0 {
			edges[id] = on
		}
	}
	s.explainCycle(edges)
	for id, lane := range s.d.Lanes {
		switch {
		case s.runs(id) && s.explainLoop(id):
		case len(parts[id]) > 0:
			s.mainf("%s waits: %s.", lane.Name, semicolons(parts[id]))
		case s.runs(id):
			s.explainIdleWait(id)
		}
	}
	for id := range s.d.Lanes {
		if s.runs(id) {
			s.explainOmission(id)
		}
	}
	return waits
}

// explainLoop adds the messages that arrive at a waiting node in the loop of the run, and reports whether there
// are any.
func (s *scene) explainLoop(id int) bool {
	loop := s.run.Trace.Loop
	var parts []string
	for _, a := range s.d.Arrows {
		if loop > 0 && a.To == id && arrives(a) && a.End >= loop {
			parts = append(parts, fmt.Sprintf("%s of %s (%s)", short(a.Label), s.d.Lanes[a.From].Name, s.step(a.End)))
		}
	}
	if len(parts) > 0 {
		s.mainf("in each round %s hears %s, and waits on.", s.d.Lanes[id].Name, listed(parts))
	}
	return len(parts) > 0
}

// explainSilent adds the final states of nodes that have not answered or delivered.
func (s *scene) explainSilent() {
	var parts []string
	at := map[int]int{}
	for id, lane := range s.d.Lanes {
		since, silent := s.silent[id]
		if n := s.run.World.Status(model.NodeID(id)).State; silent && n != nil {
			parts = append(parts, lane.Name+" has "+s.describeFields(model.NodeID(id), n, len(s.run.Records)))
			at[id] = since
		}
	}
	if len(parts) == 0 || len(parts) > most {
		return
	}
	s.sayf("in the end %s.", semicolons(parts))
	for _, id := range slices.Sorted(maps.Keys(at)) {
		s.explainLastStep(id, at[id])
		s.explainCanceled(id)
	}
}

// waitsFor returns clauses on the missing answers of a node's operation, and a waiting node that it waits for,
// or -1.
func (s *scene) waitsFor(id int) (parts []string, on int) {
	on = -1
	for _, a := range s.requests(id) {
		answer, answered := s.answer(a)
		switch {
		case !answered:
			text, who := s.describeUnanswered(a)
			parts = append(parts, text)
			if on < 0 {
				on = who
			}
		case answer.Fate == draw.InFlight:
			parts = append(parts, fmt.Sprintf("%s of %s, sent at %s, is still on its way to it", short(answer.Label), s.d.Lanes[a.To].Name, s.step(answer.Sent)))
		case answer.Fate == draw.Lost:
			parts = append(parts, fmt.Sprintf("%s of %s, sent at %s, was lost at %s", short(answer.Label), s.d.Lanes[a.To].Name, s.step(answer.Sent), s.step(answer.End)))
		}
	}
	return parts, on
}

// explainIdleWait adds the state of a node that waits, though no answer is missing.
func (s *scene) explainIdleWait(id int) {
	if slices.ContainsFunc(s.run.World.Pending(), func(e *world.Event) bool { return e.Node == model.NodeID(id) }) {
		return
	}
	name, since := s.d.Lanes[id].Name, s.step(s.invocation(model.NodeID(id)))
	if len(s.requests(id)) > 0 {
		s.mainf("%s waits, though all whom it has asked since %s have answered%s: no message is on its way to it, and it has set no alarm.%s", name, since, s.describeAnswers(id), s.describeDown(id))
		s.explainIgnored(s.requested(id), 0, len(s.run.Records)+1)
	} else {
		s.mainf("%s waits, and has asked nobody since %s: no message is on its way to it, and it has set no alarm.", name, since)
		s.sayf("%s has %s.", name, s.describeFields(model.NodeID(id), s.run.World.Status(model.NodeID(id)).State, len(s.run.Records)))
		s.explainLastMessage()
	}
	s.explainCanceled(id)
}

// requested returns the receivers of a node's requests.
func (s *scene) requested(id int) map[int]bool {
	nodes := map[int]bool{}
	for _, a := range s.requests(id) {
		nodes[a.To] = true
	}
	return nodes
}

// describeAnswers lists the last messages of the receivers of a node's requests.
func (s *scene) describeAnswers(id int) string {
	var parts []string
	received := s.lastMessages(observation{Observation: model.Observation{Node: model.NodeID(id)}, step: len(s.run.Records)})
	for _, a := range s.requests(id) {
		if last, ok := received[a.To]; ok {
			parts = append(parts, fmt.Sprintf("%s with %s", s.d.Lanes[a.To].Name, short(last.Label)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", " + listed(parts)
}

// describeDown returns a sentence on the receivers of a node's requests that are down, or "".
func (s *scene) describeDown(id int) string {
	var names []string
	for _, a := range s.requests(id) {
		if s.run.World.Status(model.NodeID(a.To)).Down {
			names = append(names, s.d.Lanes[a.To].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " Down by now: " + listed(names) + "."
}

// describeUnanswered returns a clause on a message that was not answered, and a waiting node that its receiver
// has answered instead, or -1.
func (s *scene) describeUnanswered(a draw.Arrow) (text string, on int) {
	to := s.d.Lanes[a.To].Name
	what := fmt.Sprintf("its %s to %s, sent at %s,", short(a.Label), to, s.step(a.Sent))
	switch {
	case a.Fate == draw.Lost:
		return what + " was lost at " + s.step(a.End), -1
	case a.Fate == draw.InFlight:
		return what + " is still on its way", -1
	case a.Fate == draw.Unheard:
		return what + " came at " + s.step(a.End) + ", when nobody was up there", -1
	case s.run.World.Status(model.NodeID(a.To)).Down:
		return what + " came at " + s.step(a.End) + ", and " + to + " went down before it answered", -1
	}
	text = fmt.Sprintf("%s got its %s at %s", to, short(a.Label), s.step(a.End))
	if a.To == a.From {
		text = fmt.Sprintf("it got its own %s at %s", short(a.Label), s.step(a.End))
	}
	text += s.describeUnheeded(a)
	s.silent[a.To] = max(a.End, s.silent[a.To])
	if on := s.describeForwards(a, 0); on != "" {
		return text + ", but has sent on " + on, -1
	}
	if z := s.favored(a); z >= 0 {
		if z == a.To {
			return text + ", but has answered itself", z
		}
		return fmt.Sprintf("%s, but has answered %s", text, s.d.Lanes[z].Name), z
	}
	if s.runs(a.To) && a.To != a.From {
		return text, a.To
	}
	return text, -1
}

// describeUnheeded returns a clause on the effect of a message that its receiver has not answered. A message of
// a type that is never answered in the run probably needs no answer.
func (s *scene) describeUnheeded(a draw.Arrow) string {
	quiet := s.quiet(a.End) && int(s.record(a.End).Node) == a.To
	switch undone := s.describeUndo(model.NodeID(a.To), a.End); {
	case quiet:
		s.quietSteps[a.End] = true
		return ", of which nothing came"
	case s.unchanged(a.End) && len(s.record(a.End).Sent) == 0:
		return ", which changed nothing in its state, and has not answered"
	case undone != "" && len(s.record(a.End).Sent) == 0:
		return " and has not answered (" + undone + ")"
	case !s.answers(a.Value) && s.effect(a.End) != "":
		return ": " + s.effect(a.End)
	}
	return " and has not answered"
}

// answers reports whether the run has an answer to a message of the type of v.
func (s *scene) answers(v any) bool {
	return slices.ContainsFunc(s.d.Arrows, func(a draw.Arrow) bool {
		if reflect.TypeOf(a.Value) != reflect.TypeOf(v) {
			return false
		}
		_, ok := s.answer(a)
		return ok
	})
}

// mostHops is the largest number of forwards that are followed.
const mostHops = 8

// describeForwards returns a clause if the receiver of a message sent exactly one message in the step of its
// arrival, and to another node. The clause has the fate of that message. Otherwise it returns "".
func (s *scene) describeForwards(a draw.Arrow, hop int) string {
	var on []draw.Arrow
	for _, b := range s.d.Arrows {
		if b.Sent == a.End && b.Fate != draw.Forged {
			on = append(on, b)
		}
	}
	if len(on) != 1 || hop == mostHops || on[0].To == a.To {
		return ""
	}
	b := on[0]
	text := fmt.Sprintf("%s to %s", short(b.Label), s.d.Lanes[b.To].Name)
	if !arrives(b) {
		return text + ", which " + s.describeFate(b, len(s.run.Records))
	}
	if further := s.describeForwards(b, hop+1); further != "" {
		return text + ", and that " + further
	}
	return text + ", which " + s.describeFate(b, len(s.run.Records))
}

// favored returns the waiting node that the receiver of a message answered last; -1 if there is none.
func (s *scene) favored(a draw.Arrow) int {
	who, when := -1, -1
	for id := range s.d.Lanes {
		if id == a.From || !s.runs(id) {
			continue
		}
		for _, b := range s.requests(id) {
			if answer, ok := s.answer(b); ok && b.To == a.To && arrives(answer) && answer.Sent > when {
				who, when = id, answer.Sent
			}
		}
	}
	return who
}

// explainCycle adds a cycle of nodes that wait for each other, if there is one.
func (s *scene) explainCycle(edges map[int]int) {
	for start := range s.d.Lanes {
		path, node := []int{start}, start
		for len(path) <= len(s.d.Lanes) {
			next, ok := edges[node]
			if !ok {
				break
			}
			if next == start {
				s.addCycle(path)
				return
			}
			path, node = append(path, next), next
		}
	}
}

func (s *scene) addCycle(path []int) {
	var parts []string
	for i, id := range path {
		verb := " "
		if i == 0 {
			verb = " waits "
		}
		parts = append(parts, s.d.Lanes[id].Name+verb+"for "+s.d.Lanes[path[(i+1)%len(path)]].Name)
	}
	s.mainf("they wait in a circle: %s.", listed(parts))
}
