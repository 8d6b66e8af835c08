package trial

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
)

// Main is the main function of the command. It must run in the module whose main package checks the protocol.
func Main(bugs []Bug) {
	flags := flag.NewFlagSet("planted", flag.ExitOnError)
	markdown := flags.Bool("markdown", false, "print the table as Markdown")
	seed := flags.Int("seed", 1, "the `SEED` of the schedules")
	schedules := flags.Int("schedules", 5000, "sample at most `N` schedules of each")
	timeout := flags.Duration("timeout", 0, "sample at most for `TIME` of each, by the clock; 0 stands for no limit")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "Planted plants bugs, one at a time, and says how soon sampled schedules catch them.\n\n"+
			"Usage, from the directory of the module:\n  go run ./planted [flags] [BUG...]\n\nFlags:\n")
		flags.PrintDefaults()
	}
	_ = flags.Parse(os.Args[1:])
	chosen, err := choose(bugs, flags.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(2)
	}
	var all []Catch
	limits := []string{"--seed", fmt.Sprint(*seed), "--workers", "1"}
	if *timeout > 0 {
		limits = append(limits, "--timeout", timeout.String())
	}
	stopped, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = tryAll(stopped, chosen, *schedules, func(c Catch) {
		fmt.Fprintf(os.Stderr, "%s: %s\n", c.Name, c.outcome())
		all = append(all, c)
	}, limits...)
	write(os.Stdout, all, *markdown)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(os.Stderr, "planted: stopped after %d of %d bugs\n", len(all), len(chosen))
		os.Exit(3)
	case err != nil:
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(70)
	case slices.ContainsFunc(all, func(c Catch) bool { return !c.caught() }):
		os.Exit(1)
	}
}

// choose returns the bugs with the given names; all if there are none.
func choose(bugs []Bug, names []string) (chosen []Bug, err error) {
	if len(names) == 0 {
		return bugs, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(bugs, func(b Bug) bool { return b.Name == name })
		if i < 0 {
			var all []string
			for _, b := range bugs {
				all = append(all, b.Name)
			}
			return nil, fmt.Errorf("there is no bug %q; there are %s", name, strings.Join(all, ", "))
		}
		chosen = append(chosen, bugs[i])
	}
	return chosen, nil
}

// outcome formats a Catch as one line.
func (c Catch) outcome() string {
	if !c.caught() {
		return fmt.Sprintf("not caught in %d schedules, %.1f CPU seconds", c.Sampled, c.CPU.Seconds())
	}
	return fmt.Sprintf("%s, by schedule %d (%s), %.1f CPU seconds: %s", c.Claim, c.Schedule, c.Strategy, c.CPU.Seconds(), c.Text)
}

var head = []string{"BUG", "WHAT IT IS", "WHERE", "CLAIM", "SCHEDULE", "STRATEGY", "CPU S", "BOUNDS"}

// cells returns the row of the table for a Catch.
func (c Catch) cells() []string {
	where := c.Module
	if where == "" {
		where = "glue"
	} else if len(c.Edits) > 0 {
		where = c.Edits[0].File
	}
	claim, schedule := c.Claim, fmt.Sprint(c.Schedule)
	if !c.caught() {
		claim, schedule = "none", fmt.Sprintf("> %d", c.Sampled)
	}
	return []string{c.Name, c.Models, where, claim, schedule, c.Strategy, fmt.Sprintf("%.1f", c.CPU.Seconds()), c.Row}
}

func write(w io.Writer, all []Catch, markdown bool) {
	if markdown {
		fmt.Fprintf(w, "| %s |\n|%s\n", strings.ToLower(strings.Join(head, " | ")), strings.Repeat(" --- |", len(head)))
		for _, c := range all {
			cells := c.cells()
			cells[0], cells[len(cells)-1] = "`"+cells[0]+"`", "`"+cells[len(cells)-1]+"`"
			fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		}
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	fmt.Fprintln(t, strings.Join(head, "\t"))
	for _, c := range all {
		fmt.Fprintln(t, strings.Join(c.cells(), "\t"))
	}
}
