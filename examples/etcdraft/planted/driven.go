package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"contend/checker/plant"
)

// A Driven is what the runs of the page etcdraft-steps, taken by the library, tell of a bug.
type Driven struct {
	Bug
	Rows []drivenRow // up to the first that differs
}

// A drivenRow is a line of the command driven.
type drivenRow struct {
	Bounds, Verdict, Limit   string
	Runs, Transitions, Taken int
	Steps                    int // of the run with the difference
	Step, Reason             string
}

// driveAll takes the runs with the library without a bug, and with each bug.
func driveAll(chosen []Bug, progress io.Writer) (all []Driven, err error) {
	err = inWorkshop(func(w *Workshop, _ string) error {
		for _, b := range append([]Bug{sound}, chosen...) {
			d, err := w.Drive(b)
			if err != nil {
				return fmt.Errorf("bug %s: %w", b.Name, err)
			}
			all = append(all, d)
			fmt.Fprintf(progress, "%s: %s\n", b.Name, d.last().Verdict)
		}
		return nil
	})
	return all, err
}

// Drive builds the command driven with a bug, and runs it.
func (w *Workshop) Drive(b Bug) (Driven, error) {
	d := Driven{Bug: b}
	program := filepath.Join(w.dir, "driven")
	err := w.Plant(b.edits()...)
	if err == nil {
		err = w.Plot.Build("./driven", program)
	}
	if err != nil {
		return d, err
	}
	out, _, err := plant.Check(program)
	if err != nil {
		return d, err
	}
	for lines := json.NewDecoder(bytes.NewReader(out)); ; {
		var r drivenRow
		if err := lines.Decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return d, err
		}
		d.Rows = append(d.Rows, r)
	}
	if len(d.Rows) == 0 {
		return d, errors.New("driven prints no row")
	}
	return d, nil
}

// last returns the last row.
func (d Driven) last() drivenRow { return d.Rows[len(d.Rows)-1] }

// passes reports whether a bug differs; without a bug, whether all rows agree.
func (d Driven) passes() bool {
	for _, r := range d.Rows {
		if d.Name == sound.Name && r.Verdict != "agrees" {
			return false
		}
	}
	return d.Name == sound.Name || d.last().Verdict == "differs"
}

// writeDriven writes the table of driven runs in Markdown.
func writeDriven(w io.Writer, all []Driven) {
	titles := []string{"bug", "verdict", "steps", "bounds", "last step", "what differs"}
	markdownLine(w, titles)
	markdownRule(w, len(titles))
	for _, d := range all {
		r := d.last()
		bounds := "all"
		if r.Verdict == "differs" {
			bounds = "`" + r.Bounds + "`"
		}
		markdownLine(w, []string{"`" + d.Name + "`", r.Verdict, number(uint64(r.Steps)), bounds, r.Step, strings.ReplaceAll(r.Reason, "|", `\|`)})
	}
}
