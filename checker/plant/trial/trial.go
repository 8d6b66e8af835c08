// Package trial is the main of a command that plants bugs in what a protocol's nodes are made of, one at a time, or takes old releases of
// that which have one, and says how soon sampled schedules catch each: for protocols whose nodes are whole programs, which are built when a check runs (package
// contend/program). The command that checks the protocol is built once.
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

// A Bug is a mistake that somebody might have made, or did make once.
type Bug struct {
	Name   string
	Models string // what it is, and where it is known from
	// Module is where it is planted, and Edits plant it there. With a version, as in "PATH@VERSION", and without edits it is a bug of
	// that release. Without a module it is a variant of the protocol, which Row names.
	Module string
	Edits  []plant.Edit
	// Row is what is sampled: the protocol or its variant, and the bounds.
	Row string
	// Only, unless "", is the claim that is looked at.
	Only string
}

// A Catch is what sampled schedules come to.
type Catch struct {
	Bug
	Claim    string // that is violated, or ""
	Text     string // how
	Steps    int
	Schedule int64
	Strategy string
	Sampled  int64         // schedules
	CPU      time.Duration // of the command, without the building of the program
}

// caught reports whether a claim is violated.
func (c Catch) caught() bool { return c.Claim != "" }

// A row is what of a line of run --json is read here.
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

// A bench is where bugs are planted: a directory, and the command that checks the protocol.
type bench struct {
	program, dir, command string
	plots                 map[string]*plant.Plot
}

// open makes a bench in a directory for the program whose module is in another.
func open(program, dir string) (*bench, error) {
	b := &bench{program: program, dir: dir, command: filepath.Join(dir, "command"), plots: map[string]*plant.Plot{}}
	build := exec.Command("go", "build", "-o", b.command, ".")
	build.Dir = program
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, bytes.TrimSpace(out))
	}
	return b, nil
}

// plot is that of a module.
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

// first is how many schedules are sampled first; four times as many are where they do not catch the bug, the first ones once more, and so on.
const first = 8

// try plants a bug and samples schedules, at most so many. A first schedule by itself builds the program, so that what is measured is the
// search.
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

// read reads the line that run --json prints. Of several claims that are violated the one is kept that was found first.
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

// tryAll tries bugs one after the other in a temporary directory, and hands on what each comes to. When it is stopped, which reaches the
// commands that it runs too, what it was at is left out, and the error is context.Canceled.
func tryAll(stopped context.Context, bugs []Bug, most int, each func(Catch), flags ...string) error {
	dir, err := os.MkdirTemp("", "contend-trial")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := open(".", dir)
	for _, bug := range bugs {
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
