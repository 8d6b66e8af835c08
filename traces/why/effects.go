package why

import (
	"fmt"
	"regexp"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces/draw"
)

// quiet reports whether a handler ran in a step, and nothing came of it: the state of its node is the same, it sent,
// noted, armed and called off nothing, and its operation did not return.
func (s *scene) quiet(step int) bool {
	r := s.record(step)
	return r != nil && len(r.Sent)+len(r.Observations)+len(r.Armed)+len(r.Holds)+len(r.Gone) == 0 && s.unchanged(step) && !s.returned(step)
}

// returned reports whether an operation was returned in a step, which its application may see later or, if its node goes down, never.
func (s *scene) returned(step int) bool {
	is := func(e *world.Event) bool { return e != nil && e.Kind == model.Return && e.BornStep == step }
	return slices.ContainsFunc(s.run.World.Pending(), is) || slices.ContainsFunc(s.run.Records, func(r world.Record) bool {
		return is(r.Move.Event) || slices.ContainsFunc(r.Gone, is)
	})
}

// unchanged reports whether the state of the node of a step is known, and is the same before it and after.
func (s *scene) unchanged(step int) bool {
	r := s.record(step)
	if r == nil || r.Before == nil || r.After == nil {
		return false
	}
	if _, tells := r.After.(describe.Teller); tells {
		return false // what it tells is not all that it has
	}
	c := s.run.World.Codec
	return string(c.Node(r.Before, nil)) == string(c.Node(r.After, nil))
}

// changes are what changed in the state of the node of a step.
func (s *scene) changes(step int) []describe.Change {
	r := s.record(step)
	return describe.Diff(r.Before, r.After, s.name)
}

// mostChanges is how many fields are told at most that changed in a step.
const mostChanges = 2

// came says what came of a step at its node: what changed there, and what it sent; "" where neither is known.
func (s *scene) came(step int) string {
	r := s.record(step)
	if r == nil {
		return ""
	}
	if s.quiet(step) {
		s.vain[step] = true
		return "nothing came of it"
	}
	name, sent := s.name(r.Node), s.sentAt(int(r.Node), step)
	var changed []string
	for _, c := range s.changes(step) {
		if len(changed) < mostChanges {
			changed = append(changed, went(name+"'s", c))
		}
	}
	switch {
	case len(changed) == 0 && sent == "":
		return ""
	case len(changed) == 0 && s.unchanged(step):
		return name + " sent " + sent + ", and nothing changed in its state"
	case len(changed) == 0:
		return name + " sent " + sent
	case sent == "":
		return listed(changed) + ", and " + name + " sent nothing"
	}
	return listed(changed) + ", and " + name + " sent " + sent
}

// went says how a field changed, whose it is.
func went(whose string, c describe.Change) string {
	return fmt.Sprintf("%s %s went from %s to %s", whose, c.Field, short(c.Before), short(c.After))
}

// written is the last step, up to one, that changed a field of a node; 0 where none did, or the node went down since.
func (s *scene) written(id model.NodeID, field string, until int) int {
	for step := min(until, len(s.run.Records)); step > 0; step-- {
		r := s.record(step)
		switch {
		case r.Node != id:
		case r.Move.Kind == model.Restart:
			return 0
		case slices.ContainsFunc(s.changes(step), func(c describe.Change) bool { return c.Field == field }):
			return step
		}
	}
	return 0
}

// dated lists the fields of the state of a node as it was after a step, each with the step that wrote it last.
func (s *scene) dated(id model.NodeID, n model.Node, until int) string {
	var parts []string
	for _, f := range describe.Fields(n, s.name) {
		says := f.Name + " " + short(f.Is)
		if at := s.written(id, f.Name, until); at > 0 {
			says += " (since " + s.step(at) + ")"
		}
		parts = append(parts, says)
	}
	if len(parts) == 0 {
		return "nothing set"
	}
	return listed(parts)
}

// undone says of what changed in a step at a node whether a later step put it back; "" where none did.
func (s *scene) undone(id model.NodeID, step int) string {
	for _, c := range s.changes(step) {
		for later := step + 1; later <= len(s.run.Records); later++ {
			r := s.record(later)
			if r.Node != id {
				continue
			}
			for _, back := range s.changes(later) {
				if back.Field == c.Field && back.After == c.Before {
					return fmt.Sprintf("%s, and at %s (%s) back to %s", went(s.name(id)+"'s", c), s.step(later), s.happens(later), short(c.Before))
				}
			}
		}
	}
	return ""
}

// lastly is the last step that a node took, but for the returns of its operations; 0 where it took none.
func (s *scene) lastly(id int) int {
	for step := len(s.run.Records); step > 0; step-- {
		if r := s.record(step); int(r.Node) == id && r.Move.Kind != model.Return && r.Move.Kind != model.Lose && r.Move.Kind != model.Duplicate {
			return step
		}
	}
	return 0
}

// lately says what a node did last, that has not answered what came to it in a step; where it has done nothing since, what it
// had sent before, if its state was the same behind that.
func (s *scene) lately(id, since int) {
	name := s.d.Lanes[id].Name
	if at := s.lastly(id); at > since {
		if s.spoken[at] && since == 0 {
			return
		}
		if came := s.came(at); came != "" {
			s.sayf("the last step of %s was %s (%s): %s.", name, s.step(at), s.happens(at), came)
		}
		return
	}
	if s.unchanged(since) {
		return
	}
	var parts []string
	for step := since - 1; step > 0 && len(parts) < 2; step-- {
		r := s.record(step)
		if int(r.Node) != id || len(r.Sent) == 0 {
			continue
		}
		if !s.unchanged(step) {
			break
		}
		parts = append(parts, fmt.Sprintf("it had sent %s at %s (%s)", s.sentAt(id, step), s.step(step), s.happens(step)))
	}
	if slices.Reverse(parts); len(parts) > 0 {
		s.sayf("what %s did before changed nothing in its state: %s.", name, apart(parts))
	}
}

// sentAt lists what a node sent in a step.
func (s *scene) sentAt(id, step int) string {
	var parts []string
	for _, a := range s.d.Arrows {
		if a.From == id && a.Sent == step && a.Fate != draw.Forged {
			parts = append(parts, fmt.Sprintf("%s to %s", short(a.Label), s.d.Lanes[a.To].Name))
		}
	}
	return listed(parts)
}

// untold says which of those that a node has asked, or heard from, has come to have its name in its state since it sent it
// anything: it may be that it had to tell it.
func (s *scene) untold(id int) {
	named := regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(s.d.Lanes[id].Name) + `($|[^\pL\pN])`)
	names := func(text string) int { return len(named.FindAllString(text, -1)) }
	for z, lane := range s.d.Lanes {
		if z == id || s.run.World.Standing(model.NodeID(z)).Down {
			continue
		}
		last := s.lastTo(z, id)
		if last == 0 && !s.askedBy(id)[z] {
			continue
		}
		for step := len(s.run.Records); step > last; step-- {
			r := s.record(step)
			if int(r.Node) != z || r.Move.Kind != model.Deliver || r.Move.Event.From == model.NodeID(id) {
				continue
			}
			if i := slices.IndexFunc(s.changes(step), func(c describe.Change) bool { return names(c.After) > names(c.Before) }); i >= 0 {
				s.mainf("%s has sent %s nothing%s, though at %s (%s) %s.", lane.Name, s.d.Lanes[id].Name, s.sinceThen(last), s.step(step), s.happens(step), went("its", s.changes(step)[i]))
				break
			}
		}
	}
}

// lastTo is the last step in which a node sent another something; 0 where it did in none.
func (s *scene) lastTo(from, to int) (last int) {
	for _, a := range s.d.Arrows {
		if a.From == from && a.To == to && a.Fate != draw.Forged {
			last = max(last, a.Sent)
		}
	}
	return last
}

func (s *scene) sinceThen(step int) string {
	if step == 0 {
		return ""
	}
	return " since " + s.step(step)
}

// unheeded lists what came to some nodes, behind a step and before another, and of which nothing came, unless that was said:
// messages, alarms, and reports of crashes.
func (s *scene) unheeded(nodes map[int]bool, from, to int) {
	var parts []string
	for step := from + 1; step < to; step++ {
		if nodes[int(s.record(step).Node)] && s.quiet(step) && !s.vain[step] {
			if what := s.input(step); what != "" {
				parts = append(parts, fmt.Sprintf("%s (%s)", what, s.step(step)))
				s.vain[step] = true
			}
		}
	}
	if len(parts) > 0 {
		s.mainf("nothing came of %s.", listed(parts))
	}
}

// input names what came to a node in a step; "" of what it was not up to the node to react to.
func (s *scene) input(step int) string {
	r := s.record(step)
	name, e := s.name(r.Node), r.Move.Event
	switch r.Move.Kind {
	case model.Deliver:
		return fmt.Sprintf("%s of %s at %s", s.value(e.Value), s.name(e.From), name)
	case model.Timeout:
		return fmt.Sprintf("the alarm %s of %s", s.value(e.Value), name)
	case model.Suspect:
		return fmt.Sprintf("the report to %s that %s is down", name, s.value(e.Value))
	}
	return ""
}

// calledOff says of a node that has no alarm set which of its alarms was called off last, and not set again.
func (s *scene) calledOff(id int) {
	for _, e := range s.run.World.Pending() {
		if int(e.Node) == id && e.Kind == model.Timeout {
			return
		}
	}
	for step := len(s.run.Records); step > 0; step-- {
		r := s.record(step)
		if int(r.Node) != id {
			continue
		}
		if len(r.Armed) > 0 {
			return
		}
		for _, e := range r.Gone {
			if e.Kind != model.Timeout || int(e.Node) != id {
				continue
			}
			if r.Move.Kind == model.Deliver || r.Move.Kind == model.Timeout { // else it went down with it
				s.mainf("%s called off its alarm %s, set at %s, at %s (%s).", s.d.Lanes[id].Name, s.value(e.Value), s.step(e.BornStep), s.step(step), s.happens(step))
			}
			return
		}
	}
}

// unmoved says of a node that waits, though it runs no operation, what it got last, or that it got nothing; and who noted what
// it has not, and told nobody.
func (s *scene) unmoved(id int) {
	name, last := s.d.Lanes[id].Name, draw.Arrow{End: -1}
	for _, a := range s.d.Arrows {
		if a.To == id && a.From != id && arrives(a) {
			last = a
		}
	}
	switch came := s.came(max(last.End, 0)); {
	case last.End < 0:
		s.mainf("no message of another has come to %s.", name)
	case came != "":
		s.sayf("the last that came to %s was %s of %s, at %s: %s.", name, short(last.Label), s.d.Lanes[last.From].Name, s.step(last.End), came)
	}
	for _, o := range slices.Backward(s.seen) {
		if o.Kind != model.Noted || int(o.Node) == id || s.run.World.Standing(o.Node).Down {
			continue
		}
		if _, is := s.lastLike(model.NodeID(id), o); is {
			continue
		}
		if s.sentAt(int(o.Node), o.step) == "" {
			s.mainf("%s noted %s at %s, and sent nothing then.", s.name(o.Node), s.value(o.Value), s.step(o.step))
		}
		return
	}
}

// consumed says who took the last message of the run and sent nothing.
func (s *scene) consumed() {
	for step := len(s.run.Records); step > 0; step-- {
		r := s.record(step)
		if r.Move.Kind == model.Forge {
			return
		}
		if r.Move.Kind != model.Deliver {
			continue
		}
		if came := s.came(step); len(r.Sent) == 0 && came != "" && !s.spoken[step] {
			s.mainf("the last message that anybody got was %s of %s, to %s at %s: %s.", s.value(r.Move.Event.Value), s.name(r.Move.Event.From), s.name(r.Node), s.step(step), came)
			if s.lastly(int(r.Node)) > step {
				s.lately(int(r.Node), step)
			}
		}
		return
	}
}
