package checking

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/exemplar"
	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/checker/verify/viewing"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// goodFlags ask for a good run, and how it is shown.
type goodFlags struct {
	kind    string
	picture viewing.Picture
	cmd     *cobra.Command
}

func (f *goodFlags) bind(c *cobra.Command) {
	f.cmd = c
	c.Flags().StringVar(&f.kind, "show", "", "show a run that violates no claim; `KIND` is one of those above")
	f.picture.Bind(c.Flags())
}

func (f *goodFlags) asked() bool { return f.cmd.Flags().Changed("show") }

// GoodRuns lists the kinds of runs that violate no claim and can be shown.
func GoodRuns() (all []string) {
	for _, k := range exemplar.Kinds {
		all = append(all, k.Name)
	}
	return all
}

// kindsOfRuns lists the kinds for the help.
func kindsOfRuns() string {
	var b strings.Builder
	for _, k := range exemplar.Kinds {
		fmt.Fprintf(&b, "  %-11s  %s\n", k.Name, k.Shows)
	}
	return b.String()
}

// showGood shows a good run of a job.
func showGood(t *tool.Tool, jobs []*plan.Plan, f *checkFlags, good *goodFlags) (int, error) {
	kind, ok := exemplar.Find(good.kind)
	switch {
	case !ok:
		return 0, fmt.Errorf("--show is %q, but must be one of %s%s", good.kind, strings.Join(GoodRuns(), ", "), flags.DidYouMean(good.kind, GoodRuns()))
	case len(jobs) != 1:
		return 0, fmt.Errorf("--show shows a run of one protocol, but %d are named", len(jobs))
	case f.output.JSON, f.progress != "":
		return 0, fmt.Errorf("--show is set, but --json and --progress-file report on claims, not on a run")
	case good.picture.Count() > 1:
		return 0, fmt.Errorf("only one of --%s can be set", strings.Join(good.picture.Names(), ", --"))
	}
	opt, err := f.limits.Options()
	if err != nil {
		return 0, err
	}
	if err := flags.AllWritable(&f.output); err != nil {
		return 0, err
	}
	opt.Interrupt, opt.Progress, opt.Stuck = t.Interrupt, t.Update, t.Status.Stuck
	found, err := checker.FindGood(jobs[0].Protocol, jobs[0].Check, kind, opt)
	t.Status.Clear()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", jobs[0].Protocol.Name, err)
	}
	if !found.Limit.None() {
		console.Say(t.Err, "sampling stopped after %s: %s", console.Counted(found.Sampled, "schedule", "schedules"), found.Limit)
	}
	if found.Trace == nil {
		console.Say(t.Err, "of %s, %d violate no claim, but none of these finishes and shows %s; try more --schedules or another --seed",
			console.Counted(found.Sampled, "schedule", "schedules"), found.Passing, kind.Shows)
		return console.ExitLimit, nil
	}
	return console.ExitHolds, printGood(t, jobs[0].Protocol.Name, found.Trace, f, good)
}

// printGood prints or draws a good run, and saves it if requested.
func printGood(t *tool.Tool, protocol string, tr *traces.Trace, f *checkFlags, good *goodFlags) error {
	p, err := t.Protocol(protocol)
	if err != nil {
		return err
	}
	run, err := replay.Replay(p, tr, tool.Watched(p))
	if err != nil {
		return err
	}
	if good.picture.Count() > 0 {
		err = good.picture.Draw(t.Out, p, run)
	} else {
		err = show.Text(t.Out, run, t.Style())
	}
	if err != nil || !good.cmd.Flags().Changed("out") {
		return err
	}
	path, _, err := console.SaveRun(f.output.Dir, t.Pictured(tr), good.kind)
	if err == nil {
		console.Say(t.Err, "saved: %s show %s", verdict.Tool, console.Quoted([]string{path}))
	}
	return err
}
