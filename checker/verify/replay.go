package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/judge"
	"contend/checker/verify/report"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

func (t *tool) replayCommand() *cobra.Command {
	return t.verb(cobra.Command{
		Use:   "replay TRACE...",
		Short: "re-run traces strictly; a divergence is named at its first step",
		Long: `Replay takes the steps of each trace through the simple interpreter, which shares
no code with the search. Each step must be possible as it is recorded, and the
claim must be violated in the end.

Exit codes: 0 every trace replays as recorded; 2 one cannot be read, is of another
suite, or diverges; 3 a handler does not return.`,
		Example:           "  verify replay contend-traces/backoff-lease-delta-lemma-1-1.json",
		ValidArgsFunction: completeTraces,
	}, func(args []string) (int, error) {
		if len(args) == 0 {
			return 0, fmt.Errorf("replay needs a trace")
		}
		code := report.ExitHolds
		for _, path := range args {
			run, err := t.load(path)
			if err != nil {
				fmt.Fprintf(t.err, "verify: %s\n", report.Plain(err.Error()))
				if code = report.ExitUsage; errors.As(err, new(checker.Endless)) {
					code = report.ExitLimit
				}
				continue
			}
			fmt.Fprintf(t.out, "%s: replays: %s\n", report.Plain(path), ending(run))
		}
		return code, nil
	})
}

// load reads a trace and replays it. The error names the file.
func (t *tool) load(path string) (*replay.Run, error) {
	p, tr, err := t.read(path)
	if err != nil {
		return nil, err
	}
	var run *replay.Run
	w := checker.Watch{Interrupt: t.interrupt, Told: t.status.Stuck}
	err = w.Run(func() error {
		r, err := replay.Guarded(p, tr, watched(p), w.Cell())
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

// read reads a trace, and finds its protocol. The error names the file.
func (t *tool) read(path string) (*model.Protocol, *traces.Trace, error) {
	tr, err := traces.Load(path)
	if err != nil {
		return nil, nil, unread(path, err)
	}
	p, err := t.protocol(tr.Protocol)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, tr, nil
}

// unread says why a file cannot be read.
func unread(path string, err error) error {
	var failed *fs.PathError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case errors.As(err, &failed):
		return fmt.Errorf("%s: it cannot be read: %w", path, failed.Err)
	}
	return err
}

func watched(p *model.Protocol) []model.Claim { return judge.Watched(p.Statements()) }

// ending says how a run ended.
func ending(run *replay.Run) string {
	claim := run.Trace.Claim
	switch {
	case run.Trace.Cost != nil:
		return fmt.Sprintf("%s after %s", run.Trace.Cost, report.Counted(len(run.Records), "step", "steps"))
	case claim == "":
		return report.Counted(len(run.Records), "step", "steps")
	}
	for _, v := range run.World.Violations {
		if v.Claim == claim {
			return fmt.Sprintf("%s violated at step %d", claim, v.Step)
		}
	}
	return fmt.Sprintf("%s violated after step %d, from which its goal is not reached", claim, len(run.Records))
}
