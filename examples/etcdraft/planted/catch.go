package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"contend/checker/plant"
)

// A Catch is the result of a check by the command with a bug.
type Catch struct {
	Verdict string        `json:"verdict"` // on the claim
	Limit   string        `json:"limit"`   // what left it open
	Text    string        `json:"text"`    // how it was violated
	Steps   int           `json:"steps"`   // of the run that violates it, the shortest
	States  uint64        `json:"states"`
	Trace   string        `json:"trace"` // the file with that run
	CPU     time.Duration `json:"-"`
}

// row has the fields of a line of check --json, or of run --json, that this command reads.
type row struct {
	States    uint64   `json:"states"`
	Schedules int64    `json:"schedules"`
	Claims    []judged `json:"claims"`
	cpu       time.Duration
}

// A judged claim is one of a row.
type judged struct {
	Name string `json:"name"`
	Catch
	Found *struct {
		Schedule int64 `json:"schedule"`
	} `json:"found"`
}

// Check checks the bug's claim with a command that was built with it or, as a control, without it.
func (w *Workshop) Check(b Bug, command string, limits ...string) (Catch, error) {
	r, c, err := w.row(b, command, "check", limits...)
	c.States, c.CPU = r.States, r.cpu
	return c.Catch, err
}

// row checks the bug's claim, or samples schedules for it, depending on the verb.
func (w *Workshop) row(b Bug, command, verb string, flags ...string) (r row, c judged, err error) {
	args := append([]string{verb}, strings.Fields(b.Row)...)
	args = append(args, "--claim", b.Claim, "--json", "--out", filepath.Join(w.dir, b.Name, "traces"))
	out, cpu, err := plant.Check(command, append(args, flags...)...)
	if err != nil {
		return r, c, err
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, c, fmt.Errorf("bug %s: %s --json: %w", b.Name, verb, err)
	}
	r.cpu = cpu
	for _, c := range r.Claims {
		if c.Name == b.Claim {
			return r, c, nil
		}
	}
	return r, c, fmt.Errorf("bug %s: the row has no claim %q", b.Name, b.Claim)
}
