package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"contend/checker/plant"
)

// A Catch is what a check of the command with a bug in it has found.
type Catch struct {
	Verdict string  `json:"verdict"` // on the claim
	Limit   string  `json:"limit"`   // what left it open
	Text    string  `json:"text"`    // how it was violated
	Steps   int     `json:"steps"`   // of the run that violates it, the shortest
	States  uint64  `json:"states"`
	Seconds float64 `json:"seconds"`
	Trace   string  `json:"trace"` // the file with that run
}

// row is what of a line of check --json is read here.
type row struct {
	States  uint64  `json:"states"`
	Seconds float64 `json:"seconds"`
	Claims  []struct {
		Name string `json:"name"`
		Catch
	} `json:"claims"`
}

// Check checks the bug's claim with a command that was built with it or, as a control, without it.
func (w *Workshop) Check(b Bug, command string, limits ...string) (Catch, error) {
	args := append([]string{"check"}, strings.Fields(b.Row)...)
	args = append(args, "--claim", b.Claim, "--json", "--out", filepath.Join(w.dir, b.Name, "traces"))
	out, err := plant.Check(command, append(args, limits...)...)
	if err != nil {
		return Catch{}, err
	}
	var r row
	if err := json.Unmarshal(out, &r); err != nil {
		return Catch{}, fmt.Errorf("bug %s: check --json: %w", b.Name, err)
	}
	for _, c := range r.Claims {
		if c.Name == b.Claim {
			c.States, c.Seconds = r.States, r.Seconds
			return c.Catch, nil
		}
	}
	return Catch{}, fmt.Errorf("bug %s: the row has no claim %q", b.Name, b.Claim)
}
