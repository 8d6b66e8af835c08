package why

import (
	"reflect"
	"slices"

	"contend/model"
	"contend/traces/draw"
)

// began is the step in which a node invoked its last operation before an observation; 0 where it
// had invoked none.
func (s *scene) began(o observation) int {
	for step := o.step; step > 0; step-- {
		if r := s.record(step); r.Move.Kind == model.Invoke && r.Node == o.Node {
			return step
		}
	}
	return 0
}

// since is the step in which a node invoked its last operation.
func (s *scene) since(id model.NodeID) int {
	return s.began(observation{Observation: model.Observation{Node: id}, step: len(s.run.Records)})
}

// runs reports whether a node is up, and its operation has not returned.
func (s *scene) runs(id int) bool {
	return s.run.World.Standing(model.NodeID(id)).Runs // a node that is down or Byzantine runs none
}

// caused is the step whose handler an observation comes from: that in which an operation was
// returned, which its application may see later.
func (s *scene) caused(o observation) int {
	if r := s.record(o.step); o.Kind == model.Returned && r != nil && r.Move.Kind == model.Return {
		return r.Move.Event.BornStep
	}
	return o.step
}

// heard is what arrived last from each node, at the node of an observation, from the beginning of
// its operation to what caused the observation; but for requests such as its own.
func (s *scene) heard(o observation) map[int]draw.Arrow {
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

// requested reports whether anything arrived at the node of an observation since its operation began.
func (s *scene) requested(o observation) bool {
	from, to := s.began(o), s.caused(o)
	return slices.ContainsFunc(s.d.Arrows, func(a draw.Arrow) bool {
		return a.To == int(o.Node) && arrives(a) && a.End > from && a.End <= to
	})
}

// arrives reports whether somebody takes the message.
func arrives(a draw.Arrow) bool {
	switch a.Fate {
	case draw.Arrived, draw.Doubled, draw.Repeated, draw.Forged:
		return true
	}
	return false
}

// asked are the last messages that a node has sent to each other since its operation began. To a
// node that may ask itself others are sent as well, in answer: there only those count that are of
// the kinds with which the operation began.
func (s *scene) asked(id int) []draw.Arrow {
	last := map[int]draw.Arrow{}
	since := s.since(model.NodeID(id))
	kinds := s.kinds(id, since)
	for _, a := range s.d.Arrows {
		peer := len(s.run.World.System.Nodes[a.To].Script) > 0
		if a.From != id || a.Sent < since || peer && len(kinds) > 0 && !kinds[kind(a.Value)] {
			continue
		}
		if old, is := last[a.To]; !is || a.Sent >= old.Sent {
			last[a.To] = a
		}
	}
	var all []draw.Arrow
	for to := range s.d.Lanes {
		if a, is := last[to]; is {
			all = append(all, a)
		}
	}
	return append(all, s.lostOf(id, since, all)...)
}

// lostOf are the messages of a node that were lost since a step, and are none of some.
func (s *scene) lostOf(id, since int, some []draw.Arrow) (all []draw.Arrow) {
	for _, a := range s.d.Arrows {
		known := slices.ContainsFunc(some, func(b draw.Arrow) bool { return a.To == b.To && a.Sent == b.Sent && a.Label == b.Label })
		if a.From == id && a.Sent >= since && a.Fate == draw.Lost && !known {
			all = append(all, a)
		}
	}
	return all
}

// mostInside is of how many values in a message the kind is asked, and of the message.
const mostInside = 4

// kind tells messages apart by what they are for: by their type and, where that leaves it open what is in them, by the
// type of that; but a string by its text.
func kind(message any) any {
	if text, is := message.(string); is {
		return text
	}
	all := [mostInside]any{reflect.TypeOf(message)}
	if is := reflect.ValueOf(message); is.Kind() == reflect.Struct {
		n := 1
		for _, field := range is.Fields() {
			if field.Kind() == reflect.Interface && field.CanInterface() && n < len(all) {
				all[n] = kind(field.Interface())
				n++
			}
		}
	}
	return all
}

// kinds are the kinds of the messages that a node sent in a step.
func (s *scene) kinds(id, step int) map[any]bool {
	kinds := map[any]bool{}
	for _, a := range s.d.Arrows {
		if a.From == id && a.Sent == step && step > 0 {
			kinds[kind(a.Value)] = true
		}
	}
	return kinds
}

// replies are what the receiver of a message has sent back since it arrived. What it sent as it invoked an operation of its own is
// none.
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

// answer is the last reply to a message that arrived, or else the first.
func (s *scene) answer(a draw.Arrow) (answer draw.Arrow, ok bool) {
	for _, b := range s.replies(a) {
		if !ok || arrives(b) {
			answer, ok = b, true
		}
	}
	return answer, ok
}
