package viewing

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/checker/watch"
	"contend/traces/replay"
)

// Replay is the verb replay.
func Replay(t *tool.Tool) *cobra.Command {
	return t.Verb(cobra.Command{
		Use:   "replay TRACE...",
		Short: "replay traces, and report the first step that differs",
		Long: `Replay executes the steps of each trace in the interpreter, which shares no code with the search. Each
step must be possible as recorded, and the last must violate the claim.

A file of testdata/fuzz/FuzzNAME, as go test -fuzz keeps it, stands for the run that the fuzz target of
checker.Fuzz makes of it: go test is run in the target's package to get the run. Show, minimize and explore
read such files, too.

Exit codes:
  0   every trace replays as recorded
  2   a trace cannot be read, belongs to another suite, or diverges
  3   a handler does not return`,
		Example: `  verify replay contend-traces/backoff-lease-delta-lemma-1-1.json
  verify replay testdata/fuzz/FuzzProtocol/a0be7d1a3c5b2f60`,
		ValidArgsFunction: tool.CompleteTraces,
	}, func(args []string) (int, error) {
		if len(args) == 0 {
			return 0, fmt.Errorf("replay needs a trace")
		}
		code := console.ExitHolds
		for _, path := range args {
			run, err := load(t, path)
			if err != nil {
				console.Say(t.Err, "%s", console.Plain(err.Error()))
				if code = console.ExitUsage; errors.As(err, new(watch.Endless)) {
					code = console.ExitLimit
				}
				continue
			}
			fmt.Fprintf(t.Out, "%s: replays: %s\n", console.Plain(path), ending(run))
		}
		return code, nil
	})
}

// load reads a trace and replays it. The error names the file.
func load(t *tool.Tool, path string) (*replay.Run, error) {
	p, tr, err := t.Read(path)
	if err != nil {
		return nil, err
	}
	if err := replay.SamePrograms(p, tr); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var run *replay.Run
	w := watch.Watch{Interrupt: t.Interrupt, Notify: t.Status.Stuck}
	err = w.Run(func() error {
		r, err := replay.Guarded(p, tr, tool.Watched(p), w.Cell(), nil)
		run = r
		return err
	})
	var diverged *replay.Divergence
	switch {
	case errors.As(err, &diverged):
		return nil, fmt.Errorf("%s: diverges: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}

// ending returns a text on the end of a run.
func ending(run *replay.Run) string {
	claim := run.Trace.Claim
	switch {
	case run.Trace.Cost != nil:
		return fmt.Sprintf("%s after %s", run.Trace.Cost, console.Counted(len(run.Records), "step", "steps"))
	case claim == "":
		return console.Counted(len(run.Records), "step", "steps")
	}
	for _, v := range run.World.Violations {
		if v.Claim == claim {
			return fmt.Sprintf("%s violated at step %d", claim, v.Step)
		}
	}
	return fmt.Sprintf("%s violated after step %d, from which its goal is not reached", claim, len(run.Records))
}
