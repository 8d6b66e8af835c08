// Package living has the verb live, which runs the nodes of a protocol as processes.
package living

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/live"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/model"
)

// nodeVerb is the verb of a node's process.
const nodeVerb = "live-node"

// liveFlags are those of live.
type liveFlags struct {
	config flags.Config
	length time.Duration
	tick   time.Duration
	pace   int64
	late   int
	seed   uint64
	dir    string
	json   bool
	svg    string
}

func (f *liveFlags) bind(set *pflag.FlagSet, suite []*model.Protocol) {
	set.SortFlags = false
	set.DurationVar(&f.length, "for", 10*time.Second, "run for `TIME`, at most 1h")
	set.DurationVar(&f.tick, "tick", 20*time.Millisecond, "a tick of the protocol lasts `TIME`, 1µs to 1s")
	set.Int64Var(&f.pace, "pace", 50, "an event without a latest instant happens within `N` ticks")
	set.IntVar(&f.late, "late", 0, "`N` messages take longer than the protocol permits")
	set.StringVar(&f.dir, "logs", "", "keep the logs in the directory `DIR`, which is empty or new")
	f.config.BindSizes(set, suite)
	set.Uint64Var(&f.seed, "seed", 1, "draw instants of faults and of events from `N`; the machine decides too")
	set.StringVar(&f.svg, "svg", "", "draw the response times, beside those of a simulation, to `FILE`")
	set.BoolVar(&f.json, "json", false, "print one JSON object")
}

// Verb is the verb live.
func Verb(t *tool.Tool) *cobra.Command {
	var f liveFlags
	c := t.Verb(cobra.Command{
		Use:   "live PROTOCOL[/VARIANT]",
		Short: "run the nodes of a protocol as processes, with faults",
		Long: `Live runs each node of a protocol as a process of this machine. Messages go by TCP, and alarms follow the
clock. Applications have 200 operations each, unless --ops says otherwise. The faults are those of the
flags: crashes are kills, and restarted nodes find their stable fields on the disk. The last -b nodes lie.

In the end the logs of all nodes are held against the protocol, as verify validate does, and the claims are
judged on the run. An assumption on time that did not hold is named. docs/live.md describes a run.

Exit codes:
  0   the logs are explained, and the run violates no claim
  1   the logs are not explained, or the run violates a claim
  2   bad usage, or a process failed
  3   a limit was hit, or a claim is violated after an assumption on time did not hold`,
		Example: `  verify live backoff -n 6 -b 1 --clients 8 --for 60s
  verify live backoff -n 3 --loss 10 --restarts 5
  verify live backoff/lease-delta -n 1`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) { return run(t, args, &f) })
	f.bind(c.Flags(), t.Suite)
	t.CompleteParams(c, &f.config)
	return c
}

// Node is the verb of the process of a node.
func Node(t *tool.Tool) *cobra.Command {
	c := t.Verb(cobra.Command{Use: nodeVerb, Short: "run a node for the verb live", Long: "Live-node runs a node. The verb live starts it.", Hidden: true},
		func([]string) (int, error) { return console.ExitHolds, live.Serve(t.Protocol, os.Stdin) })
	return c
}

func run(t *tool.Tool, args []string, f *liveFlags) (int, error) {
	if len(args) != 1 {
		return 0, fmt.Errorf("live needs one protocol")
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
	dir, remove, err := directory(f.dir)
	if err != nil {
		return 0, err
	}
	defer remove()
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	r, err := live.Run(p, variant, config, live.Options{For: f.length, Tick: f.tick, Pace: f.pace, Late: f.late, Seed: f.seed, Dir: dir, Stop: t.Interrupt,
		Command: func() *exec.Cmd {
			c := exec.Command(self, nodeVerb)
			c.Args[0] = console.Program // a test binary is several programs
			return c
		}})
	if err != nil {
		return 0, err
	}
	if f.json {
		err = console.PrintJSON(t.Out, newRun(p, variant, r, f))
	} else {
		err = print(t.Out, p, variant, r, f)
	}
	return code(r), errors.Join(err, draw(f.svg, r))
}

// draw writes the chart of response times.
func draw(path string, r *live.Result) error {
	if path == "" {
		return nil
	}
	c := r.Chart()
	if c == nil {
		return fmt.Errorf("svg: there is no prediction of response times: no operation returned, or a message may take any time")
	}
	return os.WriteFile(path, []byte(c.SVG()), 0o666)
}

// directory returns the directory for the logs, and a function that removes it unless it is kept.
func directory(path string) (dir string, remove func(), err error) {
	if path == "" {
		dir, err = os.MkdirTemp("", "live-")
		return dir, func() { os.RemoveAll(dir) }, err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return "", nil, fmt.Errorf("logs: %s: %w", path, errors.Unwrap(err))
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("logs: %s is not empty", path)
	}
	return path, func() {}, err
}

// code returns the exit code of a result.
func code(r *live.Result) int {
	switch {
	case r.Broken():
		return console.ExitViolated
	case r.Inconclusive():
		return console.ExitLimit
	}
	return console.ExitHolds
}
