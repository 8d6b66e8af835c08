// Package driving has the verb drive, which replays runs of a protocol on an implementation.
package driving

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/drive"
	"contend/checker/suite"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/checker/watch"
	"contend/model"
	"contend/traces"
)

// driveFlags are those of drive.
type driveFlags struct {
	config      flags.Config
	adapter     string
	cover       string
	samples     int
	seed        uint64
	suite       string
	maxStates   int
	maxSteps    int
	stepTimeout time.Duration
	timeout     time.Duration
	output      flags.Output
}

func (f *driveFlags) bind(set *pflag.FlagSet, all []*model.Protocol) {
	set.SortFlags = false
	set.StringVar(&f.adapter, "adapter", "", "the `COMMAND` of the implementation's adapter; words are separated by spaces")
	set.StringVar(&f.cover, "cover", string(suite.Transitions), "what the runs have to take: transitions, pairs (of adjacent transitions), or samples (drawn at random)")
	set.IntVar(&f.samples, "samples", 100, "the `NUMBER` of runs with --cover samples")
	set.Uint64Var(&f.seed, "seed", 1, "the `SEED` of --cover samples")
	set.StringVar(&f.suite, "suite", "", "write the runs as traces to a new `DIR`")
	f.config.BindSizes(set, all)
	set.IntVar(&f.maxStates, "max-states", 20_000, "compute the suite from at most `N` states")
	set.IntVar(&f.maxSteps, "max-steps", 200, "let runs have at most `N` steps, unless a transition is farther")
	set.DurationVar(&f.stepTimeout, "step-timeout", 10*time.Second, "the `TIME` for an answer of the adapter")
	set.DurationVar(&f.timeout, "timeout", 0, "stop after `TIME`, such as 30s or 5m")
	f.output.Bind(set)
}

// Verb is the verb drive.
func Verb(t *tool.Tool) *cobra.Command {
	var f driveFlags
	c := t.Verb(cobra.Command{
		Use:   "drive PROTOCOL[/VARIANT]",
		Short: "replay runs of a protocol on an implementation, and compare",
		Long: `Drive computes a test suite from the protocol and its bounds: few runs that together take each transition of
the state space. It replays each run on an implementation, in any language, and compares what the
implementation sends, returns and shows with the protocol, after each step. The adapter is a process that
reads a JSON object a line on its standard input, and answers each with a line on its standard output.
docs/drive.md describes them.

The first difference is printed with both sides. Its run is made smaller, and kept in --out DIR, to be
replayed first the next time. A choice of the implementation selects among the branches of the protocol.

Exit codes:
  0   the implementation agrees with the protocol in all runs
  1   it differs, crashes, or does not answer
  2   bad usage, or an answer that cannot be read
  3   a limit was hit: the suite covers a part of the state space, or time was over`,
		Example: `  verify drive twophase -n 2 --adapter "python3 participant.py"
  verify drive twophase -n 2 --cover pairs --suite runs`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) { return run(t, args, &f) })
	f.bind(c.Flags(), t.Suite)
	t.CompleteParams(c, &f.config)
	return c
}

// check returns an error for bad values of flags.
func (f *driveFlags) check(args []string) error {
	switch {
	case len(args) != 1:
		return fmt.Errorf("drive needs one protocol")
	case f.adapter == "" && f.suite == "":
		return fmt.Errorf("drive needs --adapter, or --suite for the runs alone")
	case f.adapter != "" && len(strings.Fields(f.adapter)) == 0:
		return fmt.Errorf("adapter: the command is blank")
	case !slices.Contains(suite.Covers, suite.Cover(f.cover)):
		return fmt.Errorf("cover: %.40q is not one of %v", f.cover, suite.Covers)
	case f.samples < 1 || f.maxStates < 1 || f.maxSteps < 1:
		return fmt.Errorf("samples, max-states and max-steps must be at least 1")
	case f.stepTimeout <= 0 || f.timeout < 0:
		return fmt.Errorf("step-timeout must be above 0, and timeout 0 or more")
	}
	return nil
}

func run(t *tool.Tool, args []string, f *driveFlags) (int, error) {
	if err := f.check(args); err != nil {
		return 0, err
	}
	targets, err := t.Targets(args)
	if err != nil {
		return 0, err
	}
	p, variant := targets[0].Protocol, targets[0].Variant
	config, err := f.config.Configure(p, model.Config{})
	if err != nil {
		return 0, err
	}
	opt := suite.Options{Cover: suite.Cover(f.cover), Samples: f.samples, Seed: f.seed, MaxStates: f.maxStates, MaxSteps: f.maxSteps, Stop: t.Interrupt}
	if f.suite != "" {
		if err := flags.WritableDirectory("suite", f.suite); err != nil {
			return 0, err
		}
		if old, _ := os.ReadDir(f.suite); len(old) > 0 {
			return 0, fmt.Errorf("suite: %s is not empty", f.suite)
		}
	}
	if f.adapter == "" {
		return f.write(t, p, variant, config, opt)
	}
	if err := f.output.Writable(); err != nil {
		return 0, err
	}
	return f.drive(t, p, variant, config, opt)
}

// write writes the suite alone.
func (f *driveFlags) write(t *tool.Tool, p *model.Protocol, variant string, c model.Config, opt suite.Options) (int, error) {
	if f.timeout > 0 {
		opt.Deadline = time.Now().Add(f.timeout)
	}
	var s *suite.Suite
	w := watch.Watch{Interrupt: t.Interrupt, Notify: t.Status.Stuck}
	opt.Running = w.Cell()
	err := w.Run(func() (err error) {
		s, err = suite.New(p, variant, c, opt)
		return err
	})
	if err == nil {
		err = save(s, f.suite)
	}
	if err != nil {
		return 0, err
	}
	code := console.ExitHolds
	if s.Limit != "" {
		code = console.ExitLimit
	}
	x := newDriven(p, variant, c, &drive.Result{Suite: s, Limit: s.Limit}, "")
	x.Verdict = ""
	if f.output.JSON {
		return code, console.PrintJSON(t.Out, x)
	}
	_, err = fmt.Fprintf(t.Out, "%s: %s\nthe runs are in %s\n", titleOf(p, variant, c), s, console.Plain(f.suite))
	return code, err
}

// save writes the runs of a suite.
func save(s *suite.Suite, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, r := range s.Runs {
		if err := traces.Save(filepath.Join(dir, fmt.Sprintf("run-%05d.json", i+1)), r.Trace); err != nil {
			return err
		}
	}
	return nil
}

// drive replays the suite on the implementation.
func (f *driveFlags) drive(t *tool.Tool, p *model.Protocol, variant string, c model.Config, opt suite.Options) (int, error) {
	o := drive.Options{Suite: opt, StepTimeout: f.stepTimeout, Timeout: f.timeout, Stop: t.Interrupt}
	file := ""
	if f.output.Dir != "" {
		o.First = drive.Kept(f.output.Dir, p, variant, c)
		o.Found = func(run *traces.Trace) { file, _ = drive.Keep(f.output.Dir, run) } // the second try below reports an error
	}
	var r *drive.Result
	w := watch.Watch{Interrupt: t.Interrupt, Notify: t.Status.Stuck}
	o.Suite.Running = w.Cell()
	err := w.Run(func() (err error) {
		r, err = drive.Drive(p, variant, c, drive.Command(strings.Fields(f.adapter)...), o)
		return err
	})
	if r == nil {
		return 0, err
	}
	if d := r.Difference; d != nil && d.Trace != nil && f.output.Dir != "" {
		var failed error
		if file, failed = drive.Replace(f.output.Dir, file, d.Trace); failed != nil {
			err = errors.Join(err, fmt.Errorf("the run is not kept: %w", failed))
		}
	}
	if err == nil && f.suite != "" {
		err = save(r.Suite, f.suite)
	}
	if err != nil {
		return 0, err
	}
	if f.output.JSON {
		return code(r), console.PrintJSON(t.Out, newDriven(p, variant, c, r, file))
	}
	return code(r), print(t.Out, p, variant, c, r, file)
}

// code returns the exit code of a result.
func code(r *drive.Result) int {
	switch r.Verdict {
	case drive.Differs:
		return console.ExitViolated
	case drive.Inconclusive:
		return console.ExitLimit
	}
	return console.ExitHolds
}
