package page

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces/replay"
)

// Parts has the content of a page apart from the drawing. It is plain data, so a trace can store it.
type Parts struct {
	Claims []claim  `json:"claims,omitempty"` // the monitored ones and the violated one
	First  []state  `json:"first"`            // of each node in the initial state
	After  []*state `json:"after"`            // of each step's node; nil if the step does not set it
}

// NewParts returns the parts of a run.
func NewParts(run *replay.Run) (p Parts) {
	for _, name := range claimNames(run) {
		c := newClaim(run, name)
		statement, _ := run.World.Claim(name)
		c.Goal, c.Turns = statement.HasGoal(), run.Turns[name]
		p.Claims = append(p.Claims, c)
	}
	for _, n := range run.First() {
		p.First = append(p.First, newState(run, n))
	}
	for _, r := range run.Records {
		p.After = append(p.After, nextState(run, r))
	}
	return p
}

// claimNames returns the monitored claims and the violated one: that no handler fails is never monitored.
func claimNames(run *replay.Run) []string {
	broken := run.Trace.Claim
	if broken == "" || slices.Contains(run.Watched, broken) {
		return run.Watched
	}
	return append(slices.Clone(run.Watched), broken)
}

// newClaim returns a claim with its first violation.
func newClaim(run *replay.Run, name string) claim {
	for _, v := range run.World.Violations {
		if v.Claim == name {
			return claim{Name: name, Step: v.Step, Text: short(v.Text)}
		}
	}
	if name == run.Trace.Claim {
		c := claim{Name: name, Step: len(run.Records), Text: short(strings.TrimSpace("its goal is not reached: " + run.Trace.Text))}
		if after, known := run.Trace.NoReturn.Point(); known {
			c.Step, c.Inevitable = after, inevitableText(after, run.Trace.NoReturn.AtLatest)
		}
		return c
	}
	return claim{Name: name, Step: -1}
}

// inevitableText returns a text for the step from which a violation is inevitable.
func inevitableText(step int, atLatest bool) string {
	switch {
	case step == 0:
		return "inevitable from the start"
	case atLatest:
		return fmt.Sprintf("inevitable since step %d at the latest", step)
	}
	return fmt.Sprintf("inevitable since step %d", step)
}

// String returns the state in a line, or "" if no field is set.
func (s state) String() string {
	if s.Down {
		return "down"
	}
	var all []string
	for _, f := range s.Fields {
		all = append(all, f.Name+": "+f.Is)
	}
	return strings.Join(all, "; ")
}

// Texts returns the fields by name, or nil if the node is down.
func (s state) Texts() map[string]string {
	if s.Down {
		return nil
	}
	texts := map[string]string{}
	for _, f := range s.Fields {
		texts[f.Name] = f.Is
	}
	return texts
}

// nextState returns the state of a record's node after it, or nil if the step does not set it.
func nextState(run *replay.Run, r world.Record) *state {
	switch {
	case r.Move.Kind == model.Crash || r.Move.Kind == model.Stop:
		return &state{Down: true}
	case r.After != nil:
		is := newState(run, r.After)
		return &is
	}
	return nil
}

// newState returns the state of a node. It is empty if n is nil.
func newState(run *replay.Run, n model.Node) (is state) {
	if n == nil {
		return is
	}
	for _, f := range describe.Fields(n, run.World.System.Name) {
		is.Fields = append(is.Fields, field{f.Name, short(f.Is)})
	}
	return is
}
