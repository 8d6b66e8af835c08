package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verify/report"
	"contend/traces"
	"contend/traces/page"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/why"
)

func (t *tool) showCommand() *cobra.Command {
	var step int
	var picture pictureFlags
	var cmd *cobra.Command
	cmd = t.verb(cobra.Command{
		Use:   "show TRACE",
		Short: "a trace as text, or as a picture",
		Long: `Show replays a trace and prints its steps: when, where, what happened, and what came
of it. The run of a counterexample ends with the whole state that it reached, and with why it
breaks the claim, in sentences made from the run. With --state
only the state after one step is printed: nodes, applications, holds, what is pending.

--html writes a page on which one steps through the run, with the state of every node at each
step. --svg draws the run into a file: a lane for each node, messages as arrows, time downwards;
a timed run to scale, unless --heights says steps.
--mermaid prints it as a sequence diagram that code hosts draw in a comment. --itf and --shiviz
write it for other tools: Apalache's and Quint's viewers, and ShiViz. --porcupine writes
porcupine's page of its history, where a claim of linearizability was watched: which order
of the operations explains what they returned, or how far any does.

Show needs the protocol only for a trace that has no picture of its run. The traces that this
program saves have one: where the protocol is not in this program, or behaves otherwise by now,
the run is shown as it was recorded, and a line on stderr says from which step on the protocol behaves otherwise.

A trace without a picture that diverges is shown up to the step that cannot be taken, with why it cannot and
the state before it. The exit code is then 2.`,
		Example: `  verify show contend-traces/backoff-lease-delta-lemma-1-1.json
  verify show contend-traces/backoff-lease-delta-lemma-1-1.json --state 7
  verify show contend-traces/backoff-lease-delta-lemma-1-1.json --html run.html
  verify show contend-traces/backoff-lease-delta-lemma-1-1.json --svg run.svg --heights steps
  verify show contend-traces/backoff-lease-delta-lemma-1-1.json --mermaid`,
	}, func(args []string) (int, error) {
		if len(args) != 1 {
			return 0, fmt.Errorf("show needs one trace, but there are %d", len(args))
		}
		state := cmd.Flags().Changed("state")
		switch {
		case picture.asked() > 1, picture.asked() == 1 && state:
			return 0, fmt.Errorf("state, %s: only one of them can be asked for at a time", strings.Join(picture.names(), ", "))
		case picture.heights != "" && picture.first() != "svg":
			return 0, fmt.Errorf("heights is given, but svg is not: only that picture has heights to choose")
		case picture.asked() == 1:
			return t.showPicture(args[0], picture)
		case state:
			return t.showState(args[0], step)
		}
		return t.showRun(args[0])
	})
	picture.bind(cmd.Flags())
	cmd.Flags().IntVar(&step, "state", 0, "print the whole state after this `step` alone; 0 is the state before the first")
	return cmd
}

// showRun prints the run of a trace, as far as it is one.
func (t *tool) showRun(path string) (int, error) {
	s, diverges := t.shown(path)
	if s == nil || s.run == nil && s.picture == nil {
		return 0, diverges
	}
	if err := s.text(t.out, t.colours()); err != nil {
		return 0, err
	}
	return report.ExitHolds, diverges
}

// showState prints the state after a step of a trace.
func (t *tool) showState(path string, step int) (int, error) {
	p, tr, err := t.read(path)
	if err == nil {
		var run *replay.Run
		if run, err = replay.Until(p, tr, watched(p), step); err == nil {
			return report.ExitHolds, show.State(t.out, run, t.colours())
		}
		err = fmt.Errorf("%s: %w", path, err)
	}
	s, _ := t.shown(path)
	if s == nil || s.picture == nil {
		return 0, err
	}
	return report.ExitHolds, s.picture.State(t.out, step, t.colours())
}

// surroundings are where this run of the tool prints.
func (t *tool) surroundings() report.Surroundings {
	return report.Surroundings{
		Out: t.out, Err: t.err, Status: t.status,
		Show: func(protocol string, tr *traces.Trace) error {
			return why.Write(t.out, t.counterexample(protocol, tr), t.colours())
		},
		Page: func(w io.Writer, protocol string, tr *traces.Trace) error {
			return page.Write(w, t.counterexample(protocol, tr))
		},
		Picture: func(tr *traces.Trace) (*traces.Trace, error) {
			return picture.Record(t.counterexample(tr.Protocol, tr))
		},
		Why: func(protocol string, tr *traces.Trace) []string {
			return why.Of(t.counterexample(protocol, tr)).Short
		},
	}
}

// counterexample is the run of a trace that a check found. That it does not replay is a bug of the
// tool.
func (t *tool) counterexample(protocol string, tr *traces.Trace) *replay.Run {
	p, err := t.protocol(protocol)
	if err != nil {
		panic(err)
	}
	run, err := replay.Replay(p, tr, watched(p))
	if err != nil {
		panic(fmt.Errorf("a counterexample to %s does not replay: %w", tr.Claim, err))
	}
	return run
}

// colours reports whether stdout takes colours.
func (t *tool) colours() bool { return report.Coloured(t.out) }
