// Package viewing has the verbs that look at runs: show, replay and explore.
package viewing

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/traces"
	"contend/traces/why"
)

// Show is the verb show.
func Show(t *tool.Tool) *cobra.Command {
	var step int
	var picture Picture
	var cmd *cobra.Command
	cmd = t.Verb(cobra.Command{
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

A trace that diverges is shown up to the step that cannot be taken, with why it cannot and
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
		case picture.Asked() > 1, picture.Asked() == 1 && state:
			return 0, fmt.Errorf("state, %s: only one of them can be asked for at a time", strings.Join(picture.Names(), ", "))
		case picture.heights != "" && picture.First() != "svg":
			return 0, fmt.Errorf("heights is given, but svg is not: only that picture has heights to choose")
		case picture.Asked() == 1:
			return showPicture(t, args[0], picture)
		case state:
			return showState(t, args[0], step)
		}
		return showRun(t, args[0])
	})
	picture.Bind(cmd.Flags())
	cmd.Flags().IntVar(&step, "state", 0, "print the whole state after this `step` alone; 0 is the state before the first")
	return cmd
}

// showRun prints the run of a trace, as far as it is one.
func showRun(t *tool.Tool, path string) (int, error) {
	p, tr, err := t.Read(path)
	if err != nil {
		return 0, err
	}
	run, err := traces.Replay(p, tr, tool.Watched(p))
	if run == nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if err := why.Write(t.Out, run, t.Colours()); err != nil {
		return 0, err
	}
	if run.Diverged != nil {
		return 0, fmt.Errorf("%s: diverges: %w", path, run.Diverged)
	}
	return console.ExitHolds, nil
}

// showState prints the state after a step of a trace.
func showState(t *tool.Tool, path string, step int) (int, error) {
	p, tr, err := t.Read(path)
	if err != nil {
		return 0, err
	}
	run, err := traces.ReplayUntil(p, tr, tool.Watched(p), step)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return console.ExitHolds, traces.State(t.Out, run, t.Colours())
}
