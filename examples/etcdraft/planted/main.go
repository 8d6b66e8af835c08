// Planted builds the command with bugs in the library, one at a time. It checks that each bug breaks the
// expected claim:
//
//	go run ./planted                          all, in a table
//	go run ./planted vote-late read-early     these
//	go run ./planted -upstream                and which of the library's own tests fail
//	go run ./planted -claim "refines replicated-log"   whether this claim alone finds them
//	go run ./planted -logs 12                 whether the library's own trace logs show them
//	go run ./planted -drive                   whether runs of a page, taken by the library, show them
//	go run ./planted -seeds 10                how soon sampled schedules break the claims instead
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"contend/checker/plant"
)

func main() {
	flags := flag.NewFlagSet("planted", flag.ExitOnError)
	markdown := flags.Bool("markdown", false, "print the table as Markdown")
	claim := flags.String("claim", "", "check the claim `NAME` in place of the one that each bug should break")
	limit := flags.Duration("timeout", 10*time.Minute, "end each search after this `DURATION`; what is not decided by then is inconclusive")
	upstream := flags.Bool("upstream", false, "run the library's own tests over each bug as well: half a minute each, more where they hang")
	seeds := flags.Int("seeds", 0, "search nothing, but sample schedules with the seeds 1 to `N`, and say how soon they break the claim")
	schedules := flags.Int("schedules", 100_000, "with -seeds: sample at most `N` schedules with each seed")
	logs := flags.Int("logs", 0, "search nothing, but validate `N` trace logs of the library with each bug, and without a bug")
	entries := flags.Int("entries", 3000, "with -logs: the entries of a log")
	driven := flags.Bool("drive", false, "search nothing, but take runs of a page with each bug, and without a bug")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "Planted builds the command with mistakes in the library, and checks that each breaks the claim that it should.\n\n"+
			"Usage, from the directory of the module:\n  go run ./planted [flags] [BUG...]\n\nExamples:\n  go run ./planted -markdown vote-late\n  go run ./planted -seeds 10 vote-late\n\nFlags:\n")
		flags.PrintDefaults()
	}
	_ = flags.Parse(os.Args[1:])
	chosen, err := choose(flags.Args())
	if err == nil {
		err = together(*seeds, *schedules, *logs, *entries, *upstream || *driven, *limit)
	}
	if err == nil && *driven && (*upstream || *claim != "") {
		err = fmt.Errorf("-drive has no effect with -upstream or -claim")
	}
	if err != nil {
		fail(2, err)
	}
	if *claim != "" {
		chosen = slices.Clone(chosen)
		for i := range chosen {
			chosen[i].Claim = *claim
		}
	}
	if *logs > 0 {
		all, err := logAll(chosen, *logs, *entries, os.Stderr)
		if err != nil {
			fail(70, err)
		}
		writeLogged(os.Stdout, all)
		end(slices.ContainsFunc(all, func(l Logged) bool { return !l.passes() }))
		return
	}
	if *driven {
		all, err := driveAll(chosen, os.Stderr)
		if err != nil {
			fail(70, err)
		}
		writeDriven(os.Stdout, all)
		end(slices.ContainsFunc(all, func(d Driven) bool { return !d.passes() }))
		return
	}
	if *seeds > 0 {
		all, err := sampleAll(chosen, *seeds, *schedules, os.Stderr)
		if err != nil {
			fail(70, err)
		}
		writeSampled(os.Stdout, all, *markdown)
		end(slices.ContainsFunc(all, func(s Sampling) bool { return !s.caught() }))
		return
	}
	all, err := plantAll(chosen, *upstream, *limit, os.Stderr)
	if err != nil {
		fail(70, err)
	}
	switch {
	case *markdown && *claim != "" && !*upstream:
		writeClaim(os.Stdout, all)
	case *markdown:
		writeMarkdown(os.Stdout, all, *upstream)
	default:
		writeText(os.Stdout, all, *upstream)
	}
	end(slices.ContainsFunc(all, func(r result) bool { return !r.caught() }))
}

// end exits with 1 if some bug was not caught.
func end(missed bool) {
	if missed {
		os.Exit(1)
	}
}

// together returns a sentence about incompatible flags, or nil.
func together(seeds, schedules, logs, entries int, upstream bool, limit time.Duration) error {
	switch {
	case seeds < 0:
		return fmt.Errorf("seeds is %d, but must be 0 or more", seeds)
	case schedules < 1:
		return fmt.Errorf("schedules is %d, but must be 1 or more", schedules)
	case limit < time.Second:
		return fmt.Errorf("timeout is %v, but must be 1s or more", limit)
	case logs < 0 || entries < 1:
		return fmt.Errorf("logs is %d and entries is %d, but they must be 0 and 1 or more", logs, entries)
	case logs > 0 && (seeds > 0 || upstream):
		return fmt.Errorf("-logs has no effect with -seeds or -upstream")
	case seeds > 0 && upstream:
		return fmt.Errorf("-upstream is set, but has no effect with -seeds")
	}
	return nil
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

// A result is the outcome of a bug.
type result struct {
	Bug
	Catch
	Diverges string   // where the library without the bug leaves that run
	Tests    []string // of the library, that fail
}

// caught reports whether the claim is violated by a run that the library without the bug does not take.
func (r result) caught() bool { return r.Verdict == "violated" && r.Diverges != "" }

// inWorkshop opens a workshop, builds the command without a bug, and works there.
func inWorkshop(work func(w *Workshop, sound string) error) error {
	dir, err := os.MkdirTemp("", "planted")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := Open(".", dir)
	if err != nil {
		return err
	}
	sound, err := w.Build(Bug{Name: "sound"})
	if err != nil {
		return err
	}
	return work(w, sound)
}

// plantAll plants bugs, one after the other.
func plantAll(chosen []Bug, upstream bool, limit time.Duration, progress io.Writer) (all []result, err error) {
	err = inWorkshop(func(w *Workshop, sound string) error {
		for _, b := range chosen {
			r, err := w.plant(b, sound, upstream, limit)
			if err != nil {
				return err
			}
			all = append(all, r)
			fmt.Fprintf(progress, "%s: %s %s (%d states)\n", b.Name, r.Verdict, r.Limit, r.States)
		}
		return nil
	})
	return all, err
}

// plant plants one bug. The command sound has none.
func (w *Workshop) plant(b Bug, sound string, upstream bool, limit time.Duration) (result, error) {
	r := result{Bug: b}
	command, err := w.Build(b)
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(filepath.Dir(command))
	if r.Catch, err = w.Check(b, command, "--max-memory", "4GiB", "--timeout", limit.String()); err != nil {
		return r, err
	}
	if r.Trace != "" {
		if r.Diverges, err = diverges(b, command, sound, r.Trace); err != nil {
			return r, err
		}
	}
	if upstream {
		r.Tests, err = w.Upstream()
	}
	return r, err
}

// diverges returns the first difference between two replays of a run, with and without the bug. The run has
// to replay with the bug.
func diverges(b Bug, command, sound, trace string) (string, error) {
	if err := exec.Command(command, "replay", trace).Run(); err != nil {
		return "", fmt.Errorf("bug %s: its run does not replay: %w", b.Name, err)
	}
	return plant.Divergence(sound, trace)
}
