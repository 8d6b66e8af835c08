// Planted builds the command with mistakes in the library, one at a time, and checks that each breaks the claim that it should break:
//
//	go run ./planted                          all, in a table
//	go run ./planted vote-late read-early     these
//	go run ./planted -upstream                and which of the library's own tests see them
//
// Nothing of the library is kept here but the few words that are replaced.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"contend/checker/plant"
)

func main() {
	flags := flag.NewFlagSet("planted", flag.ExitOnError)
	markdown := flags.Bool("markdown", false, "print the table as Markdown")
	upstream := flags.Bool("upstream", false, "run the library's own tests over each bug as well: half a minute each, more where they hang")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "Planted builds the command with mistakes in the library, and checks that each breaks the claim that it should.\n\n"+
			"Usage, from the directory of the module:\n  go run ./planted [flags] [BUG...]\n\nExample:\n  go run ./planted -markdown vote-late\n\nFlags:\n")
		flags.PrintDefaults()
	}
	_ = flags.Parse(os.Args[1:])
	chosen, err := choose(flags.Args())
	if err != nil {
		fail(2, err)
	}
	all, err := plantAll(chosen, *upstream, os.Stderr)
	if err != nil {
		fail(70, err)
	}
	if *markdown {
		writeMarkdown(os.Stdout, all, *upstream)
	} else {
		writeText(os.Stdout, all, *upstream)
	}
	if slices.ContainsFunc(all, func(r result) bool { return !r.caught() }) {
		os.Exit(1)
	}
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "planted:", err)
	os.Exit(code)
}

// choose returns the bugs with these names, or all.
func choose(names []string) ([]Bug, error) {
	if len(names) == 0 {
		return bugs, nil
	}
	var chosen []Bug
	for _, name := range names {
		i := slices.IndexFunc(bugs, func(b Bug) bool { return b.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no bug %q", name)
		}
		chosen = append(chosen, bugs[i])
	}
	return chosen, nil
}

// A result is what became of a bug.
type result struct {
	Bug
	Catch
	Diverges string   // where the library without the bug leaves that run
	Tests    []string // of the library, that fail
}

// caught reports whether the claim is violated by a run that the library without the bug does not take.
func (r result) caught() bool { return r.Verdict == "violated" && r.Diverges != "" }

// plantAll plants bugs, one after the other.
func plantAll(chosen []Bug, upstream bool, progress io.Writer) ([]result, error) {
	dir, err := os.MkdirTemp("", "planted")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := Open(".", dir)
	if err != nil {
		return nil, err
	}
	sound, err := w.Build(Bug{Name: "sound"})
	if err != nil {
		return nil, err
	}
	var all []result
	for _, b := range chosen {
		r, err := w.plant(b, sound, upstream)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
		fmt.Fprintf(progress, "%s: %s %s (%d states)\n", b.Name, r.Verdict, r.Limit, r.States)
	}
	return all, nil
}

// plant plants one bug. The command sound has none.
func (w *Workshop) plant(b Bug, sound string, upstream bool) (result, error) {
	r := result{Bug: b}
	command, err := w.Build(b)
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(filepath.Dir(command))
	if r.Catch, err = w.Check(b, command, "--max-memory", "4GiB", "--timeout", "10m"); err != nil {
		return r, err
	}
	if r.Trace != "" {
		if err := exec.Command(command, "replay", r.Trace).Run(); err != nil {
			return r, fmt.Errorf("bug %s: its run does not replay: %w", b.Name, err)
		}
		if r.Diverges, err = plant.Divergence(sound, r.Trace); err != nil {
			return r, err
		}
	}
	if upstream {
		r.Tests, err = w.Upstream()
	}
	return r, err
}
