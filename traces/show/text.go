// Package show says in words what a run does: its text, step by step (text.go, row.go, told.go), and how everything
// stands at its end (state.go). print.go writes it for a terminal.
package show

import (
	"io"

	"contend/traces/honest"
	"contend/traces/replay"
)

// Text writes a run for people: what it is a run of, and a line for each step with
// the time, where it happens, what happens, and what came of it: what changed in
// the node's state, what it sent, noted and armed. Violations stand below their
// step, marked ✗. The run of a counterexample ends with
// the whole state that it reached, and with who waits for what where a goal is not reached.
func Text(w io.Writer, run *replay.Run, style Style) error { return Tell(run).Write(w, style) }

// texter finds the words.
type texter struct {
	run *replay.Run
	// honest says of each step that is a lie what an honest node would have said.
	honest map[int]string
}

// A Line says what one step of a run does, in words.
type Line struct {
	Step    int    // from 1; 0 is what the nodes do before the first step
	Time    string // in ticks; "" in an untimed run
	Who     string // where it happens
	What    string
	Details []string // what came of it
	ink     ink
}

// Lines tells a run: its start, where that does anything, and each step.
func Lines(run *replay.Run) []Line {
	t := texter{run: run}
	var lines []Line
	if l, ok := t.start(); ok {
		lines = append(lines, l)
	}
	return append(lines, LinesFrom(run, 1)...)
}

// LinesFrom tells the steps of a run from one on, the first of which is 1.
func LinesFrom(run *replay.Run, step int) []Line {
	t := texter{run: run, honest: honest.Said(run)}
	var lines []Line
	for i, rec := range run.Records[min(step-1, len(run.Records)):] {
		lines = append(lines, t.row(step+i, rec))
	}
	return lines
}
