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

// Broken is the error of a run that violates a claim.
type Broken struct {
	Claim, Text string
	Trace       *traces.Trace // of the run
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

// Sentence says what is violated, and by how long a run.
func (b *Broken) Sentence() string {
	return fmt.Sprintf("%s is violated by a run of %s: %s", b.Claim, minimize.Steps(len(b.Trace.Steps)), b.Text)
}

// Keep makes the run smaller, and keeps it for the test of this name, as [Test] keeps its own. It returns what to print: what is
// violated, what the minimiser made of the run, given in words what it was made from, the run itself, where its trace is, and the
// command that replays it.
func (b *Broken) Keep(test, from string) string {
	early := kept.Save(test, b.Trace) // to make it smaller takes its time, and go test may be ended meanwhile
	small, m := shrink.Sampled(verdict.Options{}, b.protocol, b.Trace, nil)
	how := m.Text + "; " + m.How
	return fmt.Sprintf("%s is violated: %s\n%s: %s\n%s", b.Claim, small.Text, from, how, kept.Keep(test, explain.New(b.protocol, small), early))
}
