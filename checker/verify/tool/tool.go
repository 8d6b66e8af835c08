// Package tool has the state of one run of the command line: the suite, the outputs, and what every verb needs of
// them.
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
	Signal    func() os.Signal // which signal that was, once Interrupt is closed
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

// A Figure is the measured time of a verb, check or mutants, over the whole suite. The tool prints it before it
// starts.
type Figure struct {
	Verb     string
	Duration string // such as "a minute on two cores"
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

// Forewarn prints the time of a verb over the whole suite, if it is known.
func (t *Tool) Forewarn(verb string) {
	for _, f := range t.Figures {
		if f.Verb == verb {
			console.Say(t.Err, "the whole suite takes about %s", f.Duration)
		}
	}
}

// Interrupted reports whether the user has interrupted.
func (t *Tool) Interrupted() bool {
	select {
	case <-t.Interrupt:
		return true
	default:
		return false
	}
}

// Update passes the progress of a check to the status and the file.
func (t *Tool) Update(p checker.Progress) {
	t.Status.Update(p)
	t.Progress.Update(p)
}

// Style returns the layout of text on stdout.
func (t *Tool) Style() show.Style {
	return show.Style{Color: console.Coloured(t.Out), Width: console.Width(t.Out)}
}

// PrintedSeconds returns a duration in seconds as printed.
func (t *Tool) PrintedSeconds(seconds float64) float64 {
	if t.Seconds == nil {
		return seconds
	}
	return t.Seconds(seconds)
}
