package mutants

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"contend/checker/sample/strategy"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/checker/watch"
	"contend/lab/experiment"
)

// A comparison reports on strategies.
type comparison struct {
	tool    *tool.Tool
	json    bool
	mutants []experiment.Mutant
	args    []string
	left    map[string][]string
	flags   *strategiesFlags
	opt     experiment.Options
	layout  string
	catches []experiment.Catch
	reaches []experiment.Reach
	before  *experiment.Results // of the file
	file    *os.File            // results are added to it, unless it is nil
}

func newComparison(t *tool.Tool, json bool, mutants []experiment.Mutant, f *strategiesFlags, opt experiment.Options) *comparison {
	protocol, mutant := 8, 6
	for _, m := range mutants {
		protocol = max(protocol, len([]rune(m.Protocol.Name)))
		mutant = max(mutant, len([]rune(m.Check.Variant)))
	}
	layout := fmt.Sprintf("%%-%ds  %%-%ds  %%-9s  %%9s  %%-18s  %%7s  %%7s\n", protocol, mutant)
	return &comparison{tool: t, json: json, mutants: mutants, flags: f, opt: opt, layout: layout}
}

// run samples mutant after mutant, and reports on each.
func (x *comparison) run() (int, error) {
	if !x.json {
		fmt.Fprintf(x.tool.Out, x.layout, "PROTOCOL", "MUTANT", "STRATEGY", "SCHEDULES", "INTERVAL", "FOUND", "SECONDS")
	}
	for i, m := range x.mutants {
		catches, err := x.caught(i, m)
		if stuck := (watch.Endless{}); errors.As(err, &stuck) {
			console.Say(x.tool.Err, "%v", err)
			return console.ExitLimit, nil
		}
		if err != nil {
			return 0, err
		}
		if x.tool.Interrupted() {
			console.Say(x.tool.Err, "interrupted; %s not compared", console.Counted(len(x.mutants)-i, "mutant was", "mutants were"))
			return console.ExitLimit, x.close()
		}
		if err := x.add(catches); err != nil {
			return 0, err
		}
	}
	if x.flags.states {
		if err := x.reach(); err != nil {
			return 0, err
		}
	}
	return console.ExitHolds, x.close()
}

// caught compares the strategies on a mutant. Those of which there are results already are not sampled again.
func (x *comparison) caught(i int, m experiment.Mutant) ([]experiment.Catch, error) {
	known, open := x.before.Caught(m, x.opt.Strategies)
	opt := x.opt
	opt.Strategies = open
	opt.Progress = func(m experiment.Mutant, done, of int) {
		x.tool.Status.Tell(func() string {
			return fmt.Sprintf("%s: %d of %d samplings; mutant %d of %d", console.Label(m.Protocol.Name, m.Check.Variant), done, of, i+1, len(x.mutants))
		})
	}
	fresh, err := experiment.Compare(m, opt)
	x.tool.Status.Clear()
	if err != nil || x.tool.Interrupted() {
		return nil, err
	}
	for _, c := range fresh {
		known[c.Strategy] = c
		if err := x.keep(c); err != nil {
			return nil, err
		}
	}
	var all []experiment.Catch
	for _, name := range x.opt.Strategies {
		all = append(all, known[name])
	}
	return all, nil
}

// keep adds a result to the file.
func (x *comparison) keep(result any) error {
	if x.file == nil {
		return nil
	}
	return console.PrintJSON(x.file, result)
}

// reach counts the states that each strategy meets, protocol by protocol.
func (x *comparison) reach() error {
	for i := 0; i < len(x.mutants); {
		k := i
		for k < len(x.mutants) && x.mutants[k].Protocol == x.mutants[i].Protocol {
			k++
		}
		met, err := x.reached(x.mutants[i:k])
		if err != nil {
			return err
		}
		x.reaches = append(x.reaches, met...)
		for _, r := range met {
			if x.json {
				if err := console.PrintJSON(x.tool.Out, r); err != nil {
					return err
				}
			}
		}
		i = k
	}
	return nil
}

// reached counts the states of the protocol of some mutants, unless there are results already.
func (x *comparison) reached(of []experiment.Mutant) ([]experiment.Reach, error) {
	if known := x.before.Reaches(of[0].Protocol.Name, x.opt.Strategies); known != nil {
		return known, nil
	}
	x.tool.Status.Tell(func() string { return "states of " + of[0].Protocol.Name })
	met, err := experiment.MeasureReach(of, x.opt)
	x.tool.Status.Clear()
	for _, r := range met {
		if err := x.keep(r); err != nil {
			return nil, err
		}
	}
	return met, err
}

// printReaches prints how many states each strategy met in each protocol.
func (x *comparison) printReaches(out io.Writer) {
	layout := fmt.Sprintf("%%-%ds  %%-9s  %%9v  %%6v\n", slices.Max(append(lengths(x.reaches), len("PROTOCOL"))))
	fmt.Fprintln(out)
	fmt.Fprintf(out, layout, "PROTOCOL", "STRATEGY", "STATES", "%")
	for _, r := range x.reaches {
		n := r.Points[len(r.Points)-1].States
		fmt.Fprintf(out, layout, r.Protocol, r.Strategy, n, fmt.Sprintf("%.1f", 100*float64(n)/float64(max(r.States, 1))))
	}
	fmt.Fprintf(out, "STATES are those of all nodes together that %s met, without bugs; %% is of those that any strategy met.\n", console.Counted(x.opt.Schedules, "schedule", "schedules"))
}

// lengths returns the lengths of the protocols' names.
func lengths(of []experiment.Reach) (all []int) {
	for _, r := range of {
		all = append(all, len(r.Protocol))
	}
	return all
}

// add prints the strategies' results for a mutant.
func (x *comparison) add(catches []experiment.Catch) error {
	x.catches = append(x.catches, catches...)
	for _, c := range catches {
		c.Seconds = x.tool.PrintedSeconds(c.Seconds)
		if !x.json {
			fmt.Fprintf(x.tool.Out, x.layout, c.Protocol, c.Mutant, c.Strategy, c.Median, c.Interval(),
				fmt.Sprintf("%d/%d", c.Found, len(c.Tries)), fmt.Sprintf("%.2f", c.Seconds))
		} else if err := console.PrintJSON(x.tool.Out, c); err != nil {
			return err
		}
	}
	return nil
}

// close prints a summary, and writes the requested page.
func (x *comparison) close() error {
	out := x.tool.Out
	if x.json {
		out = x.tool.Err
	} else if len(x.catches) > 0 {
		x.standings(out)
	}
	if !x.json && len(x.reaches) > 0 {
		x.printReaches(out)
	}
	if len(x.left) > 0 && !x.json {
		fmt.Fprintln(out)
	}
	for _, why := range slices.Sorted(maps.Keys(x.left)) {
		fmt.Fprintf(out, "Left out, as %s: %s.\n", why, strings.Join(x.left[why], ", "))
	}
	if x.flags.html == "" {
		return nil
	}
	var b bytes.Buffer
	r := experiment.Report{Options: x.opt, Catches: x.catches, Reaches: x.reaches, Omitted: x.left, Command: x.flags.command(x.args)}
	if err := r.Page(&b); err != nil {
		return err
	}
	if err := os.WriteFile(x.flags.html, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

// standings prints how the strategies did on all mutants.
func (x *comparison) standings(out io.Writer) {
	fmt.Fprintf(out, "\n%-9s  %9s  %s\n", "STRATEGY", "SCHEDULES", "FOUND BY SEEDS")
	for _, s := range experiment.Standings(x.catches) {
		fmt.Fprintf(out, "%-9s  %9s  %d of %d\n", s.Strategy, s.Mean.Factor(), s.Found, s.Seeds)
	}
	fmt.Fprintln(out, "SCHEDULES is the geometric mean of the medians. Where one is > N, N + 1 counts, and the mean is a lower bound (≥).")
	if ratio, n := experiment.Ratio(x.catches, strategy.Default); n > 0 && len(x.opt.Strategies) > 1 {
		fmt.Fprintf(out, "The %s needs %s times the schedules of the best other strategy: the median of %s.\n", strategy.Default, ratio.Factor(), console.Counted(n, "mutant", "mutants"))
	}
	if missed := experiment.Missed(x.catches); len(missed) > 0 {
		fmt.Fprintf(out, "Found by none: %s.\n", strings.Join(missed, ", "))
	}
}
