// Package editing has the verbs that edit code and run the result: mutate and plant.
package editing

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"contend/checker/mutate"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
)

// Mutate is the verb mutate.
func Mutate(t *tool.Tool) *cobra.Command {
	var f mutateFlags
	c := t.Verb(cobra.Command{
		Use:   "mutate PACKAGE...",
		Short: "edit a protocol's handlers, and report edits that no claim notices",
		Long: `Mutate edits the handlers of the nodes in a package, one small edit at a time: for example, < becomes
<=, a condition becomes always true, or a statement is removed. For each edit it makes the checks that
the package's protocols list. An edit that no claim notices survives: either a claim or a configuration
is missing, or the edit makes no difference.

PACKAGE is a directory such as ./mylock, or an import path. It must have an exported variable of type
*model.Protocol. The handlers of further packages are edited too, and checked with the same checks. Your
source is not changed: all edits are compiled together into a copy of the package, and one program runs
them.

An edit is caught if a claim is violated that was not violated before, if a handler fails or does not
return, or if a recorded finding disappears. An edit that makes the search go beyond the limits (eight
times the states) is reported separately. Survivors that make no difference can be accepted: list each
in ` + filepath.ToSlash(mutate.AcceptedFile) + ` of the package, with the name of the edit, and on an
indented line below it the reason.

With --rows each edit is tried on every row, and not only until a row catches it. The report has for each
row its states, its seconds and the edits that it catches; rows that can go, because others catch all
that they catch; and small rows that no protocol lists, with the survivors that they catch. They are
found from the smallest configurations and from the listed rows, by one more node, operation or fault at
a time. Each passes without an edit. At the end is a set of rows that catches all, in little time. The
exit code depends on the listed rows only.

Exit codes:
  0   every edit is caught or accepted
  1   an edit survives, or an entry of that file is stale
  2   bad usage or bad input
  3   the time limit was hit
  70  an internal error`,
		Example: `  verify mutate ./mylock
  verify mutate ./mylock --func Server.Receive
  verify mutate ./mylock --sample 50 --seed 7 --budget 5s --timeout 10m
  verify mutate ./mylock --rows --deep
  verify mutate ./impl/multicast/fifo ./impl/multicast --json`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}, func(args []string) (int, error) { return tryEdits(t, args, &f) })
	c.Flags().SortFlags = false
	c.Flags().DurationVar(&f.budget, "budget", time.Minute, "leave out checks that take longer than `TIME` without an edit")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "stop after `TIME` in total, such as 10m")
	c.Flags().StringArrayVar(&f.only, "func", nil, "edit only the function `NAME`, such as Server.Receive, or try only the edit with that name; may be repeated")
	c.Flags().IntVar(&f.sample, "sample", 0, "try `N` randomly chosen edits (default all)")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed `N` of the sample")
	c.Flags().IntVar(&f.workers, "workers", 1, "try `N` edits in parallel")
	c.Flags().BoolVar(&f.rows, "rows", false, "try each edit on every row; report what each row catches, rows that can go, and rows to add")
	c.Flags().IntVar(&f.propose, "propose", defaultPropose, "with --rows, try at most `N` rows that no protocol lists; 0 proposes no rows")
	c.Flags().BoolVar(&f.deep, "deep", false, "try the checks that protocols list as deep, too")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object per line: one for each edit, with --rows for each row, and one for the whole run")
	return c
}

type mutateFlags struct {
	budget, timeout time.Duration
	sample, workers int
	seed            uint64
	only            []string
	propose         int
	rows, deep      bool
	json            bool
}

// defaultPropose is how many rows that no protocol lists --rows tries unless --propose is given.
const defaultPropose = 300

func (f *mutateFlags) validate() error {
	switch {
	case f.budget <= 0:
		return fmt.Errorf("budget is %v, but must be more than 0", f.budget)
	case f.timeout < 0:
		return fmt.Errorf("timeout is %v, but must be more than 0", f.timeout)
	case f.sample < 0:
		return fmt.Errorf("sample is %d, but must be 1 or more", f.sample)
	case f.workers < 1 || f.workers > 256:
		return fmt.Errorf("workers is %d, but must be 1 to 256", f.workers)
	case f.propose < 0:
		return fmt.Errorf("propose is %d, but must be 0 or more", f.propose)
	case f.propose != defaultPropose && !f.rows:
		return fmt.Errorf("propose has an effect only with --rows")
	}
	return nil
}

// mutate tries the mutants of packages and reports on them.
func tryEdits(t *tool.Tool, args []string, f *mutateFlags) (int, error) {
	if len(args) == 0 {
		return 0, fmt.Errorf("mutate needs a package with a protocol, such as ./mylock")
	}
	if err := f.validate(); err != nil {
		return 0, err
	}
	try := mutate.Claims
	if f.rows {
		try = mutate.Rows
	}
	r, err := try(mutate.Options{
		Patterns: args, Budget: f.budget, Timeout: f.timeout, Only: f.only, Sample: f.sample, Seed: f.seed, Workers: f.workers, Interrupt: t.Interrupt,
		Deep: f.deep, Propose: f.propose,
		Progress: func(p mutate.Progress) { t.Status.Tell(func() string { return mutating(p) }) },
	})
	t.Status.Clear()
	if err != nil {
		return 0, err
	}
	r.Seconds = t.PrintedSeconds(r.Seconds)
	if f.json {
		err = printJSON(t, r)
	} else {
		printMutation(t, r)
	}
	return mutationCode(r), err
}

// mutating returns a line on the progress.
func mutating(p mutate.Progress) string {
	line := "mutate: " + p.What
	if p.Planned > 0 {
		line += fmt.Sprintf(", %d of %d, %s", p.Done, p.Planned, console.Counted(p.Survivors, "survivor", "survivors"))
	}
	return line + fmt.Sprintf(", %v", p.Elapsed.Round(100*time.Millisecond))
}

func mutationCode(r *mutate.Report) int {
	switch {
	case len(r.Survivors()) > 0 || len(r.Stale) > 0:
		return console.ExitViolated
	case r.Stopped:
		return console.ExitLimit
	}
	return console.ExitHolds
}

// printMutation prints the surviving edits, and the figures.
func printMutation(t *tool.Tool, r *mutate.Report) {
	survivors := r.Survivors()
	for _, m := range survivors {
		told := "no claim notices it, and every check reaches the same states"
		switch {
		case m.Outcome == mutate.Unreached:
			told = "no check reaches it"
		case m.Differs != "":
			told = "no claim notices it, but a check reaches other states"
		}
		fmt.Fprintf(t.Out, "%s:%d: %s\n  %s\n    - %s\n    + %s\n\n", near(m.File), m.Line, told, m.Name, m.Old, m.New)
	}
	for _, m := range r.Mutants {
		if m.Outcome == mutate.Limit {
			fmt.Fprintf(t.Out, "%s:%d: stopped at a limit: %s\n  %s\n", near(m.File), m.Line, m.By, m.Name)
		}
	}
	for _, s := range r.Stale {
		fmt.Fprintf(t.Out, "%s:%d: stale: %s: %s\n", near(s.File), s.Line, s.Name, s.Why)
	}
	if unused := unusedFunctions(r); len(unused) > 0 {
		fmt.Fprintf(t.Out, "No check runs these functions: %s.\n", strings.Join(unused, ", "))
	}
	fmt.Fprintln(t.Out, figures(r))
	if len(r.Rows) > 0 {
		fmt.Fprintf(t.Out, "\nTried with %s:\n", console.Counted(len(r.Rows), "check", "checks"))
	}
	for _, row := range r.Rows {
		fmt.Fprintf(t.Out, "  %s\n", runnable(t, row))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(t.Out, "  %s\n", n)
	}
	printChoices(t, r)
	if len(survivors) > 0 {
		fmt.Fprintf(t.Out, "\nFor each survivor, add a claim or a check that it breaks. If it makes no difference, add its name to\n%s of its package, with the reason on an indented line below.\n", filepath.ToSlash(mutate.AcceptedFile))
	}
}

// runnable is the command of a check, or its bounds alone where this tool does not have the protocol.
func runnable(t *tool.Tool, row mutate.Row) string {
	name, _, _ := strings.Cut(row.Name, "/")
	if slices.Contains(t.ProtocolNames(), name) {
		return row.Bounds
	}
	return strings.TrimPrefix(row.Bounds, verdict.Tool+" check ")
}

// figures returns the counts of edits by outcome, in one or two sentences.
func figures(r *mutate.Report) string {
	caught, how := 0, map[string]int{}
	for _, m := range r.Mutants {
		if m.Outcome == mutate.Caught {
			caught++
			how[m.How]++
		}
	}
	out := fmt.Sprintf("%s of handlers: %d caught (%d by a claim, %d by a handler that fails, %d by a recorded finding)",
		console.Counted(len(r.Mutants)-r.Count(mutate.Unused), "edit", "edits"), caught, how[mutate.ByClaim], how[mutate.ByFailure], how[mutate.ByFinding])
	for _, part := range []struct {
		n    int
		text string
	}{
		{r.Count(mutate.Limit), "stopped at a limit"}, {r.Count(mutate.Survived), "survived"}, {r.Count(mutate.Unreached), "not reached"},
		{r.Count(mutate.Accepted), "accepted"}, {r.Count(mutate.Untried), "not tried"},
	} {
		if part.n > 0 {
			out += fmt.Sprintf(", %d %s", part.n, part.text)
		}
	}
	if r.Stopped {
		out += "; the run was stopped before the end"
	}
	return out + "."
}

// unusedFunctions returns the unreachable functions, in source order.
func unusedFunctions(r *mutate.Report) (names []string) {
	seen := map[string]bool{}
	for _, m := range r.Mutants {
		if m.Outcome == mutate.Unused && !seen[m.File+m.Func] {
			seen[m.File+m.Func] = true
			names = append(names, m.Func)
		}
	}
	return names
}

// near is a path as seen from the current directory, where that is shorter.
func near(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(dir, path); err == nil && len(short) < len(path) {
			return filepath.ToSlash(short)
		}
	}
	return path
}

// editJSON is an edit as mutate --json prints it, a stable contract.
type editJSON struct {
	Schema   int    `json:"schema"`
	Kind     string `json:"kind"` // "edit"
	Name     string `json:"name"`
	Operator string `json:"operator"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Old      string `json:"old"`
	New      string `json:"new"`
	Outcome  string `json:"outcome"`
	How      string `json:"how,omitempty"`
	By       string `json:"by,omitempty"`
	Check    string `json:"check,omitempty"`
	Steps    int    `json:"steps,omitempty"`
	Differs  string `json:"differs,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// mutationJSON is all of a run, the last line.
type mutationJSON struct {
	Schema   int            `json:"schema"`
	Kind     string         `json:"kind"` // "mutation"
	Packages []string       `json:"packages"`
	Checks   []mutate.Row   `json:"checks"`
	Notes    []string       `json:"notes"`
	Outcomes map[string]int `json:"outcomes"`
	Stale    []mutate.Stale `json:"stale"`
	Stopped  bool           `json:"stopped"`
	Seconds  float64        `json:"seconds"`
}

func printJSON(t *tool.Tool, r *mutate.Report) error {
	all := mutationJSON{Schema: 1, Kind: "mutation", Packages: r.Packages, Checks: r.Rows, Notes: append([]string{}, r.Notes...),
		Outcomes: map[string]int{}, Stale: append([]mutate.Stale{}, r.Stale...), Stopped: r.Stopped, Seconds: r.Seconds}
	for _, m := range r.Mutants {
		all.Outcomes[string(m.Outcome)]++
		if err := console.PrintJSON(t.Out, editJSON{1, "edit", m.Name, m.Operator, near(m.File), m.Line, m.Old, m.New,
			string(m.Outcome), m.How, m.By, m.Where, m.Steps, m.Differs, m.Reason}); err != nil {
			return err
		}
	}
	if err := printChoicesJSON(t, r); err != nil {
		return err
	}
	return console.PrintJSON(t.Out, all)
}
