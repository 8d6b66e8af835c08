package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"contend/checker/drive"
	"contend/checker/plant"
	"contend/checker/plant/trial"
	"contend/checker/suite"
	"contend/examples/walkv/driven"
	"contend/model"
)

// restarts are mistakes of the server that show after a restart. They are driven only.
var restarts = []trial.Bug{
	{Name: "first-unread", Models: "after a restart the first entry of the log is not read"},
	{Name: "removed-returns", Models: "after a restart a key that was removed has its last value"},
	{Name: "oldest-wins", Models: "after a restart a key has the oldest value in the log"},
}

// suites are the suites of runs: all transitions within small bounds, and long runs drawn at random.
var suites = []struct {
	bounds string
	config model.Config
	suite  suite.Options
}{
	{"--calls 5 --restarts 1", model.Config{Faults: model.Faults{Restarts: 1}}.With(driven.Calls.Is(5)), suite.Options{}},
	{"--calls 12 --restarts 2, 40 samples", model.Config{Faults: model.Faults{Restarts: 2}}.With(driven.Calls.Is(12)), suite.Options{Cover: suite.Samples, Samples: 40}},
}

// driveAll drives the server as a process, without a bug and with each of some bugs, all if none is named. It reports
// whether a bug does not differ, or the server without a bug does.
func driveAll(names []string, out io.Writer) (missed bool, err error) {
	all := slices.Concat(bugs, restarts)
	for _, name := range names {
		if !slices.ContainsFunc(all, func(b trial.Bug) bool { return b.Name == name }) {
			return false, fmt.Errorf("there is no bug %q", name)
		}
	}
	dir, err := os.MkdirTemp("", "planted")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	plot, err := plant.Open(".", "github.com/tidwall/wal", filepath.Join(dir, "plot"))
	if err != nil {
		return false, err
	}
	fmt.Fprintln(out, "| bug | verdict | steps | suite | last step | what differs |\n| --- | --- | --- | --- | --- | --- |")
	for _, b := range append([]trial.Bug{{Name: "none"}}, all...) {
		if len(names) > 0 && b.Name != "none" && !slices.Contains(names, b.Name) {
			continue
		}
		program := filepath.Join(dir, "kvd")
		if err := plot.Plant(b.Edits...); err != nil {
			return false, err
		}
		if err := plot.Build("./kvd", program); err != nil {
			return false, err
		}
		differs, err := driveOne(b, dir, program, out)
		if err != nil {
			return false, fmt.Errorf("bug %s: %w", b.Name, err)
		}
		missed = missed || differs == (b.Name == "none")
	}
	return missed, nil
}

// driveOne drives a server by both suites, up to the first difference, and prints its row.
func driveOne(b trial.Bug, dir, program string, out io.Writer) (differs bool, err error) {
	for _, s := range suites {
		r, err := drive.Drive(driven.Page, "", s.config, driven.Kvd(dir, program, flags(b)...), drive.Options{Suite: s.suite})
		if err != nil {
			return false, err
		}
		if d := r.Difference; d != nil {
			steps := 0 // of a server that does not start
			if d.Trace != nil {
				steps = len(d.Trace.Steps)
			}
			fmt.Fprintf(out, "| `%s` | differs | %d | `%s` | %s | %s |\n", b.Name, steps, s.bounds, d.Step, d.Reason)
			return true, nil
		}
	}
	fmt.Fprintf(out, "| `%s` | agrees | | both | | |\n", b.Name)
	return false, nil
}

// flags returns the flags of the server with a mistake of its own; none for a bug in the log.
func flags(b trial.Bug) []string {
	switch {
	case b.Module != "" || b.Name == "none":
		return nil
	case b.Name == "no-sync":
		return []string{"-no-sync"}
	}
	return []string{"-mistake=" + b.Name}
}
