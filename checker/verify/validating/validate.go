// Package validating has the verb validate, which holds logs of an implementation against a protocol.
package validating

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/conform"
	"contend/checker/conform/mapping"
	"contend/checker/judge"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/checker/watch"
	"contend/model"
	"contend/traces"
)

// validateFlags are those of validate.
type validateFlags struct {
	config     flags.Config
	ignore     []string
	table      string
	silent     []string
	follow     bool
	idle       time.Duration
	openEnded  bool
	unbuffered bool
	maxStates  int
	timeout    time.Duration
	coverage   string
	json       bool
	out        string
}

func (f *validateFlags) bind(set *pflag.FlagSet, suite []*model.Protocol) {
	set.SortFlags = false
	set.StringSliceVar(&f.ignore, "ignore", nil, "do not read these fields of entries: `LIST` of names")
	set.StringVar(&f.table, "map", "", "turn lines into entries by the mapping in `FILE`: see docs/conform.md")
	set.StringSliceVar(&f.silent, "silent", nil, "the logs have none of these fields: `LIST` of receive, alarm, call, result, send and note")
	set.BoolVar(&f.follow, "follow", false, "check logs while they grow, in bounded memory; without --map, --silent names the fields that they lack")
	set.DurationVar(&f.idle, "idle", 0, "with --follow, the logs end when no file has grown for `TIME` (default: never)")
	set.BoolVar(&f.unbuffered, "unbuffered", false, "crashes lose no entries but those of a node's last step: each entry was written before anything depended on it")
	set.BoolVar(&f.openEnded, "open-ended", false, "entries may be missing at the end of each node's log, as after a kill")
	f.config.BindSizes(set, suite)
	set.IntVar(&f.maxStates, "max-states", 0, "stop the search after `N` states (default 200000)")
	set.DurationVar(&f.timeout, "timeout", 0, "stop the search after `TIME`, such as 30s or 5m")
	set.StringVar(&f.coverage, "coverage", "", "count the kinds of steps of the protocol that the logs take in `FILE`, added to those of earlier logs")
	set.BoolVar(&f.json, "json", false, "print one JSON object")
	set.StringVar(&f.out, "out", "", "write the run that explains the log, or its prefix, to `FILE`")
}

// Verb is the verb validate.
func Verb(t *tool.Tool) *cobra.Command {
	var f validateFlags
	c := t.Verb(cobra.Command{
		Use:   "validate PROTOCOL[/VARIANT] LOG...",
		Short: "check whether logs of an implementation show a run of a protocol",
		Long: `Validate reads logs of an implementation, in any language, and looks for a run of the protocol that shows
the same. A log is a file of JSON Lines, of one node or of all; - is the standard input. Only the order of
each node's entries counts, and that messages are sent before they arrive. docs/conform.md describes the
entries.

With --follow, files may grow. The check ends at the first entry that no run explains, at the end of the
standard input or a pipe, or when it is interrupted.

The logs are explained, with the run as a trace for --out; or not explained, with the entry at which each
node's log goes on otherwise than the protocol; or the search is inconclusive, because of a limit. The
claims are judged on the run.

Exit codes:
  0   the logs are explained, and the run violates no claim
  1   the logs are not explained, or the run violates a claim
  2   bad usage, or a log cannot be read
  3   a limit was hit`,
		Example: `  verify validate twophase -n 3 tm.log rm1.log rm2.log rm3.log
  verify validate twophase -n 3 --open-ended all.log --out run.json
  tail -f all.log | verify validate twophase -n 3 --follow -`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) { return validate(t, args, &f) })
	f.bind(c.Flags(), t.Suite)
	t.CompleteParams(c, &f.config)
	return c
}

func validate(t *tool.Tool, args []string, f *validateFlags) (int, error) {
	if len(args) < 2 {
		return 0, fmt.Errorf("validate needs a protocol and a log")
	}
	switch {
	case f.maxStates < 0 || f.timeout < 0:
		return 0, fmt.Errorf("max-states and timeout must be 0 or more")
	case f.idle < 0 || f.idle > 0 && !f.follow:
		return 0, fmt.Errorf("idle must be 0 or more, and needs --follow")
	}
	targets, err := t.Targets(args[:1])
	if err != nil {
		return 0, err
	}
	p, variant := targets[0].Protocol, targets[0].Variant
	config, err := f.config.Configure(p, model.Config{})
	if err != nil {
		return 0, err
	}
	table, err := mappingOf(f.table)
	if err != nil {
		return 0, err
	}
	opt := conform.Options{Ignore: f.ignore, Silent: f.silent, Unbuffered: f.unbuffered, OpenEnded: f.openEnded, MaxStates: f.maxStates, Timeout: f.timeout, Stop: t.Interrupt,
		Claims: judge.Watched(p.Claims)}
	if table != nil {
		opt.Map = table.Entries
		if f.follow && f.silent == nil {
			opt.Silent = table.Silent()
		}
	}
	counts, err := newCounts(p, variant, config, f.coverage)
	if err != nil {
		return 0, err
	}
	if counts != nil {
		opt.Taken = counts.Count
	}
	check := readAll
	if f.follow {
		check = follow
	}
	var r *conform.Result
	w := watch.Watch{Interrupt: t.Interrupt, Notify: t.Status.Stuck}
	err = w.Run(func() (err error) {
		r, err = check(t, p, variant, config, opt, f, args[1:])
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := write(r, f.out); err != nil {
		return 0, err
	}
	if err := complete(counts, p, variant, r); err != nil {
		return 0, err
	}
	if f.json {
		v := newValidation(p, variant, r, f.out)
		v.Coverage = counts
		err = console.PrintJSON(t.Out, v)
	} else {
		err = errors.Join(print(t.Out, p, variant, r, f.out), printCoverage(t.Out, counts))
	}
	if err == nil && counts != nil {
		if err = counts.Save(f.coverage); err != nil {
			err = fmt.Errorf("coverage: %w", err)
		}
	}
	return code(r), err
}

// readAll validates complete logs.
func readAll(_ *tool.Tool, p *model.Protocol, variant string, c model.Config, opt conform.Options, _ *validateFlags, paths []string) (*conform.Result, error) {
	var logs []conform.Source
	for _, path := range paths {
		in := os.Stdin
		if path != "-" {
			var err error
			if in, err = os.Open(path); err != nil {
				return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
			}
			defer in.Close()
		}
		logs = append(logs, conform.Source{Name: path, Reader: in})
	}
	return conform.Validate(p, variant, c, opt, logs...)
}

// mappingOf reads a mapping from a file. It is nil without a file.
func mappingOf(path string) (*mapping.Table, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("map: %s: %w", path, errors.Unwrap(err))
	}
	t, err := mapping.Read(file)
	if err != nil {
		return nil, fmt.Errorf("map: %s: %w", path, err)
	}
	return t, nil
}

// code returns the exit code of a result.
func code(r *conform.Result) int {
	switch {
	case r.Verdict == conform.Inconclusive:
		return console.ExitLimit
	case r.Verdict == conform.NotExplained, r.Violated():
		return console.ExitViolated
	}
	return console.ExitHolds
}

// write writes the run to a file.
func write(r *conform.Result, path string) error {
	if path == "" {
		return nil
	}
	if r.Trace == nil {
		return fmt.Errorf("out: the run cannot be a trace: %s", r.Untraced)
	}
	return traces.Save(path, r.Trace)
}
