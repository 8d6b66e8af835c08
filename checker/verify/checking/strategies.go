package checking

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"contend/checker"
	"contend/checker/experiment"
	"contend/checker/sample/strategy"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/checker/watch"
	"contend/model"
)

const strategiesHelp = `--strategies compares strategies instead: it samples each mutant by each strategy, with several seeds, until
a schedule violates the claim. SCHEDULES is the median over the seeds, the lower one of two, of the number
of that schedule. The interval contains the median of all seeds with a confidence of 95% or more, whatever
the distribution; it needs six seeds. "> 1000" says that the violation was not found in 1000 schedules.
Schedules are the same on every machine, with any number of workers, unless --timeout ends the sampling.
SECONDS is the median too: of CPU time with --workers 1, where the system counts it, else of one thread by
the clock. A grid is sampled with real-valued times. A mutant whose claim
no finite run can refute is left out.`

// strategiesFlags are those by which strategies are compared.
type strategiesFlags struct {
	flags     *pflag.FlagSet
	names     []string
	seeds     int
	schedules int
	html      string
	results   string
	states    bool
}

func (f *strategiesFlags) bind(set *pflag.FlagSet) {
	f.flags = set
	set.StringSliceVar(&f.names, "strategies", nil, "compare the strategies in `LIST`, or all: "+strings.Join(strategy.Names(), ", "))
	set.IntVar(&f.seeds, "seeds", 10, "with --strategies: sample each mutant with `N` seeds, the first of which is --seed")
	set.IntVar(&f.schedules, "schedules", 1000, "with --strategies: sample `N` schedules with each seed, at most")
	set.BoolVar(&f.states, "states", false, "with --strategies: count the states of nodes that each strategy meets in the protocols without bugs, too")
	set.StringVar(&f.results, "results", "", "with --strategies: add results to `FILE`, one JSON object a line, and take over those that it has of the same build")
	set.StringVar(&f.html, "html", "", "with --strategies: write a page with a chart to `FILE`")
}

func (f *strategiesFlags) asked() bool { return f.flags.Changed("strategies") }

// idle refuses what only a comparison reads.
func (f *strategiesFlags) idle() error {
	for _, name := range []string{"seeds", "schedules", "states", "results", "html"} {
		if f.flags.Changed(name) {
			return fmt.Errorf("--%s is set, but has no effect without --strategies", name)
		}
	}
	return nil
}

// uncompared are the flags that only a search, or a trace, reads.
var uncompared = []string{"out", "max-states", "max-memory", "reduce", "fingerprints", "profile", "checkpoint", "resume", "no-minimize"}

// valid says in a sentence what is wrong with the flags, or nil.
func (f *strategiesFlags) valid() error {
	for _, name := range uncompared {
		if f.flags.Changed(name) {
			return fmt.Errorf("--%s is set, but has no effect with --strategies", name)
		}
	}
	if slices.Equal(f.names, []string{"all"}) {
		f.names = strategy.Names()
	}
	if len(f.names) == 0 {
		return fmt.Errorf("--strategies is empty, but must be all, or some of %s", strings.Join(strategy.Names(), ", "))
	}
	for i, name := range f.names {
		if _, err := strategy.Find(name); err != nil {
			return fmt.Errorf("--strategies has %q, but must be all, or some of %s%s", name, strings.Join(strategy.Names(), ", "), flags.DidYouMean(name, strategy.Names()))
		}
		if slices.Contains(f.names[:i], name) {
			return fmt.Errorf("--strategies has %s twice", name)
		}
	}
	if f.seeds < 1 || f.seeds > 1000 {
		return fmt.Errorf("seeds is %d, but must be 1 to 1000", f.seeds)
	}
	if f.schedules < 1 || f.schedules > math.MaxInt32 {
		return fmt.Errorf("schedules is %d, but must be 1 to %d", f.schedules, math.MaxInt32)
	}
	if f.flags.Changed("results") {
		if err := flags.WritableFile("results", f.results); err != nil {
			return err
		}
	}
	if f.flags.Changed("html") {
		return flags.WritableFile("html", f.html)
	}
	return nil
}

// open reads the file of results, and leaves it open to add to; neither where there is none. What was not written to its end is cut off.
func (f *strategiesFlags) open(opt experiment.Options) (before *experiment.Results, file *os.File, err error) {
	if f.results == "" {
		before, _, err = experiment.ReadResults(strings.NewReader(""))
		return before, nil, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("--results: %s: %w", f.results, err)
		}
	}()
	if file, err = os.OpenFile(f.results, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, nil, errors.Unwrap(err)
	}
	before, whole, err := experiment.ReadResults(file)
	if err == nil {
		err = before.Fit(opt)
	}
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return before, file, nil
}

// command is the command line that compares the same again; where the output goes is left out.
func (f *strategiesFlags) command(args []string) string {
	out := append([]string{"mutants"}, args...)
	f.flags.Visit(func(flag *pflag.Flag) {
		if !slices.Contains([]string{"html", "json", "results"}, flag.Name) {
			out = append(out, "--"+flag.Name, strings.Trim(flag.Value.String(), "[]"))
		}
	})
	return checker.Tool + " " + console.Quoted(out)
}

// compare samples the mutants of the protocols named, or of all, by each strategy.
func compare(t *tool.Tool, args []string, f *strategiesFlags, limits *flags.Limits, output *flags.Output) (int, error) {
	targets, err := t.Targets(args)
	if err != nil {
		return 0, err
	}
	limit, err := limits.Options()
	if err != nil {
		return 0, err
	}
	if err := f.valid(); err != nil {
		return 0, err
	}
	mutants, left, err := sampleable(trials(targets))
	if err != nil {
		return 0, err
	}
	if len(mutants) == 0 {
		return 0, fmt.Errorf("--strategies is set, but no mutant that is named has a claim that a sampled schedule can violate")
	}
	opt := experiment.Options{
		Strategies: f.names, Seeds: f.seeds, Seed: limit.Seed, Schedules: f.schedules, Timeout: limit.Timeout, Workers: limit.Workers, Interrupt: t.Interrupt,
	}
	x := newComparison(t, output.JSON, mutants, f, opt)
	x.left, x.args = left, args
	if x.before, x.file, err = f.open(opt); err != nil {
		return 0, err
	}
	if x.file != nil {
		defer x.file.Close()
	}
	return x.run()
}

// sampleable are the mutants whose claims a sampled schedule may violate, and the names of those that are left out, by the reason.
func sampleable(jobs []report.Job) (mutants []experiment.Mutant, left map[string][]string, err error) {
	if err := report.Validate(jobs); err != nil {
		return nil, nil, err
	}
	left = map[string][]string{}
	for _, j := range jobs {
		if v, err := j.Protocol.Variant(j.Check.Variant); err != nil || !v.Mutant() {
			continue
		}
		if j.Check.Reading == model.Grid {
			j.Check.Reading = model.Dense
		}
		why, err := checker.Unsampled(j.Protocol, j.Check)
		if err != nil {
			return nil, nil, err
		}
		if why != "" {
			left[why] = append(left[why], console.Label(j.Protocol.Name, j.Check.Variant))
			continue
		}
		mutants = append(mutants, experiment.Mutant{Protocol: j.Protocol, Check: j.Check})
	}
	return mutants, left, nil
}

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
	if known := x.before.Reached(of[0].Protocol.Name, x.opt.Strategies); known != nil {
		return known, nil
	}
	x.tool.Status.Tell(func() string { return "states of " + of[0].Protocol.Name })
	met, err := experiment.Reached(of, x.opt)
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
		fmt.Fprintf(out, layout, r.Protocol, r.Strategy, n, fmt.Sprintf("%.1f", 100*float64(n)/float64(max(r.Of, 1))))
	}
	fmt.Fprintf(out, "STATES are those of all nodes together that %s met, without bugs; %% is of those that any strategy met.\n", console.Counted(x.opt.Schedules, "schedule", "schedules"))
}

// lengths are those of the names of protocols.
func lengths(of []experiment.Reach) (all []int) {
	for _, r := range of {
		all = append(all, len(r.Protocol))
	}
	return all
}

// add prints what the strategies came to on a mutant.
func (x *comparison) add(catches []experiment.Catch) error {
	x.catches = append(x.catches, catches...)
	for _, c := range catches {
		c.Seconds = x.tool.Shown(c.Seconds)
		if !x.json {
			fmt.Fprintf(x.tool.Out, x.layout, c.Protocol, c.Mutant, c.Strategy, c.Median, c.Interval(),
				fmt.Sprintf("%d/%d", c.Found, len(c.Tries)), fmt.Sprintf("%.2f", c.Seconds))
		} else if err := console.PrintJSON(x.tool.Out, c); err != nil {
			return err
		}
	}
	return nil
}

// close sums up what was compared, and writes the page that is asked for.
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
	r := experiment.Report{Options: x.opt, Catches: x.catches, Reaches: x.reaches, Left: x.left, Command: x.flags.command(x.args)}
	if err := r.Page(&b); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(x.flags.html), 0o755); err != nil {
		return fmt.Errorf("--html: %w", err)
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
		fmt.Fprintf(out, "%-9s  %9s  %d of %d\n", s.Strategy, s.Mean.Factor(), s.Found, s.Of)
	}
	fmt.Fprintln(out, "SCHEDULES is the geometric mean of the medians. Where one is > N, N + 1 counts, and the mean is a lower bound (≥).")
	if ratio, n := experiment.Ratio(x.catches, strategy.Default); n > 0 && len(x.opt.Strategies) > 1 {
		fmt.Fprintf(out, "The %s needs %s times the schedules of the best other strategy: the median of %s.\n", strategy.Default, ratio.Factor(), console.Counted(n, "mutant", "mutants"))
	}
	if missed := experiment.Missed(x.catches); len(missed) > 0 {
		fmt.Fprintf(out, "Found by none: %s.\n", strings.Join(missed, ", "))
	}
}
