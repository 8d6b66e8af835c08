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

// mostSeen is how many observations a run has at most of which each is asked what it is for.
const mostSeen = 2000

// mostTries is how many ways to go on are tried where a goal is not reached.
const mostTries = 5000

// unreached explains a goal that is not reached, by what would have to be observed yet, and by what
// is in its way.
func (s *scene) unreached() {
	s.ends()
	words, missing := s.misses(), s.missing()
	for _, says := range words {
		s.mainf("%s.", says)
		s.lacks(says)
	}
	for _, o := range missing {
		if len(words) == 0 {
			s.mainf("%s.", s.never(o))
		}
		if o.Kind == model.Delivered {
			s.traced(o, len(s.run.Records))
			s.silent[int(o.Node)] = 0
		}
	}
	if s.doomed() {
		return
	}
	if waits := s.waiting(); !waits && len(missing)+len(words) == 0 {
		s.owes()
	}
	s.states()
	s.unheeded(s.concerned(), 0, len(s.run.Records)+1)
}

// concerned are the nodes that wait, those that have not answered, or not delivered, and those that lack something; all where
// nobody waits or is silent.
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

// lacks notes the node that begins a sentence on what is missing, and says how that came where it runs no operation.
func (s *scene) lacks(says string) {
	who, _, _ := strings.Cut(says, " ")
	for id, lane := range s.d.Lanes {
		if lane.Name == who {
			s.lacking[id] = true
			if !s.runs(id) {
				s.unmoved(id)
			}
		}
	}
}

// mostFurther is how far a run is taken on to see where it leads.
const mostFurther = 200

// doomed explains a state from which the goal cannot be reached by where it leads, if nobody acts
// but who has to: there nothing more happens, and those wait who cannot go on.
func (s *scene) doomed() bool {
	if s.claim.Kind != model.PossibleFromEverywhere || len(s.run.Records) > mostSeen {
		return false
	}
	on, ended, _ := s.run.Further(mostFurther) // what fails does not end
	if !ended || len(on.Records) == len(s.run.Records) {
		return false
	}
	t := &scene{run: on, d: draw.Of(on), claim: s.claim, spoken: s.spoken, blamed: map[int]bool{}, silent: map[int]int{}, vain: map[int]bool{}, lacking: map[int]bool{}, onward: true, end: len(s.run.Records)}
	t.observed()
	t.sayf("if it goes on from there without the environment, in one of the ways that there are, it stops %d steps later%s.", len(on.Records)-len(s.run.Records), t.toCome())
	waits := t.waiting()
	t.states()
	if len(s.run.Records) == 0 { // there is nothing else to tell
		waits = true
	}
	if waits {
		s.said, s.mains = append(s.said, t.said...), append(s.mains, t.mains...)
	}
	return waits
}

// mostToCome is how many steps to come are told.
const mostToCome = 8

// toCome tells the steps by which this run goes further, if they are few and it begins with them.
func (s *scene) toCome() string {
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

// misses is what the claim's monitor says that it misses, if it has words.
func (s *scene) misses() []string {
	is, _ := s.run.World.Watching(s.claim.Name)
	if m, ok := is.State.(model.Explainer); ok {
		return m.Misses(s.name)
	}
	return nil
}

// owes says how the claim's monitor stands at the end: what it still has is what it waits for.
func (s *scene) owes() {
	if is, ok := s.run.World.Watching(s.claim.Name); ok {
		s.sayf("what the claim's monitor keeps of the run in the end: %s.", s.state(is.State))
	}
}

// ends says what is known of how the run goes on.
func (s *scene) ends() {
	t := s.run.Trace
	if rounds := t.Rounds(); rounds != "" {
		s.mainf("%s: the state after %s is the one before %s%s.", rounds, s.step(len(s.run.Records)), s.step(t.Loop), s.leftOut())
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

// leftOut says whether something might have happened all through a round that never does.
func (s *scene) leftOut() string {
	for _, e := range s.run.World.Pending() {
		if !e.Optional && e.Kind != model.Expire && e.BornStep < s.run.Trace.Loop {
			return ""
		}
	}
	return "; all that is to happen happens within a round"
}

// never says of what might be observed yet that it was not.
func (s *scene) never(o observation) string {
	who := s.name(o.Node)
	switch o.Kind {
	case model.Delivered:
		return fmt.Sprintf("%s has not delivered %s", who, s.value(o.Value))
	case model.Returned:
		call := s.run.World.System.Nodes[o.Node].Script[o.Op].Call
		return fmt.Sprintf("the %s of %s, invoked at %s, has not returned", s.value(call), who, s.step(s.since(o.Node)))
	}
	says := fmt.Sprintf("%s has not noted %s", who, s.value(o.Value))
	var last []string
	for id := range s.d.Lanes {
		if was, ok := s.lastLike(model.NodeID(id), o); ok {
			last = append(last, fmt.Sprintf("%s noted %s at %s", s.d.Lanes[id].Name, s.value(was.Value), s.step(was.step)))
		}
	}
	return says + "; the last of that kind: " + listed(last)
}

// lastLike is the last observation of a node of the kind and type of another.
func (s *scene) lastLike(id model.NodeID, o observation) (observation, bool) {
	for _, was := range slices.Backward(s.seen) {
		if was.Node == id && was.Kind == o.Kind && reflect.TypeOf(was.Value) == reflect.TypeOf(o.Value) {
			return was, true
		}
	}
	return observation{}, false
}

// was reports whether the same was observed in the run.
func (s *scene) was(o observation) bool {
	return slices.ContainsFunc(s.seen, func(was observation) bool {
		return was.Node == o.Node && was.Kind == o.Kind && value.Canonical(was.Value) == value.Canonical(o.Value)
	})
}

// missing finds the fewest observations with which the goal would be reached after this run: none
// where a few do not do.
func (s *scene) missing() []observation {
	if s.claim.Monitor == nil || s.claim.Causal != nil || len(s.seen) > mostSeen {
		return nil
	}
	all, tries := s.candidates(), 0
	reached := func(more ...observation) bool {
		tries++
		out, ok := s.again(append(slices.Clone(s.seen), more...))
		return ok && out.reached
	}
	for size := 1; size <= 3; size++ {
		if found := combined(all, size, func(more []observation) bool { return tries < mostTries && reached(more...) }); found != nil {
			return found
		}
	}
	return nil
}

// combined finds so many of all that pass, in order.
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

// candidates are what might have been observed yet: of each node that is up what nodes of its role
// delivered and noted in the run, and that its operation returns.
func (s *scene) candidates() (all []observation) {
	w := s.run.World
	for i, spec := range w.System.Nodes {
		id := model.NodeID(i)
		is := w.Standing(id)
		if is.Down || spec.Byzantine {
			continue
		}
		if is.Runs {
			all = append(all, s.imagined(model.Observation{Kind: model.Returned, Node: id, Op: is.Begun - 1}))
		}
		met := map[string]bool{}
		for _, o := range s.seen {
			if o.Kind != model.Delivered && o.Kind != model.Noted || w.System.Nodes[o.Node].Role != spec.Role {
				continue
			}
			if key := o.Kind.String() + value.Canonical(o.Value); !met[key] && !s.was(s.imagined(model.Observation{Kind: o.Kind, Node: id, Value: o.Value})) {
				met[key] = true
				all = append(all, s.imagined(model.Observation{Kind: o.Kind, Node: id, Op: -1, Value: o.Value}))
			}
		}
	}
	return all
}

// imagined is an observation right after the run.
func (s *scene) imagined(o model.Observation) observation {
	return observation{o, len(s.run.Records) + 1, s.run.World.Now}
}
