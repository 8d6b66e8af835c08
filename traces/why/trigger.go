package why

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces/draw"
)

// explainTrigger adds the message or event on which a node acted in an observation.
func (s *scene) explainTrigger(o observation) {
	step := s.caused(o)
	r := s.record(step)
	if r == nil {
		return
	}
	for _, a := range s.d.Arrows {
		if a.End == step && a.To == int(o.Node) && arrives(a) {
			s.sayf("%s does so on %s from %s, which was sent at %s%s.", s.name(o.Node), short(a.Label), s.d.Lanes[a.From].Name, s.step(a.Sent), s.describeForward(a))
			return
		}
	}
	if o.Kind != model.Invoked {
		s.sayf("%s does so when %s (%s).", s.name(o.Node), s.occasion(r.Move), s.step(step))
		if r.Move.Kind == model.Timeout {
			s.explainIgnored(map[int]bool{int(o.Node): true}, r.Move.Event.BornStep, step)
		}
	}
}

// describeForward returns a clause if the sender of a message forwarded it in the step in which it received it,
// or "".
func (s *scene) describeForward(a draw.Arrow) string {
	for _, b := range s.d.Arrows {
		if b.To == a.From && b.End == a.Sent && arrives(b) && b.Label == a.Label {
			return fmt.Sprintf(", just as it had come from %s", s.d.Lanes[b.From].Name)
		}
	}
	return ""
}

// occasion returns a clause on an event that ran a handler, other than a message.
func (s *scene) occasion(m world.Move) string {
	switch m.Kind {
	case model.Timeout:
		return "its alarm " + s.value(m.Event.Value) + " fires"
	case model.Invoke:
		return "its application invokes " + s.value(m.Event.Value)
	case model.Suspect:
		return "it is told that " + s.value(m.Event.Value) + " is down"
	case model.Trust:
		return "it is told that " + s.value(m.Event.Value) + " is up"
	case model.Mistake:
		return "it is told, wrongly, that " + s.value(m.Value) + " is down"
	case model.Restart:
		return "it is back"
	case model.Crash, model.Stop:
		return "it crashes"
	}
	return "this happens: " + m.Kind.String()
}

// explainInFlight adds the messages that were in flight to a node at an observation. If an alarm caused the
// observation, it also adds those from the node.
func (s *scene) explainInFlight(o observation) {
	now := s.caused(o)
	if len(s.run.World.System.Nodes[o.Node].Script) == 0 && !s.peers() {
		return // a server receives many unrelated messages
	}
	if to := s.inFlight(now, func(a draw.Arrow) bool { return a.To == int(o.Node) }); len(to) > 0 {
		s.sayf("what had not reached %s by then: %s.", s.name(o.Node), semicolons(to))
	}
	if r := s.record(now); r == nil || r.Move.Kind != model.Timeout {
		return
	}
	s.explainUnanswered(o.Node, now)
	if from := s.inFlight(now, func(a draw.Arrow) bool { return a.From == int(o.Node) }); len(from) > 0 {
		s.sayf("what %s had sent and had not arrived: %s.", s.name(o.Node), semicolons(from))
	}
}

// peers reports whether all nodes have one role.
func (s *scene) peers() bool {
	nodes := s.run.World.System.Nodes
	return !slices.ContainsFunc(nodes, func(n model.NodeSpec) bool { return n.Role != nodes[0].Role })
}

// explainUnanswered adds the messages of a node that had arrived and were not answered before a step.
func (s *scene) explainUnanswered(id model.NodeID, now int) {
	var parts []string
	for _, a := range s.d.Arrows {
		if a.From != int(id) || a.To == int(id) || !arrives(a) || a.End >= now {
			continue
		}
		if !slices.ContainsFunc(s.replies(a), func(b draw.Arrow) bool { return b.Sent < now }) {
			parts = append(parts, fmt.Sprintf("%s got its %s at %s", s.d.Lanes[a.To].Name, short(a.Label), s.step(a.End)))
		}
	}
	if len(parts) > 0 {
		s.sayf("%s and had not answered by then.", listed(parts))
	}
}

// inFlight lists the messages that match, were sent before a step, and had not arrived then.
func (s *scene) inFlight(now int, match func(draw.Arrow) bool) (parts []string) {
	for _, a := range s.d.Arrows {
		lost := a.Fate == draw.Lost && a.End < now
		if a.From == a.To || a.Sent >= now || a.End <= now && !lost && a.Fate != draw.InFlight || !match(a) {
			continue
		}
		text := fmt.Sprintf("%s of %s to %s, sent at %s", short(a.Label), s.d.Lanes[a.From].Name, s.d.Lanes[a.To].Name, s.step(a.Sent))
		if lost {
			text += " and lost at " + s.step(a.End)
		}
		parts = append(parts, text)
	}
	return parts
}
