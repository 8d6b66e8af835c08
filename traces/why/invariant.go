package why

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/traces/draw"
)

// together explains an invariant that does not hold: by the nodes whose states break it between
// them, and by the step that did.
func (s *scene) together() {
	step, trouble := s.broke()
	if step < 0 {
		return
	}
	nodes, states := s.breakers(step)
	var parts []string
	if came := s.came(step); came != "" {
		s.sayf("after %s (%s): %s; %s.", s.when(step), s.happens(step), trouble, came)
	} else {
		s.sayf("after %s: %s.", s.when(step), trouble)
	}
	fields := s.fields(nodes, states)
	for _, id := range nodes {
		parts = append(parts, fmt.Sprintf("%s has %s", s.name(id), s.among(states[id], fields[id])))
	}
	if len(parts) > 0 {
		s.mainf("%s.", apart(parts))
	}
	var came []observation
	for _, id := range nodes {
		came = append(came, observation{Observation: model.Observation{Kind: model.Returned, Node: id}, step: s.changedBy(id, step, fields[id])})
	}
	if len(came) == 2 {
		s.granted(came[0], came[1])
	}
}

// granted says who answered both of two nodes, and reports whether somebody did and told both the same.
func (s *scene) granted(one, other observation) bool {
	first, second := s.heard(one), s.heard(other)
	who, found := s.answeredBoth(first, second)
	if found = found && s.same(first[who], second[who]); found {
		one.Kind, other.Kind = model.Returned, model.Returned // what a node noted, or has, it went on to
		s.both(one, other)
	}
	return found
}

// fields finds those fields of the states that matter: with one of them empty the invariant holds,
// or is broken in another way. One after another is emptied that does not matter. What a node tells of itself may be none of
// its fields.
func (s *scene) fields(nodes []model.NodeID, states []model.Node) map[model.NodeID][]string {
	matter := map[model.NodeID][]string{}
	least := make([]model.Node, len(states))
	says := func() string {
		if _, err := guard.Invariant(s.claim, least); err != nil { // one that panics says nothing
			return err.Error()
		}
		return ""
	}
	for _, id := range nodes {
		least[id] = s.run.World.Codec.Fresh(states[id])
	}
	whole := says()
	for _, id := range nodes {
		if _, tells := states[id].(describe.Teller); tells {
			continue
		}
		for _, f := range describe.Fields(states[id], s.name) {
			was, emptied := least[id], s.run.World.Codec.Fresh(least[id])
			field := fieldOf(emptied, f.Name)
			if !field.IsValid() { // two nodes within it have a field of this name
				continue
			}
			field.SetZero()
			if least[id] = emptied; says() != whole {
				least[id] = was
				matter[id] = append(matter[id], f.Name)
			}
		}
	}
	return matter
}

// fieldOf is the field of a node of a name as [describe.Fields] gives it.
func fieldOf(n model.Node, name string) reflect.Value {
	v := reflect.ValueOf(n).Elem()
	for part := range strings.SplitSeq(name, ".") {
		if v = v.FieldByName(part); !v.IsValid() {
			break
		}
	}
	return v
}

// among lists the fields of a state that have these names; all where there are none.
func (s *scene) among(n model.Node, names []string) string {
	var parts []string
	for _, f := range describe.Fields(n, s.name) {
		if slices.Contains(names, f.Name) {
			parts = append(parts, f.Name+" "+short(f.Is))
		}
	}
	if len(parts) == 0 {
		return s.state(n)
	}
	return listed(parts)
}

// broke is the step after which the claim is broken first, and what is wrong then, as the claim has it; -1 where it is not broken.
func (s *scene) broke() (step int, trouble string) {
	for _, v := range s.run.World.Violations {
		if v.Claim == s.run.Trace.Claim {
			return v.Step, v.Text
		}
	}
	return -1, ""
}

// breakers leaves out node after node, as if it were down, while the invariant does not hold
// still. The states are those at the end of the run, which ends where the invariant breaks.
func (s *scene) breakers(step int) (nodes []model.NodeID, states []model.Node) {
	for i := range s.d.Lanes {
		states = append(states, s.run.World.Standing(model.NodeID(i)).State)
	}
	broken := func(all []model.Node) bool {
		_, err := guard.Invariant(s.claim, all)
		return err != nil
	}
	least := slices.Clone(states)
	if step != len(s.run.Records) || !broken(least) {
		return nil, states
	}
	for i := range least {
		was := least[i]
		if least[i] = nil; !broken(least) {
			least[i] = was
		}
	}
	for i, n := range least {
		if n != nil {
			nodes = append(nodes, model.NodeID(i))
		}
	}
	return nodes, states
}

// state lists the fields of a state that say something.
func (s *scene) state(n model.Node) string {
	var parts []string
	for _, f := range describe.Fields(n, s.name) {
		if strings.HasPrefix(f.Is, f.Name+"{") { // its type says it
			parts = append(parts, f.Is)
		} else {
			parts = append(parts, f.Name+" "+short(f.Is))
		}
	}
	if len(parts) == 0 {
		return "nothing set"
	}
	return listed(parts)
}

// origin says when the message was sent that arrives in a step; "" where none does.
func (s *scene) origin(step int) string {
	for _, a := range s.d.Arrows {
		if a.End == step && arrives(a) && a.Fate != draw.Forged {
			return fmt.Sprintf(", sent at %s (%s)", s.step(a.Sent), s.happens(a.Sent))
		}
	}
	return ""
}

// changedBy says when a node came to have what it has in some fields, or in all if none are named. It
// returns the step, 0 where there is none.
func (s *scene) changedBy(id model.NodeID, until int, names []string) int {
	for step := until; step > 0; step-- {
		r := s.record(step)
		if r.Node == id && r.After != nil && slices.ContainsFunc(describe.Diff(r.Before, r.After, s.name), func(c describe.Change) bool { return len(names) == 0 || slices.Contains(names, c.Field) }) {
			s.sayf("%s came to that at %s (%s)%s.", s.name(id), s.step(step), s.happens(step), s.origin(step))
			return step
		}
	}
	return 0
}
