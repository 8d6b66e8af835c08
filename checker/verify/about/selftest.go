package about

import (
	"fmt"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/lab/compare"
)

// Selftest is the verb selftest.
func Selftest(t *tool.Tool) *cobra.Command {
	var f selftestFlags
	c := t.Verb(cobra.Command{
		Use:   "selftest",
		Short: "compare the search with brute force on random systems",
		Long: `Selftest generates small random systems, with claims of every kind, and decides each claim twice: as
check does, and by brute force, which is a page of code over the interpreter that shares nothing with the
search. Each system has its own seed, one more than the seed of the system before. A disagreement is
printed with its seed and the command that repeats it. Beside each system, what crashes leave of a random
disk, as programs have it, is compared with a model of its own.

A claim is decided when the search says holds or violated. An inconclusive verdict contradicts nothing;
missed counts those that brute force decides.

Exit codes:
  0   no disagreement
  1   the search and brute force disagree
  2   bad usage
  3   nothing was compared, or the run was interrupted
  70  an internal error`,
		Example:           "  verify selftest --duration 1h\n  verify selftest --seed 4711 --systems 1",
		ValidArgsFunction: cobra.NoFileCompletions,
	}, func(args []string) (int, error) {
		if len(args) > 0 {
			return 0, fmt.Errorf("selftest takes no arguments, but there is %q", args[0])
		}
		if err := f.validate(); err != nil {
			return 0, err
		}
		return compareSystems(t, f)
	})
	c.Flags().SortFlags = false
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed `N` of the first system")
	c.Flags().DurationVar(&f.duration, "duration", 0, "run for `TIME`, such as 10m (default 1m unless --systems is set)")
	c.Flags().IntVar(&f.systems, "systems", 0, "generate `N` systems")
	c.Flags().IntVar(&f.states, "states", 200, "skip systems with more than `N` states")
	c.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "compare `N` systems in parallel")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object at the end")
	return c
}

// selftestFlags are the bounds of the comparison.
type selftestFlags struct {
	seed     uint64
	duration time.Duration
	systems  int
	states   int
	workers  int
	json     bool
}

func (f *selftestFlags) validate() error {
	switch {
	case f.duration < 0:
		return fmt.Errorf("duration is %v, but must be more than 0", f.duration)
	case f.systems < 0:
		return fmt.Errorf("systems is %d, but must be 1 or more", f.systems)
	case f.states < 1 || f.states > 1_000_000:
		return fmt.Errorf("states is %d, but must be 1 to 1000000", f.states)
	case f.workers < 1 || f.workers > 256:
		return fmt.Errorf("workers is %d, but must be 1 to 256", f.workers)
	}
	if f.duration == 0 && f.systems == 0 {
		f.duration = time.Minute
	}
	return nil
}

// compareSystems compares systems, and prints each disagreement at once.
func compareSystems(t *tool.Tool, f selftestFlags) (int, error) {
	start := time.Now()
	tally := compare.Run(compare.Options{
		Seed: f.seed, Systems: f.systems, States: f.states, Workers: f.workers,
		Stop: func() bool { return t.Interrupted() || f.duration > 0 && time.Since(start) >= f.duration },
		Each: func(c *compare.Comparison, so *compare.Tally) {
			if len(c.Problems) > 0 && !f.json {
				t.Status.Clear()
				for _, p := range c.Problems {
					fmt.Fprintln(t.Out, p)
				}
				fmt.Fprintf(t.Out, "  repeat it with: %s selftest --seed %d --systems 1 --states %d\n", verdict.Tool, c.Seed, f.states)
			}
			t.Status.Tell(func() string {
				return fmt.Sprintf("selftest: seed %d, %d of %d systems compared, %s, %v", c.Seed, so.Compared, so.Systems,
					console.Counted(len(so.Disagreements), "disagreement", "disagreements"), time.Since(start).Round(100*time.Millisecond))
			})
		},
	})
	t.Status.Clear()
	return Tallied(t, f.seed, tally, f.json, t.Interrupted())
}

// Tallied prints the tally of systems from a seed on, like the verb, and returns its exit code.
func Tallied(t *tool.Tool, seed uint64, tally *compare.Tally, asJSON, interrupted bool) (int, error) {
	if asJSON {
		if err := console.PrintJSON(t.Out, selftested(seed, tally)); err != nil {
			return 0, err
		}
	} else if err := printTally(t, tally); err != nil {
		return 0, err
	}
	return selftestCode(tally, interrupted), nil
}

func selftestCode(tally *compare.Tally, interrupted bool) int {
	switch {
	case len(tally.Disagreements) > 0:
		return console.ExitViolated
	case interrupted || tally.Compared == 0:
		return console.ExitLimit
	}
	return console.ExitHolds
}

// printTally prints the counts of compared claims, by kind and reading.
func printTally(t *tool.Tool, tally *compare.Tally) error {
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tTIME\tCOMPARED\tHOLDS\tVIOLATED\tINCONCLUSIVE\tMISSED\tDISAGREEMENTS")
	for _, row := range compare.Rows() {
		if n := tally.Rows[row]; n.Claims > 0 {
			fmt.Fprintf(w, "%v\t%v\t%d\t%d\t%d\t%d\t%d\t%d\n", row.Kind, row.Reading, n.Claims, n.Holds, n.Decided-n.Holds, n.Inconclusive, n.Missed, n.Disagreements)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := printFeatures(t, tally); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.Out, "\n%s compared of %d generated; the others are too large for brute force. %s.\n",
		console.Counted(tally.Compared, "system was", "systems were"), tally.Systems,
		console.Counted(len(tally.Disagreements), "disagreement", "disagreements"))
	return err
}

// printFeatures prints the numbers of systems with each feature, and the counts of measured costs.
func printFeatures(t *tool.Tool, tally *compare.Tally) error {
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nSYSTEMS WITH\t")
	for _, name := range compare.Features() {
		fmt.Fprintf(w, "%s\t%d\n", name, tally.Features[name])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	n := tally.Costs
	if _, err := fmt.Fprintf(t.Out, "\n%s compared; in %d of them the least and the most differ. %d have no value, %d are open, %d are too large.\n",
		console.Counted(n.Compared, "cost was", "costs were"), n.Spread, n.None, n.Open, n.Skipped); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.Out, "%s compared; crashes left %s.\n", console.Counted(tally.Disks.Compared, "disk was", "disks were"),
		console.Counted(tally.Disks.Images, "image", "images"))
	return err
}

// selftestJSON is a tally as selftest --json prints it, a stable contract.
type selftestJSON struct {
	Schema        int                `json:"schema"`
	Seed          uint64             `json:"seed,string"`
	Systems       int                `json:"systems"`
	Compared      int                `json:"compared"`
	Claims        []selftestRow      `json:"claims"`
	Features      map[string]int     `json:"features"` // how many of the systems that were compared have it
	Costs         selftestCosts      `json:"costs"`
	Disks         compare.Disks      `json:"disks"`
	Disagreements []disagreementJSON `json:"disagreements"`
}

type selftestRow struct {
	Kind          string `json:"kind"`
	Time          string `json:"time"`
	Compared      int    `json:"compared"`
	Decided       int    `json:"decided"`
	Holds         int    `json:"holds"` // of those that are decided
	Inconclusive  int    `json:"inconclusive"`
	Missed        int    `json:"missed"` // inconclusive, but decided by brute force
	Disagreements int    `json:"disagreements"`
}

// selftestCosts count the least and the most of costs.
type selftestCosts struct {
	Compared int `json:"compared"`
	Spread   int `json:"spread"` // of these, those whose least is not their most
	None     int `json:"none"`   // no run comes to a number
	Open     int `json:"open"`
	Skipped  int `json:"skipped"` // too large for brute force
}

type disagreementJSON struct {
	Seed     uint64   `json:"seed,string"`
	System   string   `json:"system"`
	Problems []string `json:"problems"`
}

func selftested(seed uint64, tally *compare.Tally) selftestJSON {
	out := selftestJSON{
		Schema: 1, Seed: seed, Systems: tally.Systems, Compared: tally.Compared, Claims: []selftestRow{}, Disagreements: []disagreementJSON{},
		Features: map[string]int{}, Costs: selftestCosts(tally.Costs), Disks: tally.Disks,
	}
	for _, name := range compare.Features() {
		out.Features[name] = tally.Features[name]
	}
	for _, row := range compare.Rows() {
		if n := tally.Rows[row]; n.Claims > 0 {
			out.Claims = append(out.Claims, selftestRow{
				row.Kind.String(), row.Reading.String(), n.Claims, n.Decided, n.Holds, n.Inconclusive, n.Missed, n.Disagreements,
			})
		}
	}
	for _, c := range tally.Disagreements {
		out.Disagreements = append(out.Disagreements, disagreementJSON{c.Seed, c.About, c.Problems})
	}
	return out
}
