package fuzzing

import (
	"fmt"
	"strings"

	"contend/checker/explain"
	"contend/checker/kept"
	"contend/checker/minimize"
	"contend/checker/shrink"
	"contend/checker/verdict"
	"contend/model"
	"contend/traces"
)

// A Broken is the error of a run that violates a claim.
type Broken struct {
	Claim, Text string
	Trace       *traces.Trace
	protocol    *model.Protocol
	violation   *explain.Violation
}

// Error returns the violation and the explained run as text.
func (b *Broken) Error() string {
	run, err := kept.Text(b.violation)
	if err != nil {
		run = err.Error()
	}
	return fmt.Sprintf("%s is violated: %s\n\n%s", b.Claim, b.Text, strings.TrimRight(run, "\n"))
}

// Sentence returns the violation and the length of the run.
func (b *Broken) Sentence() string {
	return fmt.Sprintf("%s is violated by a run of %s: %s", b.Claim, minimize.Steps(len(b.Trace.Steps)), b.Text)
}

// Keep minimizes the run and stores it for a test, like checker.Test. The origin describes the input. Keep returns
// the text to print: the violation, the minimization, the run, the file of its trace, and the command that replays
// it.
func (b *Broken) Keep(test, origin string) string {
	early := kept.Save(test, b.Trace) // go test may end during the minimization
	small, minimized := shrink.Sampled(verdict.Options{}, b.protocol, b.Trace, nil)
	how := minimized.Text + "; " + minimized.How
	return fmt.Sprintf("%s is violated: %s\n%s: %s\n%s", b.Claim, small.Text, origin, how, kept.Keep(test, explain.New(b.protocol, small), early))
}
