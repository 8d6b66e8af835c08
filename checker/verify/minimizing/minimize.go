// Package minimizing has the verb minimize, which makes the run of a trace smaller (minimize.go) and finds the
// step that made its end inevitable (turning.go).
package minimizing

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/explain"
	"contend/checker/minimize"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/traces"
	"contend/traces/picture"
)

// minimizeFlags are the flags of minimize.
type minimizeFlags struct {
	cmd       *cobra.Command
	out       string
	maxStates int64
	schedules int
	timeout   time.Duration
	workers   int
	json      bool
}

// Verb is the verb minimize.
func Verb(t *tool.Tool) *cobra.Command {
	var f minimizeFlags
	f.cmd = t.Verb(cobra.Command{
		Use:   "minimize TRACE",
		Short: "find the smallest run that breaks the same claim",
		Long: `Minimize makes the run of a trace smaller while it breaks the same claim. It leaves out nodes, operations,
faults and steps, gives the protocol smaller parameters, and makes lies, answers and times simpler. Each
smaller run is replayed strictly before it counts.

Then it looks for other runs that break the claim with fewer liars, servers, clients, operations or faults,
or smaller parameters: by a search of 5,000 states, and by sampling --schedules schedules where that
finds nothing. Such a run replaces the first if it is not longer than the trace and has fewer steps times nodes.
The report says so.

In the end it searches the configuration that is left for the shortest run. If the search ends, no run of
fewer steps breaks the claim there; otherwise the run is locally minimal: no single step, fault,
operation, client or server can be left out.

It prints the run, why it breaks the claim and which step made that inevitable. It writes the trace and a page of
the run into a directory, or the trace alone into a file that ends in .json: --out names either.

Exit codes:
  0   the run is locally minimal, or the shortest
  2   the trace cannot be read, does not replay, or breaks no claim
  3   a limit or a signal stopped it before; the smallest run so far is printed and written`,
		Example: `  verify minimize contend-traces/ordering-b-completed-lemma-4-3-1.json
  verify minimize long.json --out short.json --max-states 1000000 --timeout 10m`,
		ValidArgsFunction: tool.CompleteTraces,
	}, func(args []string) (int, error) {
		if len(args) != 1 {
			return 0, fmt.Errorf("minimize needs one trace, but there are %d", len(args))
		}
		if err := f.validate(); err != nil {
			return 0, err
		}
		return f.minimize(t, args[0])
	})
	set := f.cmd.Flags()
	set.StringVar(&f.out, "out", "contend-traces", "write the trace to `FILE|DIR`")
	set.Int64Var(&f.maxStates, "max-states", 100_000, "stop the search for the shortest run after `N` states; 0 makes no search")
	set.IntVar(&f.schedules, "schedules", 200, "sample `N` schedules in each smaller configuration; 0 looks for no other run there")
	set.DurationVar(&f.timeout, "timeout", time.Minute, "stop after `TIME`, such as 30s or 5m")
	set.IntVar(&f.workers, "workers", 0, "use `N` threads for the search (default one per processor)")
	set.BoolVar(&f.json, "json", false, "print one JSON object")
	return f.cmd
}

// validate returns an error if a flag is out of range; else nil.
func (f *minimizeFlags) validate() error {
	switch {
	case f.maxStates < 0:
		return fmt.Errorf("max-states is %d, but must be 0 or more", f.maxStates)
	case f.schedules < 0:
		return fmt.Errorf("schedules is %d, but must be 0 or more", f.schedules)
	case f.timeout <= 0:
		return fmt.Errorf("timeout is %v, but must be more than 0", f.timeout)
	case f.cmd.Flags().Changed("workers") && (f.workers < 1 || f.workers > 256):
		return fmt.Errorf("workers is %d, but must be 1 to 256", f.workers)
	case f.out == "":
		return fmt.Errorf("out is empty, but must name a file or a directory")
	case f.toFile():
		return flags.WritableFile("out", f.out)
	}
	return flags.WritableDirectory("out", f.out)
}

// toFile reports whether the trace goes into a file of this name.
func (f *minimizeFlags) toFile() bool { return filepath.Ext(f.out) == ".json" }

// minimize makes the run of a trace smaller, and prints the result.
func (f *minimizeFlags) minimize(t *tool.Tool, path string) (int, error) {
	p, tr, err := t.Read(path)
	if err != nil {
		return 0, err
	}
	opt := checker.Options{Timeout: f.timeout, MaxStates: f.maxStates, Workers: f.workers, Interrupt: t.Interrupt, Stuck: t.Status.Stuck}
	if f.maxStates == 0 {
		opt.MaxStates = -1
	}
	smallest, report, err := checker.Minimize(p, tr, opt, f.schedules, func(at minimize.Progress) {
		t.Status.Tell(func() string {
			return fmt.Sprintf("minimize: %d of %d steps, pass: %s, %d candidates", at.Steps, len(tr.Steps), at.Pass, at.Tried)
		})
	})
	t.Status.Clear()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	v := explain.New(p, smallest)
	file, unsaved := f.save(v.Stored()) // first; if it fails, the result is printed all the same
	picture, err := v.Picture()
	if err != nil {
		return 0, err
	}
	is := minimal{Trace: file, Schema: 1, Protocol: p.Name, Variant: smallest.Variant, Claim: smallest.Claim, From: report.From, To: report.To, FromConfig: report.FromConfig,
		ToConfig: report.ToConfig, Locally: report.Locally, Shortest: report.Shortest, Limit: report.Limit, Candidates: report.Tried,
		States: report.States, Schedules: report.Schedules, Another: report.Another, How: report.How(), Why: picture.Why.Short}
	run, err := v.Run()
	if err != nil {
		return 0, err
	}
	if is.Turning, err = turning(t, p, run); err != nil {
		return 0, err
	}
	if !f.toFile() && unsaved == nil {
		if is.Page, err = savePage(is.Trace, picture, is.Turning); err != nil {
			unsaved = err
		}
	}
	code := console.ExitHolds
	if is.Limit != "" {
		code = console.ExitLimit
	}
	if unsaved != nil {
		code = console.ExitUsage
		console.Say(t.Err, "--out: cannot write: %s", console.Plain(unsaved.Error()))
	}
	if f.json {
		return code, console.PrintJSON(t.Out, is)
	}
	return code, is.print(t, picture, report)
}

// save writes the trace, and returns its file.
func (f *minimizeFlags) save(tr *traces.Trace) (path string, err error) {
	if f.toFile() {
		if err := traces.Save(f.out, tr); err != nil {
			return "", err
		}
		return f.out, nil
	}
	shows := tr.Claim
	if shows == "" {
		shows = tr.Cost.Name
	}
	path, _, err = console.SaveRun(f.out, tr, shows+" minimal")
	return path, err
}

// A minimal is the result of a minimisation. Its JSON is a stable contract.
type minimal struct {
	Schema     int           `json:"schema"`
	Protocol   string        `json:"protocol"`
	Variant    string        `json:"variant"`
	Claim      string        `json:"claim"`
	From       int           `json:"from"` // steps
	To         int           `json:"to"`
	FromConfig traces.Config `json:"fromConfig"`
	ToConfig   traces.Config `json:"toConfig"`
	Locally    bool          `json:"locallyMinimal"`
	Shortest   bool          `json:"shortest"`
	How        string        `json:"how"`
	Limit      string        `json:"limit"`      // what stopped it
	Candidates int64         `json:"candidates"` // runs that were tried
	States     int64         `json:"states"`     // of searches
	Schedules  int64         `json:"schedules"`  // sampled in smaller configurations
	// Another is the origin of a run that is not a part of the given one.
	Another *minimize.Another `json:"another,omitempty"`
	Why     []string          `json:"why,omitempty"`
	Turning string            `json:"turning,omitempty"`
	Trace   string            `json:"trace"` // the file
	Page    string            `json:"page,omitempty"`
}

// print prints the run, and the report below it.
func (is *minimal) print(t *tool.Tool, picture *picture.Picture, report minimize.Report) error {
	if err := picture.Text(t.Out, t.Style()); err != nil {
		return err
	}
	width := console.Width(t.Out)
	if is.Turning != "" {
		fmt.Fprintf(t.Out, "\n%s\n", console.Prose(is.Turning, width))
	}
	fmt.Fprintf(t.Out, "\n%s\n%s\n", console.Prose(sentence(report.String()), width), console.Prose(sentence(is.How), width))
	if is.Page != "" {
		fmt.Fprintf(t.Out, "In a browser:\n  %s\n", console.Plain(is.Page))
	}
	if is.Trace == "" {
		return nil
	}
	_, err := fmt.Fprintf(t.Out, "Replay with:\n  %s replay %s\n", verdict.Tool, console.Quoted([]string{is.Trace}))
	return err
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string { return string(text[0]-'a'+'A') + text[1:] + "." }
