// Package show formats runs as text: step by step (text.go, row.go, report.go), and the last state (state.go).
// print.go lays the text out for a terminal.
package show

import (
	"io"

	"contend/traces/honest"
	"contend/traces/replay"
)

// Text writes a run for people: a header, and a line for each step. A line has the time, the location, the
// event and its effects. Violations are below their step, marked ✗. A counterexample ends with its last state
// and, if a goal is not reached, with what each node waits for.
func Text(w io.Writer, run *replay.Run, style Style) error { return NewReport(run).Write(w, style) }

// A texter formats the parts of a run.
type texter struct {
	run *replay.Run
	// honest maps a step with a forged message to the messages that an honest node would have sent.
	honest map[int]string
}

// A Line is the text of one step.
type Line struct {
	Step    int    // from 1; 0 is the initial state
	Time    string // in ticks; "" in an untimed run
	Who     string // the location
	What    string
	Details []string // the effects
	ink     ink
}

// Lines returns a line for the initial state, if any node did something, and for each step.
func Lines(run *replay.Run) []Line {
	t := texter{run: run}
	var lines []Line
	if l, ok := t.start(); ok {
		lines = append(lines, l)
	}
	return append(lines, LinesFrom(run, 1)...)
}

// LinesFrom returns the lines of the steps from the given one on. The step is at least 1.
func LinesFrom(run *replay.Run, step int) []Line {
	t := texter{run: run, honest: honest.Sentences(run)}
	var lines []Line
	for i, rec := range run.Records[min(step-1, len(run.Records)):] {
		lines = append(lines, t.row(step+i, rec))
	}
	return lines
}
