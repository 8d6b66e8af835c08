package mutants

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"contend/checker/plan"
	"contend/checker/sample/strategy"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/lab/experiment"
	"contend/model"
)

const strategiesHelp = `--strategies compares strategies instead: it samples each mutant by each strategy, with several seeds, until
a schedule violates the claim. SCHEDULES is the median over the seeds, the lower one of two, of the number
of that schedule. The interval contains the median of all seeds with a confidence of 95% or more, whatever
the distribution; it needs six seeds. "> 1000" says that the violation was not found in 1000 schedules.
Schedules are the same on every machine, with any number of workers, unless --timeout ends the sampling.
SECONDS is the median too: of CPU time with --workers 1, where the system counts it, else of one thread by
the clock. A grid is sampled with real-valued times. A mutant whose claim
is not one of safety is left out.`

// strategiesFlags are the flags of the comparison of strategies.
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

// idle refuses flags that only a comparison reads.
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

// valid returns an error if a flag is wrong; else nil.
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
	return verdict.Tool + " " + console.Quoted(out)
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
	jobs, err := Trials(targets)
	if err != nil {
		return 0, err
	}
	mutants, left, err := sampleable(jobs)
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

// sampleable returns the mutants whose claims a sampled schedule may violate, and the names of the others by the
// reason.
func sampleable(jobs []*plan.Plan) (mutants []experiment.Mutant, left map[string][]string, err error) {
	left = map[string][]string{}
	for _, j := range jobs {
		if v, err := j.Protocol.Variant(j.Check.Variant); err != nil || !v.Mutant() {
			continue
		}
		m := experiment.Mutant{Protocol: j.Protocol, Check: j.Check}
		if m.Check.Reading == model.Grid {
			m.Check.Reading = model.Dense
		}
		why, err := experiment.ExclusionReason(m)
		if err != nil {
			return nil, nil, err
		}
		if why != "" {
			left[why] = append(left[why], console.Label(j.Protocol.Name, j.Check.Variant))
			continue
		}
		mutants = append(mutants, m)
	}
	return mutants, left, nil
}
