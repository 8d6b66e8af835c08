package verify

import (
	"fmt"

	"github.com/spf13/cobra"

	"contend/checker/verify/report"
	"contend/model"
	"contend/traces"
)

func (t *tool) showCommand() *cobra.Command {
	return t.verb(cobra.Command{
		Use:     "show TRACE",
		Short:   "a trace as text",
		Long:    "Show replays a trace and prints its steps: when, where, what happened, and what came of it.",
		Example: "  verify show contend-traces/backoff-lease-delta-lemma-1-1.json",
	}, func(args []string) (int, error) {
		if len(args) != 1 {
			return 0, fmt.Errorf("show needs one trace, but there are %d", len(args))
		}
		run, err := t.load(args[0])
		if err != nil {
			return 0, err
		}
		return report.ExitHolds, traces.Text(t.out, run, t.colours())
	})
}

// surroundings are where this run of the tool prints.
func (t *tool) surroundings() report.Surroundings {
	return report.Surroundings{Out: t.out, Err: t.err, Status: t.status, Show: func(protocol string, tr *traces.Trace) error {
		p, err := t.protocol(protocol)
		if err != nil {
			return err
		}
		return t.render(p, tr)
	}}
}

// render prints the run of a counterexample. That it does not replay is a bug of
// the tool.
func (t *tool) render(p *model.Protocol, tr *traces.Trace) error {
	run, err := traces.Replay(p, tr, watched(p))
	if err != nil {
		panic(fmt.Errorf("a counterexample to %s does not replay: %w", tr.Claim, err))
	}
	return traces.Text(t.out, run, t.colours())
}

// colours reports whether stdout takes colours.
func (t *tool) colours() bool { return report.Coloured(t.out) }
