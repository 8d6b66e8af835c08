package validating

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"contend/checker/conform"
	"contend/checker/conform/coverage"
	"contend/checker/verify/console"
	"contend/model"
)

// newCounts returns a report with the numbers of earlier logs in a file. It is nil without a file.
func newCounts(p *model.Protocol, variant string, c model.Config, path string) (*coverage.Report, error) {
	if path == "" {
		return nil, nil
	}
	s, err := p.System(variant, c)
	if err != nil {
		return nil, err
	}
	counts := coverage.New(p, variant, s)
	if err := counts.Load(path); err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	return counts, nil
}

// complete adds to a report what the protocol can do with the faults of a result, and at least one restart if it permits
// restarts.
func complete(counts *coverage.Report, p *model.Protocol, variant string, r *conform.Result) error {
	if counts == nil {
		return nil
	}
	c := r.Config
	c.Faults.Restarts = max(c.Faults.Restarts, 1)
	s, err := p.System(variant, c)
	if err != nil {
		if s, err = p.System(variant, r.Config); err != nil {
			return err
		}
	}
	counts.Logs++
	return counts.Possible(s)
}

// printCoverage prints the kinds of steps as a table; nothing without a report.
func printCoverage(out io.Writer, r *coverage.Report) error {
	if r == nil {
		return nil
	}
	taken := len(r.Kinds) - len(slices.DeleteFunc(slices.Clone(r.Kinds), func(k *coverage.Kind) bool { return k.Taken > 0 }))
	fmt.Fprintf(out, "\nsteps of the protocol: %s took %d of %d kinds; the others are of %d random runs\n",
		console.Counted(r.Logs, "run of logs", "runs of logs"), taken, len(r.Kinds), coverage.Runs)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "taken\tnode\tstep\tshows")
	for _, k := range r.Kinds {
		count := fmt.Sprint(k.Taken)
		if k.Taken == 0 {
			count = "never"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", count, console.Plain(k.Node), console.Plain(k.Step), console.Plain(strings.Join(k.Shows, ", ")))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(r.Unused) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "no such step has a value of: %s\n", strings.Join(r.Unused, ", "))
	return err
}
