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

// Parts are what a page has besides the drawing: plain data, which can be kept with a trace.
type Parts struct {
	Claims []claim  `json:"claims,omitempty"` // those that were watched, and the one that is broken
	First  []state  `json:"first"`            // of each node before the first step
	After  []*state `json:"after"`            // of each step the state of its node; nil where the step does not touch that
}

// PartsOf makes them from a run.
func PartsOf(run *replay.Run) (p Parts) {
	for _, name := range claimsOf(run) {
		c := brokenBy(run, name)
		of, _ := run.World.Claim(name)
		c.Goal, c.Turns = of.HasGoal(), run.Turns[name]
		p.Claims = append(p.Claims, c)
	}
	for _, n := range run.First() {
		p.First = append(p.First, stateOf(run, n))
	}
	for _, r := range run.Records {
		p.After = append(p.After, after(run, r))
	}
	return p
}

// claimsOf are those that were watched, and the one that is broken, though nobody need watch that no
// handler fails.
func claimsOf(run *replay.Run) []string {
	broken := run.Trace.Claim
	if broken == "" || slices.Contains(run.Watched, broken) {
		return run.Watched
	}
	return append(slices.Clone(run.Watched), broken)
}

// brokenBy says where a claim broke first.
func brokenBy(run *replay.Run, name string) claim {
	for _, v := range run.World.Violations {
		if v.Claim == name {
			return claim{Name: name, Step: v.Step, Text: short(v.Text)}
		}
	}
	if name == run.Trace.Claim {
		c := claim{Name: name, Step: len(run.Records), Text: short(strings.TrimSpace("its goal is not reached: " + run.Trace.Text))}
		if after, known := run.Trace.NoReturn.Point(); known {
			c.Step, c.Inevitable = after, since(after, run.Trace.NoReturn.AtLatest)
		}
		return c
	}
	return claim{Name: name, Step: -1}
}

// since says since when something is inevitable.
func since(step int, atLatest bool) string {
	switch {
	case step == 0:
		return "inevitable from the start"
	case atLatest:
		return fmt.Sprintf("inevitable since step %d at the latest", step)
	}
	return fmt.Sprintf("inevitable since step %d", step)
}

// String says it in a line, empty where nothing is set.
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

// Texts are the fields by name; nil of a node that is down.
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

// after is the state of a node after a record of it, nil where that does not touch it.
func after(run *replay.Run, r world.Record) *state {
	switch {
	case r.Move.Kind == model.Crash || r.Move.Kind == model.Stop:
		return &state{Down: true}
	case r.After != nil:
		is := stateOf(run, r.After)
		return &is
	}
	return nil
}

// stateOf is a node's state, an empty one of a node without.
func stateOf(run *replay.Run, n model.Node) (is state) {
	if n == nil {
		return is
	}
	for _, f := range describe.Fields(n, run.World.System.Name) {
		is.Fields = append(is.Fields, field{f.Name, short(f.Is)})
	}
	return is
}
