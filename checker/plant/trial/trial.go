// Package trial is the main of a command that measures how soon sampled schedules catch planted bugs. The
// bugs are edits of modules that a protocol's nodes depend on, or old releases of these. The nodes may be
// whole programs, built during a check (package contend/program). The command that checks the protocol is
// built once.
package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"contend/checker/plant"
)

// A Bug is a plausible or a historical mistake.
type Bug struct {
	Name   string
	Models string // description and origin
	// Module is the module in which Edits plant the bug. "PATH@VERSION" without edits is a release with the
	// bug. Without a module, the bug is a variant of the protocol, named in Row.
	Module string
	Edits  []plant.Edit
	// Row has the protocol or variant, and its bounds, as arguments.
	Row string
	// Only, unless "", is the only claim to check.
	Only string
}

// A Catch is the result of sampling with a bug.
type Catch struct {
	Bug
	Claim    string // violated claim, or ""
	Text     string // of the violation
	Steps    int
	Schedule int64
	Strategy string
	Sampled  int64         // number of schedules
	CPU      time.Duration // of the command, without building the program
}

// caught reports whether a claim is violated.
func (c Catch) caught() bool { return c.Claim != "" }

// A row is the relevant part of the output of run --json.
type row struct {
	Schedules int64 `json:"schedules"`
	Claims    []struct {
		Name    string `json:"name"`
		Verdict string `json:"verdict"`
		Text    string `json:"text"`
		Steps   int    `json:"steps"`
		Found   *struct {
			Schedule int64  `json:"schedule"`
			Strategy string `json:"strategy"`
		} `json:"found"`
	} `json:"claims"`
}

// A bench is a directory for plots, with the command that checks the protocol.
type bench struct {
	program, dir, command string
	plots                 map[string]*plant.Plot
}

// open returns a bench in a directory for the program of a module.
func open(program, dir string) (*bench, error) {
	b := &bench{program: program, dir: dir, command: filepath.Join(dir, "command"), plots: map[string]*plant.Plot{}}
	build := exec.Command("go", "build", "-o", b.command, ".")
	build.Dir = program
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, bytes.TrimSpace(out))
	}
	return b, nil
}

// plot returns the plot of a module, opened once.
func (b *bench) plot(module string) (*plant.Plot, error) {
	if p := b.plots[module]; p != nil {
		return p, nil
	}
	p, err := plant.Open(b.program, module, filepath.Join(b.dir, fmt.Sprint("plot", len(b.plots))))
	if err == nil {
		b.plots[module] = p
	}
	return p, err
}

// first is the number of schedules of the first attempt. Each further attempt has four times as many.
const first = 8

// try plants a bug and samples at most most schedules. An initial schedule builds the program, so that the
// CPU time is that of the search.
func (b *bench) try(bug Bug, most int, flags ...string) (c Catch, err error) {
	c.Bug = bug
	check := plant.Check
	if bug.Module != "" {
		p, err := b.plot(bug.Module)
		if err == nil {
			err = p.Plant(bug.Edits...)
		}
		if err != nil {
			return c, fmt.Errorf("bug %s: %w", bug.Name, err)
		}
		check = p.Check
	}
	args := append([]string{"run"}, strings.Fields(bug.Row)...)
	if bug.Only != "" {
		args = append(args, "--claim", bug.Only)
	}
	args = append(args, "--time", "dense", "--no-minimize", "--json", "--out", filepath.Join(b.dir, "traces", bug.Name))
	if _, _, err := check(b.command, append(args, "--schedules", "1")...); err != nil {
		return c, fmt.Errorf("bug %s: %w", bug.Name, err)
	}
	for n := first; !c.caught(); n *= 4 {
		out, cpu, err := check(b.command, append(append(args, flags...), "--schedules", fmt.Sprint(min(n, most)))...)
		if err == nil {
			err = c.read(out)
		}
		if err != nil {
			return c, fmt.Errorf("bug %s: %w", bug.Name, err)
		}
		if c.CPU = cpu; n >= most || c.Sampled < int64(n) {
			break // the time is over
		}
	}
	return c, nil
}

// read reads a line of run --json. Of several violated claims it takes the one found first.
func (c *Catch) read(line []byte) error {
	var r row
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("bug %s: run --json: %w", c.Name, err)
	}
	c.Sampled = r.Schedules
	for _, claim := range r.Claims {
		if claim.Verdict == "violated" && claim.Found != nil && (!c.caught() || claim.Found.Schedule < c.Schedule) {
			c.Claim, c.Text, c.Steps = claim.Name, claim.Text, claim.Steps
			c.Schedule, c.Strategy = claim.Found.Schedule, claim.Found.Strategy
		}
	}
	return nil
}

// tryAll tries bugs one after the other in a temporary directory, and calls each with every result. If the
// context is cancelled, the present bug is omitted, and the error is context.Canceled.
func tryAll(stopped context.Context, bugs []Bug, most int, each func(Catch), flags ...string) error {
	dir, err := os.MkdirTemp("", "contend-trial")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := open(".", dir)
	for _, bug := range bugs {
		if stopped.Err() != nil {
			return context.Canceled
		}
		var c Catch
		if err == nil {
			c, err = b.try(bug, most, flags...)
		}
		if stopped.Err() != nil && !c.caught() {
			return context.Canceled
		}
		if err != nil {
			return err
		}
		each(c)
	}
	return err
}
