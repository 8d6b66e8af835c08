// Planted builds the command with one mistake in the library at a time and checks the claim that it should break: see
// README.md. It is run from the directory of the example.
//
//	go run ./planted [BUG...]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/checker/plant"
)

const library = "github.com/nspcc-dev/dbft"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(1)
	}
}

// run plants the bugs with these names, or all, and prints a line of Markdown for each.
func run(names []string) error {
	dir, err := os.MkdirTemp("", "planted")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := open(".", dir)
	if err != nil {
		return err
	}
	for _, b := range bugs {
		if len(names) > 0 && !slices.Contains(names, b.Name) {
			continue
		}
		c, err := w.catch(b)
		if err != nil {
			return fmt.Errorf("bug %s: %w", b.Name, err)
		}
		fmt.Printf("| `%s` | %s | %s | `%s` | %s, %d steps | %d |\n", b.Name, b.Models, b.Claim, b.Row, c.Verdict, c.Steps, c.States)
		if !c.caught() {
			return fmt.Errorf("bug %s is not caught", b.Name)
		}
	}
	return nil
}

// A workshop is a directory in which commands with bugs in the library are built.
type workshop struct {
	*plant.Plot
	dir, sound string // a directory, and the command without a bug
}

func open(module, dir string) (*workshop, error) {
	p, err := plant.Open(module, library, filepath.Join(dir, "plot"))
	if err != nil {
		return nil, err
	}
	w := &workshop{Plot: p, dir: dir, sound: filepath.Join(dir, "sound")}
	return w, p.Build(".", w.sound)
}

// A catch is the result of a check of a command with a bug.
type catch struct {
	Verdict  string `json:"verdict"`
	Steps    int    `json:"steps"`
	Trace    string `json:"trace"`
	States   uint64 // of the row
	Diverges string // where the library without the bug leaves the run
}

// caught reports whether the claim is violated by a run that the library without the bug does not take.
func (c catch) caught() bool { return c.Verdict == "violated" && c.Diverges != "" }

// catch checks the claim of a bug with the bug in the library.
func (w *workshop) catch(b Bug) (catch, error) {
	command := filepath.Join(w.dir, b.Name)
	if err := w.Plant(b.Edit); err != nil {
		return catch{}, err
	}
	if err := w.Build(".", command); err != nil {
		return catch{}, err
	}
	defer os.Remove(command)
	args := append([]string{"check"}, strings.Fields(b.Row)...)
	out, _, err := plant.Check(command, append(args, "--claim", b.Claim, "--json", "--max-memory", "3GiB", "--timeout", "10m", "--out", filepath.Join(w.dir, "traces"))...)
	if err != nil {
		return catch{}, err
	}
	var row struct {
		States uint64  `json:"states"`
		Claims []catch `json:"claims"`
	}
	if err := json.Unmarshal(out, &row); err != nil || len(row.Claims) != 1 {
		return catch{}, fmt.Errorf("check --json: %d claims: %w", len(row.Claims), err)
	}
	c := row.Claims[0]
	c.States = row.States
	if c.Trace != "" {
		c.Diverges, err = plant.Divergence(w.sound, c.Trace)
	}
	return c, err
}
