package flags

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"contend/checker"
	"contend/checker/exhaustive"
	"contend/checker/sample/strategy"
)

// Limits are the flags that bound and tune the checks.
type Limits struct {
	flags      *pflag.FlagSet
	maxStates  int64
	maxMemory  Memory
	timeout    time.Duration
	reduce     []string
	seed       uint64
	whole      bool
	profile    bool
	workers    int
	bits       int
	checkpoint string
	resume     string
	// Sampling means that schedules are sampled after a limit stops a search. Some verbs do not sample.
	Sampling bool
}

// Bind adds the flags to a command.
func (f *Limits) Bind(flags *pflag.FlagSet) {
	f.flags = flags
	flags.Int64Var(&f.maxStates, "max-states", 0, "stop a search after `N` states")
	flags.Var(&f.maxMemory, "max-memory", "let a search use `SIZE` of memory, such as 4GiB (at least 64MiB), and then continue with files")
	flags.DurationVar(&f.timeout, "timeout", 0, "stop each search after `TIME`, such as 30s or 5m")
	flags.StringSliceVar(&f.reduce, "reduce", nil, "use these reductions: `LIST` of symmetry, clients, stale and merging, or none (default all)")
	flags.IntVar(&f.workers, "workers", 0, "use `N` threads (default one per processor)")
	flags.IntVar(&f.bits, "fingerprints", 64, "store `BITS` per state fingerprint: 64 or 128")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "save checkpoints of searches in `DIR`, every minute and when a limit stops them")
	flags.StringVar(&f.resume, "resume", "", "continue from the checkpoints in `DIR`, and save new ones there")
	flags.Uint64Var(&f.seed, "seed", 1, "sample schedules with seed `N`")
	flags.BoolVar(&f.whole, "no-minimize", false, "show a sampled run that violates a claim as it was found")
	flags.BoolVar(&f.profile, "profile", false, "print which fields make states differ")
}

// Options returns the checker's options for the flags.
func (f *Limits) Options() (checker.Options, error) {
	opt := checker.Options{
		MaxStates: f.maxStates, MaxMemory: int64(f.maxMemory), Timeout: f.timeout, Seed: f.seed, Profile: f.profile, NoMinimize: f.whole, Beyond: f.Sampling,
		Workers: f.workers, Fingerprints: f.bits,
	}
	if f.flags.Changed("workers") && (f.workers < 1 || f.workers > 256) {
		return opt, fmt.Errorf("workers is %d, but must be 1 to 256", f.workers)
	}
	if err := f.checkpoints(&opt); err != nil {
		return opt, err
	}
	if f.bits != 64 && f.bits != 128 {
		return opt, fmt.Errorf("fingerprints is %d, but must be 64 or 128", f.bits)
	}
	if f.flags.Changed("max-states") && f.maxStates < 1 {
		return opt, fmt.Errorf("max-states is %d, but must be 1 or more", f.maxStates)
	}
	if f.flags.Changed("max-memory") && f.maxMemory < leastMemory {
		return opt, fmt.Errorf("max-memory is %d B, but must be 64MiB or more", int64(f.maxMemory))
	}
	if f.flags.Changed("timeout") && f.timeout <= 0 {
		return opt, fmt.Errorf("timeout is %v, but must be more than 0", f.timeout)
	}
	if !f.flags.Changed("reduce") {
		return opt, nil
	}
	opt.Reduce = []string{}
	for _, r := range f.reduce {
		switch {
		case r == "none" && len(f.reduce) == 1:
		case slices.Contains(exhaustive.Reductions, r):
			opt.Reduce = append(opt.Reduce, r)
		default:
			return opt, fmt.Errorf("--reduce is %q, but must be none, or some of %s", strings.Join(f.reduce, ","), strings.Join(exhaustive.Reductions, ", "))
		}
	}
	return opt, nil
}

// OneSearch reports whether a flag is about the time, the memory or the files of one search.
func (f *Limits) OneSearch() bool {
	return f.timeout > 0 || f.maxMemory > 0 || f.checkpoint != "" || f.resume != ""
}

// Bound limits the time of each check, unless a flag sets a limit.
func (f *Limits) Bound(usual time.Duration) {
	if !f.flags.Changed("timeout") && !f.flags.Changed("max-states") {
		f.timeout = usual
	}
}

// Bounded is the limit that [Limits.Bound] set, or 0.
func (f *Limits) Bounded() time.Duration {
	if f.flags.Changed("timeout") {
		return 0
	}
	return f.timeout
}

// leastMemory is the least memory for any search: the program, its tables and caches.
const leastMemory = 64 << 20

// checkpoints sets the options for checkpoints.
func (f *Limits) checkpoints(opt *checker.Options) error {
	if f.resume == "" {
		opt.Checkpoints = f.checkpoint
		return nil
	}
	if f.checkpoint != "" && f.checkpoint != f.resume {
		return fmt.Errorf("--checkpoint is %s, but --resume saves its checkpoints in %s", f.checkpoint, f.resume)
	}
	if info, err := os.Stat(f.resume); err != nil || !info.IsDir() {
		return fmt.Errorf("--resume is %s, but must be a directory with checkpoints", f.resume)
	}
	opt.Checkpoints, opt.Resume = f.resume, true
	return nil
}

// Writable returns an error if checkpoints cannot be written; nil if they can, or are not requested.
func (f *Limits) Writable() error {
	switch {
	case f.resume != "":
		return WritableDirectory("resume", f.resume)
	case f.flags.Changed("checkpoint"):
		return WritableDirectory("checkpoint", f.checkpoint)
	}
	return nil
}

// Memory is a flag for an amount of memory, in bytes.
type Memory int64

var units = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// Set parses an amount.
func (m *Memory) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if bytes := f * u.bytes; err == nil && bytes >= 1 && bytes < math.MaxInt64 {
			*m = Memory(bytes)
			return nil
		}
		break
	}
	return fmt.Errorf("not an amount of memory")
}

func (m *Memory) String() string {
	if *m == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*m), 10)
}

// Type names the kind of flag.
func (m *Memory) Type() string { return "memory" }

// Strategy are the flags that choose between searching and sampling.
type Strategy struct {
	flags     *pflag.FlagSet
	Strategy  string
	schedules int64
}

// Strategies are the ways to check, with a line on each.
var Strategies = append([][2]string{
	{"exhaustive", "visits every reachable state, breadth first; a claim holds if none of them breaks it"},
}, samplers()...)

// samplers returns the strategies that sample, with their descriptions.
func samplers() (all [][2]string) {
	for _, k := range strategy.All() {
		all = append(all, [2]string{k.Name, k.Description})
	}
	return all
}

// defaultSchedules are sampled when no number is given.
const defaultSchedules = 1000

// Bind adds the flags to a command; usual is the strategy that stands where none is given.
func (f *Strategy) Bind(flags *pflag.FlagSet, usual string) {
	f.flags = flags
	flags.StringVar(&f.Strategy, "strategy", usual, "how to explore runs: `NAME` is exhaustive, or samples schedules: "+strings.Join(strategy.Names(), ", "))
	flags.Int64Var(&f.schedules, "schedules", defaultSchedules, "sample `N` schedules; implies --strategy "+strategy.Default)
}

// Sampled returns how many schedules to sample; 0 asks for a search.
func (f *Strategy) Sampled() (int, error) {
	if f.schedules < 1 || f.schedules > math.MaxInt32 {
		return 0, fmt.Errorf("schedules is %d, but must be 1 to %d", f.schedules, math.MaxInt32)
	}
	counted, chosen := f.flags.Changed("schedules"), f.flags.Changed("strategy")
	_, unknown := strategy.Find(f.Strategy)
	switch {
	case unknown == nil, counted && !chosen:
		return int(f.schedules), nil
	case f.Strategy == "exhaustive" && counted:
		return 0, fmt.Errorf("--schedules is set, but --strategy is exhaustive, which samples no schedules")
	case f.Strategy == "exhaustive":
		return 0, nil
	}
	return 0, fmt.Errorf("--strategy is %q, but must be exhaustive, or one of %s%s", f.Strategy, strings.Join(strategy.Names(), ", "), DidYouMean(f.Strategy, strategy.Names()))
}

// Sampler returns the strategy for sampled schedules.
func (f *Strategy) Sampler() string {
	if f.Strategy == "exhaustive" {
		return strategy.Default
	}
	return f.Strategy
}

// Changed reports whether a flag selects a strategy.
func (f *Strategy) Changed() bool {
	return f.flags.Changed("strategy") || f.flags.Changed("schedules")
}

// Output are the flags for where results go.
type Output struct {
	flags    *pflag.FlagSet
	JSON     bool
	Findings bool // also print the runs of findings, which are known violations
	Rows     bool // print each row of several protocols, and all that rows remark on
	Dir      string
}

// Bind adds the flags to a command.
func (f *Output) Bind(flags *pflag.FlagSet) {
	f.flags = flags
	flags.BoolVar(&f.JSON, "json", false, "print one JSON object per line")
	flags.StringVar(&f.Dir, "out", "contend-traces", "write traces of violations to `DIR`")
}

// BindRows adds the flags that are for verbs which print rows and runs.
func (f *Output) BindRows(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Rows, "rows", false, "print every row of several protocols, and every note")
	flags.BoolVar(&f.Findings, "findings", false, "also print the runs of findings, which are known violations")
}

// Writable returns an error if traces cannot be written; nil if they can, or are not requested.
func (f *Output) Writable() error {
	if f.Dir == "" && !f.flags.Changed("out") {
		return nil
	}
	return WritableDirectory("out", f.Dir)
}

// Changed reports whether a flag names a directory for traces.
func (f *Output) Changed() bool { return f.flags.Changed("out") }
