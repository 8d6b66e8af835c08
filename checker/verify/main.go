// Package verify is the command line as a library: [Main] makes a tool like verify
// of any suite of protocols.
//
//	func main() { verify.Main([]*model.Protocol{mylock.Protocol}) }
//
// The verbs are in packages below, by what they are for: checking, viewing, measuring, editing, table and
// about. root.go joins them, and help.go prints their help. Package tool is what they share: the suite,
// and the names on the command line; package flags reads flags, report prints what checks come to, and
// console has what all output is made of.
package verify

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/heap"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/checker/watch"
	"contend/model"
	"contend/model/printed"
)

// Main runs the command line over a suite and exits. The tool may have more than the suite: see
// [Addition].
func Main(suite []*model.Protocol, more ...Addition) {
	heap.Room()
	info, _ := debug.ReadBuildInfo()
	here, _ := os.Getwd()
	verdict.Tool = called(os.Args[0], info, mainSource(), here)
	console.Program = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	os.Exit(Run(suite, os.Args[1:], os.Stdout, os.Stderr, more...))
}

// An Addition extends a tool: a [Figure], [Tables] or [Verbs].
type Addition interface{ addTo(t *tool.Tool) }

// A Figure is the measured time of a verb, check or mutants, over the whole suite. The tool prints it before it
// starts.
type Figure struct {
	Verb     string
	Duration string // such as "a minute on two cores"
}

func (f Figure) addTo(t *tool.Tool) { t.Figures = append(t.Figures, tool.Figure(f)) }

// Tables makes the rows that verify table computes, of protocols of the suite. The other verbs do not call it.
type Tables func() []*printed.Comparison

// Verbs makes additional verbs. Their dependencies stay out of the modules of tools without them; contend/cluster
// is such a module.
type Verbs func(t *tool.Tool) []*cobra.Command

func (v Verbs) addTo(t *tool.Tool) { t.Verbs = append(t.Verbs, v) }

func (rows Tables) addTo(t *tool.Tool) { t.Tables = append(t.Tables, rows) }

// Run is Main with its surroundings given. It returns the exit code.
func Run(suite []*model.Protocol, args []string, stdout, stderr io.Writer, more ...Addition) int {
	interrupt, heard, stop := stopped(stderr)
	defer stop()
	out := &console.Checked{Writer: stdout}
	t := commandLine{&tool.Tool{Suite: suite, Out: out, Err: stderr, Interrupt: interrupt, Signal: heard, Status: console.NewStatus(stderr)}}
	for _, a := range more {
		a.addTo(t.Tool)
	}
	code := t.run(args)
	if out.Err != nil {
		console.Say(stderr, "cannot print all results: %v", out.Err)
		if code == console.ExitInternal {
			return code
		}
		if t.Code == console.ExitViolated {
			return t.Code
		}
		return console.ExitUsage
	}
	return code
}

// commandLine is one run of the tool: the verbs, and their help.
type commandLine struct{ *tool.Tool }

// run runs a verb. A panic is a bug of the tool or of a handler, and no verdict.
func (t commandLine) run(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			t.Status.Clear()
			t.internal(p, args)
			code = console.ExitInternal
		}
	}()
	t.Completes = len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	if err := t.valid(); err != nil {
		console.Say(t.Err, "%v", err)
		return console.ExitUsage
	}
	root := t.root()
	root.SetArgs(append([]string{}, args...))
	if t.Completes {
		unquoted(root)
	}
	if err := root.Execute(); err != nil {
		t.Status.Clear()
		if out, ok := t.Out.(*console.Checked); !ok || out.Err == nil { // else it is told in the end
			console.Complain(t.Err, console.Program+": "+console.Plain(err.Error()))
		}
		return console.ExitUsage
	}
	return t.Code
}

// internal reports a panic and what to do about it.
func (t commandLine) internal(p any, args []string) {
	console.Say(t.Err, "internal error: %v", p)
	if _, told := p.(watch.Crash); !told { // it has its own
		fmt.Fprintf(t.Err, "%s\n", debug.Stack())
	}
	console.Say(t.Err, "the claims have no verdict; please report this with the command: %s %s", verdict.Tool, console.Quoted(args))
}
