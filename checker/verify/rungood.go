package verify

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/exemplar"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// goodFlags ask for a good run, and how it is shown.
type goodFlags struct {
	kind    string
	picture pictureFlags
	cmd     *cobra.Command
}

func (f *goodFlags) bind(c *cobra.Command) {
	f.cmd = c
	c.Flags().StringVar(&f.kind, "show", "", "show a run that breaks no claim: `KIND` is one of those above")
	f.picture.bind(c.Flags())
	_ = c.RegisterFlagCompletionFunc("show", cobra.FixedCompletions(kindNames(), cobra.ShellCompDirectiveNoFileComp))
}

func (f *goodFlags) asked() bool { return f.cmd.Flags().Changed("show") }

func kindNames() (all []string) {
	for _, k := range exemplar.Kinds {
		all = append(all, k.Name)
	}
	return all
}

// kindsOfRuns lists the kinds for the help.
func kindsOfRuns() string {
	var b strings.Builder
	for _, k := range exemplar.Kinds {
		fmt.Fprintf(&b, "  %-12s %s\n", k.Name, k.Shows)
	}
	return b.String()
}

// showGood shows a good run of a job.
func (t *tool) showGood(jobs []report.Job, f *checkFlags, good *goodFlags) (int, error) {
	kind, ok := exemplar.Find(good.kind)
	switch {
	case !ok:
		return 0, fmt.Errorf("--show is %q, but must be one of %s%s", good.kind, strings.Join(kindNames(), ", "), flags.DidYouMean(good.kind, kindNames()))
	case len(jobs) != 1:
		return 0, fmt.Errorf("--show shows a run of one protocol, but there are %d", len(jobs))
	case f.output.JSON, f.progress != "":
		return 0, fmt.Errorf("--show is set, but --json and --progress-file tell of claims, and not of a run")
	case good.picture.asked() > 1:
		return 0, fmt.Errorf("%s: only one of them can be asked for at a time", strings.Join(good.picture.names(), ", "))
	}
	opt, err := f.limits.Options()
	if err != nil {
		return 0, err
	}
	if err := flags.AllWritable(&f.output); err != nil {
		return 0, err
	}
	opt.Interrupt, opt.Progress, opt.Stuck = t.interrupt, t.told, t.status.Stuck
	found, err := checker.FindGood(jobs[0].Protocol, jobs[0].Check, kind, opt)
	t.status.Clear()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", jobs[0].Protocol.Name, err)
	}
	if found.Limit != "" {
		fmt.Fprintf(t.err, "verify: the sampling stopped after %s: %s\n", report.Counted(found.Sampled, "schedule", "schedules"), found.Limit)
	}
	if found.Trace == nil {
		fmt.Fprintf(t.err, "verify: of %s %d break no claim, but none of these finishes and shows %s; --schedules and --seed give others\n",
			report.Counted(found.Sampled, "schedule", "schedules"), found.Passing, kind.Shows)
		return report.ExitLimit, nil
	}
	return report.ExitHolds, t.printGood(jobs[0].Protocol.Name, found.Trace, f, good)
}

// printGood prints or draws a good run, and saves it where that is asked for.
func (t *tool) printGood(protocol string, tr *traces.Trace, f *checkFlags, good *goodFlags) error {
	p, err := t.protocol(protocol)
	if err != nil {
		return err
	}
	run, err := replay.Replay(p, tr, watched(p))
	if err != nil {
		return err
	}
	if good.picture.asked() > 0 {
		err = good.picture.draw(t.out, &shown{protocol: p, run: run})
	} else {
		err = show.Text(t.out, run, t.colours())
	}
	if err != nil || !good.cmd.Flags().Changed("out") {
		return err
	}
	path, err := t.surroundings().SaveRun(f.output.Dir, tr, good.kind)
	if err == nil {
		fmt.Fprintf(t.err, "verify: saved: verify show %s\n", report.Plain(path))
	}
	return err
}
