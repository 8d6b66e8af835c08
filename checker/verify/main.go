// Package verify is the command line as a library: [Main] makes a tool like verify
// of any suite of protocols.
//
//	func main() { verify.Main([]*model.Protocol{mylock.Protocol}) }
//
// Each verb is in a file of its own, by its name: check.go, list.go, run.go, mutants.go, mutate.go, replay.go,
// show.go, measure.go, table.go, selftest.go, new.go, plant.go, version.go, explain.go; root.go joins them. What they have in common is
// in complete.go, which offers names to the shell, in stop.go, which hears of signals, in targets.go, which finds protocols by name, and in two packages: flags reads what the
// command line says, report prints what it comes to.
package verify

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/verify/report"
	"contend/model"
)

// Main runs the command line over a suite and exits. The tool may have more than the suite: see
// [Addition].
func Main(suite []*model.Protocol, more ...Addition) {
	info, ok := debug.ReadBuildInfo()
	checker.Tool = called(os.Args[0], info, ok)
	os.Exit(Run(suite, os.Args[1:], os.Stdout, os.Stderr, more...))
}

// An Addition is what a tool has besides its suite: a [Figure] or [Tables].
type Addition interface{ addTo(t *tool) }

// A Figure says how long a verb, check or mutants, took over the whole suite when it was measured:
// the user is told before it starts.
type Figure struct {
	Verb  string
	Takes string // such as "a minute on two cores"
}

func (f Figure) addTo(t *tool) { t.figures = append(t.figures, f) }

// Tables are the rows that verify table computes, of protocols of the suite.
type Tables []*model.Comparison

func (rows Tables) addTo(t *tool) { t.tables = append(t.tables, rows...) }

// Run is Main with its surroundings given. It returns the exit code.
func Run(suite []*model.Protocol, args []string, stdout, stderr io.Writer, more ...Addition) int {
	interrupt, heard, stop := stopped(stderr)
	defer stop()
	out := &report.Checked{Writer: stdout}
	t := &tool{suite: suite, out: out, err: stderr, interrupt: interrupt, heard: heard, status: report.NewStatus(stderr)}
	for _, a := range more {
		a.addTo(t)
	}
	code := t.run(args)
	if out.Err != nil {
		fmt.Fprintf(stderr, "verify: not all could be printed: %v\n", out.Err)
		if code == report.ExitInternal {
			return code
		}
		if t.code == report.ExitViolated {
			return t.code
		}
		return report.ExitUsage
	}
	return code
}

// tool is one run of the command line.
type tool struct {
	suite     []*model.Protocol
	out, err  io.Writer
	interrupt <-chan struct{}
	heard     func() os.Signal // once it was interrupted
	status    *report.Status
	progress  *report.Progress // nil unless a file is asked for
	figures   []Figure
	tables    []*model.Comparison
	code      int // what a verb came to
}

// run runs a verb. A panic is a bug of the tool or of a handler, and no verdict.
func (t *tool) run(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			t.status.Clear()
			t.internal(p, args)
			code = report.ExitInternal
		}
	}()
	if err := t.valid(); err != nil {
		fmt.Fprintf(t.err, "verify: %v\n", err)
		return report.ExitUsage
	}
	root := t.root()
	root.SetArgs(append([]string{}, args...))
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		unquoted(root)
	}
	if err := root.Execute(); err != nil {
		t.status.Clear()
		if out, ok := t.out.(*report.Checked); !ok || out.Err == nil { // else it is told in the end
			fmt.Fprintf(t.err, "verify: %s\n", report.Plain(err.Error()))
		}
		return report.ExitUsage
	}
	return t.code
}

// forewarn tells how long a verb takes over the whole suite, where that is known.
func (t *tool) forewarn(verb string) {
	for _, f := range t.figures {
		if f.Verb == verb {
			fmt.Fprintf(t.err, "verify: the whole suite takes about %s\n", f.Takes)
		}
	}
}

// internal reports a panic and what to do about it.
func (t *tool) internal(p any, args []string) {
	fmt.Fprintf(t.err, "verify: internal error: %v\n", p)
	if _, told := p.(checker.Crash); !told { // it has its own
		fmt.Fprintf(t.err, "%s\n", debug.Stack())
	}
	fmt.Fprintf(t.err, "verify: nothing is known of the claims; please report this with the command: %s %s\n", checker.Tool, report.Quoted(args))
}

// interrupted reports whether the user has asked to stop.
func (t *tool) interrupted() bool {
	select {
	case <-t.interrupt:
		return true
	default:
		return false
	}
}
