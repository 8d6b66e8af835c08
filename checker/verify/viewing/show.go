// Package viewing has the verbs that look at runs: show, replay, explore and corpus.
package viewing

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/traces/replay"
	"contend/traces/show"
)

// Show is the verb show.
func Show(t *tool.Tool) *cobra.Command {
	var step int
	var picture Picture
	var cmd *cobra.Command
	cmd = t.Verb(cobra.Command{
		Use:   "show TRACE",
		Short: "print a trace, draw it, or convert it for other tools",
		Long: `Show replays a trace and prints its steps: when, where and what happened, and what followed. For a
counterexample it also prints the last state, and an explanation of why the run breaks the claim. --state
prints only the state after one step: nodes, applications, holds (countdowns that handlers started) and
pending events.

--html writes a page that steps through the run and shows the state of every node at each step. --svg
draws the run: one lane per node, messages as arrows, time downwards; a timed run is drawn to scale unless
--heights is steps. --mermaid prints a sequence diagram that code hosts draw in comments. --itf writes the
trace format of Apalache and Quint, and --shiviz a log for ShiViz. --porcupine writes porcupine's page of
the operations, if the run watched a claim of linearizability: an order of the operations that explains
their results, or how much of them any order explains.

A trace that this program saved keeps a picture of its run. If the protocol is not in this program, or
was changed since, show prints or draws the run as it was recorded, and says on stderr from which step on the
protocol behaves otherwise.

A trace without a picture that diverges is shown up to the step that is not possible, with the reason and the state before
it. The exit code is then 2.`,
		Example: `  verify show contend-traces/backoff-lease-delta-lemma-1-1.json
  verify show contend-traces/backoff-lease-delta-lemma-1-1.json --state 7
  verify show contend-traces/backoff-lease-delta-lemma-1-1.json --html run.html
  verify show contend-traces/backoff-lease-delta-lemma-1-1.json --mermaid`,
	}, func(args []string) (int, error) {
		if len(args) != 1 {
			return 0, fmt.Errorf("show needs one trace, but there are %d", len(args))
		}
		state := cmd.Flags().Changed("state")
		switch {
		case picture.Count() > 1, picture.Count() == 1 && state:
			return 0, fmt.Errorf("only one of --state, --%s can be set", strings.Join(picture.Names(), ", --"))
		case picture.heights != "" && picture.First() != "svg":
			return 0, fmt.Errorf("--heights is set, but has no effect without --svg")
		case picture.Count() == 1:
			return showPicture(t, args[0], picture)
		case state:
			return showState(t, args[0], step)
		}
		return showRun(t, args[0])
	})
	picture.Bind(cmd.Flags())
	cmd.Flags().IntVar(&step, "state", 0, "print only the state after this `step`; 0 is the initial state")
	return cmd
}

// showRun prints the run of a trace, as far as it replays.
func showRun(t *tool.Tool, path string) (int, error) {
	s, diverges := shownAs(t, path)
	if s == nil || s.run == nil && s.picture == nil {
		return 0, diverges
	}
	if err := s.text(t.Out, t.Style()); err != nil {
		return 0, err
	}
	return console.ExitHolds, diverges
}

// showState prints the state after a step of a trace.
func showState(t *tool.Tool, path string, step int) (int, error) {
	p, tr, err := t.Read(path)
	if err == nil {
		var run *replay.Run
		if run, err = replay.Until(p, tr, tool.Watched(p), step); err == nil {
			return console.ExitHolds, show.State(t.Out, run, t.Style())
		}
		err = fmt.Errorf("%s: %w", path, err)
	}
	s, _ := shownAs(t, path)
	if s == nil || s.picture == nil {
		return 0, err
	}
	return console.ExitHolds, s.picture.State(t.Out, step, t.Style())
}
