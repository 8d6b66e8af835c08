package why

import (
	"reflect"
	"slices"

	"contend/model"
	"contend/traces/draw"
)

// began returns the step in which a node invoked its last operation before an observation; 0 if there is none.
func (s *scene) began(o observation) int {
	for step := o.step; step > 0; step-- {
		if r := s.record(step); r.Move.Kind == model.Invoke && r.Node == o.Node {
			return step
		}
	}
	return 0
}

// invocation returns the step in which a node invoked its last operation; 0 if there is none.
func (s *scene) invocation(id model.NodeID) int {
	return s.began(observation{Observation: model.Observation{Node: id}, step: len(s.run.Records)})
}

// runs reports whether a node is up and its operation has not returned.
func (s *scene) runs(id int) bool {
	return s.run.World.Status(model.NodeID(id)).Runs // false for a node that is down or Byzantine
}

// caused returns the step whose handler caused an observation. An operation was returned in that step, and its
// application may see the result later.
func (s *scene) caused(o observation) int {
	if r := s.record(o.step); o.Kind == model.Returned && r != nil && r.Move.Kind == model.Return {
		return r.Move.Event.BornStep
	}
	return o.step
}

// lastMessages returns the last message from each node that arrived during the operation of an observation. It omits
// messages of the kinds that began the operation.
func (s *scene) lastMessages(o observation) map[int]draw.Arrow {
	last := map[int]draw.Arrow{}
	from, to := s.began(o), s.caused(o)
	requests := s.kinds(int(o.Node), from)
	for _, a := range s.d.Arrows {
		if a.To == int(o.Node) && arrives(a) && a.End > from && a.End <= to && !requests[kind(a.Value)] {
			last[a.From] = a
		}
	}
	return last
}

// received reports whether any message arrived during the operation of an observation.
func (s *scene) received(o observation) bool {
	from, to := s.began(o), s.caused(o)
	return slices.ContainsFunc(s.d.Arrows, func(a draw.Arrow) bool {
		return a.To == int(o.Node) && arrives(a) && a.End > from && a.End <= to
	})
}

// arrives reports whether a node receives the message.
func arrives(a draw.Arrow) bool {
	switch a.Fate {
	case draw.Arrived, draw.Doubled, draw.Repeated, draw.Forged:
		return true
	}
	return false
}

// requests returns the last message of a node's operation to each other node, and the messages that were
// lost. A message to a node with its own operations may be an answer. So to such nodes only messages of the
// kinds that began the operation count.
func (s *scene) requests(id int) []draw.Arrow {
	last := map[int]draw.Arrow{}
	since := s.invocation(model.NodeID(id))
	kinds := s.kinds(id, since)
	for _, a := range s.d.Arrows {
		peer := len(s.run.World.System.Nodes[a.To].Script) > 0
		if a.From != id || a.Sent < since || peer && len(kinds) > 0 && !kinds[kind(a.Value)] {
			continue
		}
		if old, ok := last[a.To]; !ok || a.Sent >= old.Sent {
			last[a.To] = a
		}
	}
	var all []draw.Arrow
	for to := range s.d.Lanes {
		if a, ok := last[to]; ok {
			all = append(all, a)
		}
	}
	return append(all, s.lostOf(id, since, all)...)
}

// lostOf returns the messages of a node that were lost since a step, except the messages of a list.
func (s *scene) lostOf(id, since int, some []draw.Arrow) (all []draw.Arrow) {
	for _, a := range s.d.Arrows {
		known := slices.ContainsFunc(some, func(b draw.Arrow) bool { return a.To == b.To && a.Sent == b.Sent && a.Label == b.Label })
		if a.From == id && a.Sent >= since && a.Fate == draw.Lost && !known {
			all = append(all, a)
		}
	}
	return all
}

// mostInside is the number of types in a kind.
const mostInside = 4

// kind returns a key for the purpose of a message: its type with the types in its interface fields, or the text
// of a string.
func kind(message any) any {
	if text, ok := message.(string); ok {
		return text
	}
	all := [mostInside]any{reflect.TypeOf(message)}
	if v := reflect.ValueOf(message); v.Kind() == reflect.Struct {
		n := 1
		for _, field := range v.Fields() {
			if field.Kind() == reflect.Interface && field.CanInterface() && n < len(all) {
				all[n] = kind(field.Interface())
				n++
			}
		}
	}
	return all
}

// kinds returns the kinds of the messages that a node sent in a step.
func (s *scene) kinds(id, step int) map[any]bool {
	kinds := map[any]bool{}
	for _, a := range s.d.Arrows {
		if a.From == id && a.Sent == step && step > 0 {
			kinds[kind(a.Value)] = true
		}
	}
	return kinds
}

// replies returns the messages that the receiver of a message has sent back since its arrival. A message that
// begins an operation of the receiver is no reply.
func (s *scene) replies(a draw.Arrow) (all []draw.Arrow) {
	if !arrives(a) {
		return nil
	}
	for _, b := range s.d.Arrows {
		if b.From != a.To || b.To != a.From || b.Sent < a.End || b.From == b.To && b.Label == a.Label {
			continue
		}
		if r := s.record(b.Sent); r != nil && r.Move.Kind == model.Invoke && b.From != b.To {
			continue
		}
		all = append(all, b)
	}
	return all
}

// answer returns the last of the replies to a message that have arrived. If none has, it returns the first
// reply.
func (s *scene) answer(a draw.Arrow) (answer draw.Arrow, ok bool) {
	for _, b := range s.replies(a) {
		if !ok || arrives(b) {
			answer, ok = b, true
		}
	}
	return answer, ok
}
