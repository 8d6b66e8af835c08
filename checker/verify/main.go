// Package verify is the command line as a library: [Main] makes a tool like verify
// of any suite of protocols.
//
//	func main() { verify.Main([]*model.Protocol{mylock.Protocol}) }
package verify

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"

	"contend/model"
)

// The exit codes.
const (
	exitHolds    = 0  // every claim holds, or was sampled to the end of its budget
	exitViolated = 1  // a claim is violated
	exitUsage    = 2  // bad usage or bad input
	exitLimit    = 3  // a limit was hit, and nothing is violated
	exitInternal = 70 // a bug of the tool
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
	t := &tool{suite: suite, out: stdout, err: stderr, interrupt: interrupt, status: newStatus(stderr)}
	return t.run(args)
}

// tool is one run of the command line.
type tool struct {
	suite     []*model.Protocol
	out, err  io.Writer
	interrupt <-chan struct{}
	status    *status
	code      int // what a verb came to
}

// run runs a verb. A panic is a bug of the tool or of a handler, and no verdict.
func (t *tool) run(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			t.status.clear()
			t.internal(p, args)
			code = exitInternal
		}
	}()
	if err := valid(t.suite); err != nil {
		fmt.Fprintf(t.err, "verify: %v\n", err)
		return exitUsage
	}
	root := t.root()
	root.SetArgs(append([]string{}, args...))
	if err := root.Execute(); err != nil {
		t.status.clear()
		fmt.Fprintf(t.err, "verify: %v\n", err)
		return exitUsage
	}
	return t.code
}

// valid says what is wrong with a suite, or nil.
func valid(suite []*model.Protocol) error {
	seen := map[string]bool{}
	for _, p := range suite {
		if err := p.Validate(); err != nil {
			return err
		}
		if seen[p.Name] {
			return fmt.Errorf("protocol %s is listed twice", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}

// internal reports a panic and what to do about it.
func (t *tool) internal(p any, args []string) {
	fmt.Fprintf(t.err, "verify: internal error: %v\n", p)
	fmt.Fprintf(t.err, "%s\n", debug.Stack())
	fmt.Fprintf(t.err, "verify: nothing is known of the claims; please report this with the command: verify %s\n", quoted(args))
}

// quoted writes arguments as a shell takes them.
func quoted(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n\"'`$&|;<>()*?[]#~\\!{}") {
			out[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
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
