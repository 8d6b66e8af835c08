// Package measuring has the verb measure, which simulates the waiting times of clients.
package measuring

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/measure"
	"contend/checker/measure/simulate"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/model"
)

// measureFlags are the flags of measure.
type measureFlags struct {
	config     flags.Config
	contenders []int
	faulty     []string
	delays     string
	runs       int
	seed       uint64
	workers    int
	maxEvents  int
	json       bool
	html, svg  string
}

// usualContenders are the default numbers of contenders.
var usualContenders = []int{1, 2, 4, 8, 16, 32, 64}

func (f *measureFlags) bind(set *pflag.FlagSet, suite []*model.Protocol) {
	set.SortFlags = false
	set.IntSliceVar(&f.contenders, "contenders", usualContenders, "measure with each number of clients in `LIST`, in ascending order")
	set.StringSliceVar(&f.faulty, "faulty", nil, "what faulty servers do: `LIST` of none, silent, random and worst (default none,silent,worst if b > 0)")
	set.StringVar(&f.delays, "delays", string(simulate.Uniform), "how long messages take: `LAW` is uniform, slowest or fastest")
	f.config.BindParams(set, suite, model.Clients, model.Ops)
	set.BoolVar(&f.config.BeyondBounds, "beyond-bounds", false, "measure a configuration that the paper's bound forbids")
	set.IntVar(&f.runs, "runs", 1000, "make `N` independent runs for each point")
	set.Uint64Var(&f.seed, "seed", 1, "seed `N` of the runs")
	set.IntVar(&f.workers, "workers", 0, "use `N` threads (default one per processor)")
	set.IntVar(&f.maxEvents, "max-events", 10_000_000, "stop a run after `N` events")
	set.BoolVar(&f.json, "json", false, "print one JSON object per line")
	set.StringVar(&f.html, "html", "", "write a page with charts to `FILE`")
	set.StringVar(&f.svg, "svg", "", "write each chart to its own file in `DIR`")
}

// Measure is the verb measure.
func Measure(t *tool.Tool) *cobra.Command {
	var f measureFlags
	c := t.Verb(cobra.Command{
		Use:   "measure PROTOCOL[/VARIANT]...",
		Short: "simulate response times for growing numbers of clients",
		Long:  measureHelp(),
		Example: `  verify measure backoff --html response-time.html
  verify measure backoff backoff/quadratic --contenders 1,16,256 --faulty none
  verify measure backoff -n 11 -b 2 --section 100 --delays slowest --json`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) { return measureVariants(t, args, &f) })
	f.bind(c.Flags(), t.Suite)
	t.CompleteParams(c, &f.config)
	return c
}

func measureHelp() string {
	var b strings.Builder
	b.WriteString(`Measure simulates the handlers of a protocol: t clients begin an operation at the same time, and each
waits until it returns. It estimates the amortized system response time, which is the mean of these
waits, their median and 99th percentile, the time until all clients have returned, and the tries and
messages per entry. Each estimate comes from independent runs and has a 95% confidence interval. Measure
then fits laws of growth against t, and says whether they support the statements of the paper. It decides
no claims.

Without a variant, the protocol and the options that its study lists are measured. The configuration is
that of the study, except where flags are set. A run goes on until every client has returned: --tries and
--attempts cut nothing off here, but some options, such as truncated, read them.

Times are real numbers, with a resolution of a millionth of a tick. Backoffs are drawn uniformly from
their windows. --delays says how long a message takes: uniform is a time drawn uniformly from its window,
slowest is δ, fastest is no time. Servers take no time. Events at the same instant happen in random order.

--faulty says what the b servers do that may be faulty:

`)
	for _, behaviour := range measure.Behaviours {
		fmt.Fprintf(&b, "  %-6s  %s\n", behaviour[0], behaviour[1])
	}
	b.WriteString(`
A try is one attempt of a contending client to reach the servers; sending to several servers at once
counts once. Messages are all messages that correct nodes sent, answers included, until all clients had
returned and no message was in flight.

Intervals are Student's t over runs for means, and for quantiles the bootstrap over whole runs. With --json
each line is an object with a key "kind": "point" for one number of clients, "fit" for laws of growth,
"statement" for a statement of the paper. The same seed gives the same result with any number of threads.

Exit codes:
  0   everything was measured
  2   bad usage or bad input
  3   a run did not finish, or measuring was interrupted
  70  an internal error`)
	return b.String()
}

// measureVariants measures a protocol and variants of it.
func measureVariants(t *tool.Tool, args []string, f *measureFlags) (int, error) {
	p, variants, err := measured(t, args)
	if err != nil {
		return 0, err
	}
	config, opt, err := f.options(p)
	if err != nil {
		return 0, err
	}
	if err := f.writable(); err != nil {
		return 0, err
	}
	outlook(t, p, variants, config, opt)
	out := newMeasurements(t, f.json, p, variants)
	opt.Interrupt, opt.Each = t.Interrupt, out.Point
	opt.Progress = func(p measure.Progress) { t.Status.Tell(func() string { return measuring(p) }) }
	report, err := measure.Measure(p, variants, config, opt)
	t.Status.Clear()
	if err != nil {
		return 0, err
	}
	command := f.command(p.Name, args)
	if err := out.Close(report, command); err != nil {
		return 0, err
	}
	return out.Code(report), f.write(report, p, opt, command)
}

// long is the time beyond which the tool prints an estimate before it starts.
const long = 20 * time.Second

// outlook prints an estimate of the time, if it is long. It extrapolates from a few runs of each variant with the
// most contenders, in proportion to contenders and runs.
func outlook(t *tool.Tool, p *model.Protocol, variants []string, config model.Config, opt measure.Options) {
	if len(opt.Contenders) == 0 || len(opt.Faulty) == 0 {
		return // measure says what is wrong
	}
	most, all := slices.Max(opt.Contenders), 0
	for _, n := range opt.Contenders {
		all += n
	}
	pilot := opt
	pilot.Contenders, pilot.Faulty = []int{most}, opt.Faulty[:1]
	var took [2]time.Duration
	runs := [2]int{2, 10}
	for i := range runs {
		start := time.Now()
		pilot.Runs = runs[i]
		if _, err := measure.Measure(p, variants, config, pilot); err != nil || opt.Runs <= runs[i] {
			return
		}
		took[i] = time.Since(start)
	}
	each := float64(took[1]-took[0]) / float64(runs[1]-runs[0])
	takes := time.Duration(each * float64(opt.Runs) * float64(len(opt.Faulty)) * float64(all) / float64(most))
	if takes >= long {
		console.Say(t.Err, "this takes about %s on this machine", console.About(takes))
	}
}

// measured returns the protocol and the variants that the arguments name; without variants, those of the study.
func measured(t *tool.Tool, args []string) (*model.Protocol, []string, error) {
	if len(args) == 0 {
		return nil, nil, fmt.Errorf("measure needs a protocol; %s list lists them", verdict.Tool)
	}
	targets, err := t.Targets(args)
	if err != nil {
		return nil, nil, err
	}
	p := targets[0].Protocol
	var variants []string
	for _, at := range targets {
		if at.Protocol != p {
			return nil, nil, fmt.Errorf("measure compares variants of one protocol, but %s and %s are named", p.Name, at.Protocol.Name)
		}
		if slices.Contains(variants, at.Variant) {
			return nil, nil, fmt.Errorf("%s is named twice", console.Label(p.Name, at.Variant))
		}
		variants = append(variants, at.Variant)
	}
	if len(variants) == 1 && variants[0] == "" && p.Study != nil {
		variants = append(variants, p.Study.Variants...)
	}
	return p, variants, nil
}

// options returns the options of the flags. The study's configuration fills in what they do not set.
func (f *measureFlags) options(p *model.Protocol) (model.Config, measure.Options, error) {
	opt := measure.Options{
		Contenders: f.contenders, Faulty: f.faulty, Runs: f.runs, Seed: f.seed, Workers: f.workers, MaxEvents: f.maxEvents,
	}
	var config model.Config
	if p.Study != nil {
		config = p.Study.Config
	}
	config, err := f.config.Configure(p, config)
	if err != nil {
		return config, opt, fmt.Errorf("%s: %w", p.Name, err)
	}
	if opt.Law, err = simulate.ParseLaw(f.delays); err != nil {
		return config, opt, err
	}
	flags := f.config.Flags
	if flags.Changed("workers") && (f.workers < 1 || f.workers > 256) {
		return config, opt, fmt.Errorf("workers is %d, but must be 1 to 256", f.workers)
	}
	if f.workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if len(f.faulty) == 0 {
		opt.Faulty = []string{"none"}
		if p.Filled(config).B > 0 {
			opt.Faulty = []string{"none", "silent", "worst"}
		}
	}
	return config, opt, nil
}

// command is the command line that measures the same again; where the output goes, and
// how many threads work, is left out.
func (f *measureFlags) command(protocol string, args []string) string {
	out := append([]string{"measure"}, args...)
	f.config.Flags.Visit(func(flag *pflag.Flag) {
		switch value := strings.Trim(flag.Value.String(), "[]"); {
		case slices.Contains([]string{"html", "svg", "json", "workers"}, flag.Name):
		case flag.Value.Type() == "bool":
			out = append(out, "--"+flag.Name)
		case flag.Shorthand != "":
			out = append(out, "-"+flag.Shorthand, value)
		default:
			out = append(out, "--"+flag.Name, value)
		}
	})
	return verdict.Tool + " " + console.Quoted(out)
}

// measuring returns a line on the progress.
func measuring(p measure.Progress) string {
	return fmt.Sprintf("%s, faulty %s: t = %d, %d of %d runs; %d of %d points, %v", console.Label(p.Series.Protocol, p.Series.Variant),
		p.Series.Faulty, p.T, p.Runs, p.Planned, p.Points, p.PlannedPoints, p.Elapsed.Round(100*time.Millisecond))
}
