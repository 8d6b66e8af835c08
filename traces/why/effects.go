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

// quiet reports whether a step had no effect: its handler did not change the state, send, note, return, or set
// or cancel an alarm or a hold.
func (s *scene) quiet(step int) bool {
	r := s.record(step)
	return r != nil && len(r.Sent)+len(r.Observations)+len(r.Armed)+len(r.Holds)+len(r.Gone) == 0 && s.unchanged(step) && !s.returned(step)
}

// returned reports whether an operation was returned in a step. Its application may see the result later, or
// never if the node crashes.
func (s *scene) returned(step int) bool {
	returns := func(e *world.Event) bool { return e != nil && e.Kind == model.Return && e.BornStep == step }
	return slices.ContainsFunc(s.run.World.Pending(), returns) || slices.ContainsFunc(s.run.Records, func(r world.Record) bool {
		return returns(r.Move.Event) || slices.ContainsFunc(r.Gone, returns)
	})
}

// unchanged reports whether the state of the node of a step is known and is equal before and after the step.
func (s *scene) unchanged(step int) bool {
	r := s.record(step)
	if r == nil || r.Before == nil || r.After == nil {
		return false
	}
	if _, ok := r.After.(describe.Teller); ok {
		return false // a Teller may describe its state in part only
	}
	c := s.run.World.Codec
	return string(c.Node(r.Before, nil)) == string(c.Node(r.After, nil))
}

// changes returns the changes of the state in a step.
func (s *scene) changes(step int) []describe.Change {
	r := s.record(step)
	return describe.Diff(r.Before, r.After, s.name)
}

// mostChanges is the largest number of changes that a sentence on a step lists.
const mostChanges = 2

// effect returns a clause on the effect of a step at its node: changes and sent messages; "" if neither is
// known.
func (s *scene) effect(step int) string {
	r := s.record(step)
	if r == nil {
		return ""
	}
	if s.quiet(step) {
		s.quietSteps[step] = true
		return "nothing came of it"
	}
	name, sent := s.name(r.Node), s.describeSends(int(r.Node), step)
	var changed []string
	for _, c := range s.changes(step) {
		if len(changed) < mostChanges {
			changed = append(changed, describeChange(name+"'s", c))
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

// describeChange returns a clause on the change of a field.
func describeChange(whose string, c describe.Change) string {
	return fmt.Sprintf("%s %s went from %s to %s", whose, c.Field, short(c.Before), short(c.After))
}

// lastWrite returns the last step, up to until, that changed a field of a node; 0 if there is none since the
// node's last restart.
func (s *scene) lastWrite(id model.NodeID, field string, until int) int {
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

// describeFields lists the fields of a state, each with the last step that changed it.
func (s *scene) describeFields(id model.NodeID, n model.Node, until int) string {
	var parts []string
	for _, f := range describe.Fields(n, s.name) {
		text := f.Name + " " + short(f.Is)
		if step := s.lastWrite(id, f.Name, until); step > 0 {
			text += " (since " + s.step(step) + ")"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "nothing set"
	}
	return listed(parts)
}

// describeUndo returns a clause if a later step reverted a change of the given step, or "".
func (s *scene) describeUndo(id model.NodeID, step int) string {
	for _, c := range s.changes(step) {
		for later := step + 1; later <= len(s.run.Records); later++ {
			r := s.record(later)
			if r.Node != id {
				continue
			}
			for _, back := range s.changes(later) {
				if back.Field == c.Field && back.After == c.Before {
					return fmt.Sprintf("%s, and at %s (%s) back to %s", describeChange(s.name(id)+"'s", c), s.step(later), s.eventText(later), short(c.Before))
				}
			}
		}
	}
	return ""
}

// lastStep returns the last step of a node, except returns of operations; 0 if there is none.
func (s *scene) lastStep(id int) int {
	for step := len(s.run.Records); step > 0; step-- {
		if r := s.record(step); int(r.Node) == id && r.Move.Kind != model.Return && r.Move.Kind != model.Lose && r.Move.Kind != model.Duplicate {
			return step
		}
	}
	return 0
}

// explainLastStep adds the last step of a node that has not answered the message of step since. If since is its
// last step, the messages that it sent before are added, provided that its state has not changed.
func (s *scene) explainLastStep(id, since int) {
	name := s.d.Lanes[id].Name
	if last := s.lastStep(id); last > since {
		if s.named[last] && since == 0 {
			return
		}
		if effect := s.effect(last); effect != "" {
			s.sayf("the last step of %s was %s (%s): %s.", name, s.step(last), s.eventText(last), effect)
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
		parts = append(parts, fmt.Sprintf("it had sent %s at %s (%s)", s.describeSends(id, step), s.step(step), s.eventText(step)))
	}
	if slices.Reverse(parts); len(parts) > 0 {
		s.sayf("what %s did before changed nothing in its state: %s.", name, semicolons(parts))
	}
}

// describeSends lists the messages that a node sent in a step.
func (s *scene) describeSends(id, step int) string {
	var parts []string
	for _, a := range s.d.Arrows {
		if a.From == id && a.Sent == step && a.Fate != draw.Forged {
			parts = append(parts, fmt.Sprintf("%s to %s", short(a.Label), s.d.Lanes[a.To].Name))
		}
	}
	return listed(parts)
}

// explainOmission adds nodes whose state came to contain the name of node id after their last message to it:
// perhaps they should have sent another.
func (s *scene) explainOmission(id int) {
	named := regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(s.d.Lanes[id].Name) + `($|[^\pL\pN])`)
	names := func(text string) int { return len(named.FindAllString(text, -1)) }
	for z, lane := range s.d.Lanes {
		if z == id || s.run.World.Status(model.NodeID(z)).Down {
			continue
		}
		last := s.lastSend(z, id)
		if last == 0 && !s.requested(id)[z] {
			continue
		}
		for step := len(s.run.Records); step > last; step-- {
			r := s.record(step)
			if int(r.Node) != z || r.Move.Kind != model.Deliver || r.Move.Event.From == model.NodeID(id) {
				continue
			}
			if i := slices.IndexFunc(s.changes(step), func(c describe.Change) bool { return names(c.After) > names(c.Before) }); i >= 0 {
				s.mainf("%s has sent %s nothing%s, though at %s (%s) %s.", lane.Name, s.d.Lanes[id].Name, s.sinceThen(last), s.step(step), s.eventText(step), describeChange("its", s.changes(step)[i]))
				break
			}
		}
	}
}

// lastSend returns the last step in which a node sent a message to another; 0 if there is none.
func (s *scene) lastSend(from, to int) (last int) {
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

// explainIgnored adds the messages, alarms and crash reports without effect at some nodes, in the steps between
// from and to. It omits steps that a sentence has named as such.
func (s *scene) explainIgnored(nodes map[int]bool, from, to int) {
	var parts []string
	for step := from + 1; step < to; step++ {
		if nodes[int(s.record(step).Node)] && s.quiet(step) && !s.quietSteps[step] {
			if what := s.input(step); what != "" {
				parts = append(parts, fmt.Sprintf("%s (%s)", what, s.step(step)))
				s.quietSteps[step] = true
			}
		}
	}
	if len(parts) > 0 {
		s.mainf("nothing came of %s.", listed(parts))
	}
}

// input returns a phrase for the input of a step; "" if the step is not the node's reaction to one.
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

// explainCanceled adds the alarm that a node canceled last, if it has set none since.
func (s *scene) explainCanceled(id int) {
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
			if r.Move.Kind == model.Deliver || r.Move.Kind == model.Timeout { // otherwise a crash canceled the alarm
				s.mainf("%s called off its alarm %s, set at %s, at %s (%s).", s.d.Lanes[id].Name, s.value(e.Value), s.step(e.BornStep), s.step(step), s.eventText(step))
			}
			return
		}
	}
}

// explainIdle adds the last message that arrived at a node without an operation. It also adds a node that
// noted a value that this node has not noted, and sent nothing then.
func (s *scene) explainIdle(id int) {
	name, last := s.d.Lanes[id].Name, draw.Arrow{End: -1}
	for _, a := range s.d.Arrows {
		if a.To == id && a.From != id && arrives(a) {
			last = a
		}
	}
	switch effect := s.effect(max(last.End, 0)); {
	case last.End < 0:
		s.mainf("no message of another has come to %s.", name)
	case effect != "":
		s.sayf("the last that came to %s was %s of %s, at %s: %s.", name, short(last.Label), s.d.Lanes[last.From].Name, s.step(last.End), effect)
	}
	for _, o := range slices.Backward(s.seen) {
		if o.Kind != model.Noted || int(o.Node) == id || s.run.World.Status(o.Node).Down {
			continue
		}
		if _, ok := s.lastLike(model.NodeID(id), o); ok {
			continue
		}
		if s.describeSends(int(o.Node), o.step) == "" {
			s.mainf("%s noted %s at %s, and sent nothing then.", s.name(o.Node), s.value(o.Value), s.step(o.step))
		}
		return
	}
}

// explainLastMessage adds the last message of the run, if its receiver sent nothing.
func (s *scene) explainLastMessage() {
	for step := len(s.run.Records); step > 0; step-- {
		r := s.record(step)
		if r.Move.Kind == model.Forge {
			return
		}
		if r.Move.Kind != model.Deliver {
			continue
		}
		if effect := s.effect(step); len(r.Sent) == 0 && effect != "" && !s.named[step] {
			s.mainf("the last message that anybody got was %s of %s, to %s at %s: %s.", s.value(r.Move.Event.Value), s.name(r.Move.Event.From), s.name(r.Node), s.step(step), effect)
			if s.lastStep(int(r.Node)) > step {
				s.explainLastStep(int(r.Node), step)
			}
		}
		return
	}
}
