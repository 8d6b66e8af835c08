// Package verify is the command line as a library: [Main] makes a tool like verify
// of any suite of protocols.
//
//	func main() { verify.Main([]*model.Protocol{mylock.Protocol}) }
//
// Each verb is in a file of its own, by its name: check.go, list.go, run.go, mutants.go, replay.go,
// show.go, measure.go, selftest.go, new.go; root.go joins them. What they have in common is
// in targets.go, which finds protocols by name, and in two packages: flags reads what the
// command line says, report prints what it comes to.
package verify

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"contend/checker/verify/report"
	"contend/model"
)

// Main runs the command line over a suite and exits.
func Main(suite []*model.Protocol) {
	os.Exit(Run(suite, os.Args[1:], os.Stdout, os.Stderr))
}

// Run is Main with its surroundings given. It returns the exit code.
func Run(suite []*model.Protocol, args []string, stdout, stderr io.Writer) int {
	interrupt := make(chan struct{})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	over := make(chan struct{})
	defer close(over)
	go func() {
		defer signal.Stop(signals) // a second interrupt ends the process
		select {
		case <-signals:
			close(interrupt)
		case <-over:
		}
	}()
	t := &tool{suite: suite, out: stdout, err: stderr, interrupt: interrupt, status: report.NewStatus(stderr)}
	return t.run(args)
}

// tool is one run of the command line.
type tool struct {
	suite     []*model.Protocol
	out, err  io.Writer
	interrupt <-chan struct{}
	status    *report.Status
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
	if err := root.Execute(); err != nil {
		t.status.Clear()
		fmt.Fprintf(t.err, "verify: %v\n", err)
		return report.ExitUsage
	}
	return t.code
}

// internal reports a panic and what to do about it.
func (t *tool) internal(p any, args []string) {
	fmt.Fprintf(t.err, "verify: internal error: %v\n", p)
	fmt.Fprintf(t.err, "%s\n", debug.Stack())
	fmt.Fprintf(t.err, "verify: nothing is known of the claims; please report this with the command: verify %s\n", report.Quoted(args))
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
