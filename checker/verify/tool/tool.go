// Package tool is one run of the command line: the suite, where output goes, and what every verb needs
// of them.
package tool

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/verify/console"
	"contend/model"
	"contend/model/printed"
	"contend/traces/show"
)

// A Tool is one run of the command line.
type Tool struct {
	Suite     []*model.Protocol
	Out, Err  io.Writer
	Interrupt <-chan struct{}  // is closed when the user asks to stop
	Heard     func() os.Signal // which signal that was, once Interrupt is closed
	Status    *console.Status
	Progress  *console.Progress // nil unless a file is asked for
	Figures   []Figure
	Tables    []func() []*printed.Comparison
	Verbs     []func(*Tool) []*cobra.Command // besides those of every tool
	Completes bool                           // the shell asks how to complete a line: only then flags have values to offer
	Code      int                            // the exit code of the verb that ran
	Seconds   func(float64) float64          // returns the seconds to print for measured seconds; nil prints the measured seconds
	Beside    int64                          // maximum number of states of a search that runs beside others; 0 is two million
}

// A Figure says how long a verb, check or mutants, took over the whole suite when it was measured:
// the user is told before it starts.
type Figure struct {
	Verb  string
	Takes string // such as "a minute on two cores"
}

// Verb makes a command of a function that returns the exit code.
func (t *Tool) Verb(c cobra.Command, run func(args []string) (int, error)) *cobra.Command {
	c.DisableFlagsInUseLine = true
	c.Args = cobra.ArbitraryArgs // each verb says itself what is wrong with them
	c.RunE = func(_ *cobra.Command, args []string) (err error) {
		t.Code, err = run(args)
		return err
	}
	return &c
}

// Rows makes the rows of all tables.
func (t *Tool) Rows() (all []*printed.Comparison) {
	for _, rows := range t.Tables {
		all = append(all, rows()...)
	}
	return all
}

// Forewarn tells how long a verb takes over the whole suite, where that is known.
func (t *Tool) Forewarn(verb string) {
	for _, f := range t.Figures {
		if f.Verb == verb {
			console.Say(t.Err, "the whole suite takes about %s", f.Takes)
		}
	}
}

// Interrupted reports whether the user has asked to stop.
func (t *Tool) Interrupted() bool {
	select {
	case <-t.Interrupt:
		return true
	default:
		return false
	}
}

// Told is told of a check's progress.
func (t *Tool) Told(p checker.Progress) {
	t.Status.Update(p)
	t.Progress.Update(p)
}

// Style is how text is laid out on stdout.
func (t *Tool) Style() show.Style {
	return show.Style{Color: console.Coloured(t.Out), Width: console.Width(t.Out)}
}

// Shown is a duration in seconds as it is printed.
func (t *Tool) Shown(seconds float64) float64 {
	if t.Seconds == nil {
		return seconds
	}
	return t.Seconds(seconds)
}
