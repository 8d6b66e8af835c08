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

// explainInvariant explains an invariant that is violated, by the step that violated it and the nodes whose
// states do together.
func (s *scene) explainInvariant() {
	step, trouble := s.violation()
	if step < 0 {
		return
	}
	nodes, states := s.violators(step)
	var parts []string
	if effect := s.effect(step); effect != "" {
		s.sayf("after %s (%s): %s; %s.", s.when(step), s.eventText(step), trouble, effect)
	} else {
		s.sayf("after %s: %s.", s.when(step), trouble)
	}
	fields := s.relevantFields(nodes, states)
	for _, id := range nodes {
		parts = append(parts, fmt.Sprintf("%s has %s", s.name(id), s.describeRelevant(states[id], fields[id])))
	}
	if len(parts) > 0 {
		s.mainf("%s.", semicolons(parts))
	}
	var effect []observation
	for _, id := range nodes {
		effect = append(effect, observation{Observation: model.Observation{Kind: model.Returned, Node: id}, step: s.explainWrite(id, step, fields[id])})
	}
	if len(effect) == 2 {
		s.explainGrant(effect[0], effect[1])
	}
}

// explainGrant adds the node that sent the same message to two nodes, and reports whether there is one.
func (s *scene) explainGrant(one, other observation) bool {
	first, second := s.lastMessages(one), s.lastMessages(other)
	who, found := s.answeredBoth(first, second)
	if found = found && s.equalMessages(first[who], second[who]); found {
		one.Kind, other.Kind = model.Returned, model.Returned // the nodes went on with noted or stored values
		s.explainPair(one, other)
	}
	return found
}

// relevantFields returns the fields of the states without which the invariant holds, or is violated with
// another text. It clears field after field. States that describe themselves are omitted, since a described
// field may not exist.
func (s *scene) relevantFields(nodes []model.NodeID, states []model.Node) map[model.NodeID][]string {
	matter := map[model.NodeID][]string{}
	least := make([]model.Node, len(states))
	violation := func() string {
		if _, err := guard.Invariant(s.claim, least); err != nil { // an invariant that panics returns no error
			return err.Error()
		}
		return ""
	}
	for _, id := range nodes {
		least[id] = s.run.World.Codec.Fresh(states[id])
	}
	whole := violation()
	for _, id := range nodes {
		if _, ok := states[id].(describe.Teller); ok {
			continue
		}
		for _, f := range describe.Fields(states[id], s.name) {
			was, emptied := least[id], s.run.World.Codec.Fresh(least[id])
			field := fieldOf(emptied, f.Name)
			if !field.IsValid() { // two embedded nodes have a field of this name
				continue
			}
			field.SetZero()
			if least[id] = emptied; violation() != whole {
				least[id] = was
				matter[id] = append(matter[id], f.Name)
			}
		}
	}
	return matter
}

// fieldOf returns the field of a node by its name from [describe.Fields].
func fieldOf(n model.Node, name string) reflect.Value {
	v := reflect.ValueOf(n).Elem()
	for part := range strings.SplitSeq(name, ".") {
		if v = v.FieldByName(part); !v.IsValid() {
			break
		}
	}
	return v
}

// describeRelevant lists the fields of a state that have one of the names; all fields if none has.
func (s *scene) describeRelevant(n model.Node, names []string) string {
	var parts []string
	for _, f := range describe.Fields(n, s.name) {
		if slices.Contains(names, f.Name) {
			parts = append(parts, f.Name+" "+short(f.Is))
		}
	}
	if len(parts) == 0 {
		return s.describeState(n)
	}
	return listed(parts)
}

// violation returns the first step after which the claim is violated, and the text of the violation; -1 if it
// is not.
func (s *scene) violation() (step int, trouble string) {
	for _, v := range s.run.World.Violations {
		if v.Claim == s.run.Trace.Claim {
			return v.Step, v.Text
		}
	}
	return -1, ""
}

// violators returns the nodes whose states violate the invariant together: all other nodes could be down. It
// also returns the states at the end of the run, where the invariant must be violated.
func (s *scene) violators(step int) (nodes []model.NodeID, states []model.Node) {
	for i := range s.d.Lanes {
		states = append(states, s.run.World.Status(model.NodeID(i)).State)
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

// describeState lists the fields of a state that are set.
func (s *scene) describeState(n model.Node) string {
	var parts []string
	for _, f := range describe.Fields(n, s.name) {
		if strings.HasPrefix(f.Is, f.Name+"{") { // the value begins with the name of its type
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

// describeOrigin returns a clause on the sending of the message that arrives in a step, or "".
func (s *scene) describeOrigin(step int) string {
	for _, a := range s.d.Arrows {
		if a.End == step && arrives(a) && a.Fate != draw.Forged {
			return fmt.Sprintf(", sent at %s (%s)", s.step(a.Sent), s.eventText(a.Sent))
		}
	}
	return ""
}

// explainWrite adds the last step, up to until, that changed one of the named fields of a node, or any if none
// is named. It returns the step, or 0.
func (s *scene) explainWrite(id model.NodeID, until int, names []string) int {
	for step := until; step > 0; step-- {
		r := s.record(step)
		if r.Node == id && r.After != nil && slices.ContainsFunc(describe.Diff(r.Before, r.After, s.name), func(c describe.Change) bool { return len(names) == 0 || slices.Contains(names, c.Field) }) {
			s.sayf("%s came to that at %s (%s)%s.", s.name(id), s.step(step), s.eventText(step), s.describeOrigin(step))
			return step
		}
	}
	return 0
}
