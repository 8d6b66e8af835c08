package drive

import (
	"fmt"
	"strings"
)

// String returns the result for people.
func (r *Result) String() string {
	var b strings.Builder
	b.WriteString(string(r.Verdict))
	if r.Limit != "" {
		fmt.Fprintf(&b, " (%s)", r.Limit)
	}
	fmt.Fprintf(&b, ": %s\n%s", r.Coverage(), r.Suite)
	if r.Diverted > 0 {
		fmt.Fprintf(&b, "\nin %s the implementation took another branch than the run", counted(r.Diverted, "run"))
	}
	if r.Difference != nil {
		b.WriteString("\n\n" + r.Difference.String())
	}
	return b.String()
}

// Coverage returns what the implementation did, as text.
func (r *Result) Coverage() string {
	return fmt.Sprintf("%s, %s of the implementation, %d of %s", counted(r.Runs, "run"), counted(r.Steps, "step"), r.Taken, counted(r.Suite.Transitions, "transition"))
}

// String returns the difference for people: the run, both sides, and what differs.
func (d *Difference) String() string {
	var b strings.Builder
	if d.Trace != nil {
		fmt.Fprintf(&b, "differs at the end of a run of %s", counted(len(d.Trace.Steps), "step"))
		if d.Before > len(d.Trace.Steps) {
			fmt.Fprintf(&b, ", found in %d", d.Before)
		}
		b.WriteString(":\n")
		for i, s := range d.Trace.Steps {
			fmt.Fprintf(&b, "  %3d  %s\n", i+1, s)
		}
	}
	fmt.Fprintf(&b, "%s\n", d.Step)
	if d.Shown != "" {
		fmt.Fprintf(&b, "  the implementation: %s\n", d.Shown)
	}
	b.WriteString("  " + d.Reason)
	if d.Field != "" {
		fmt.Fprintf(&b, " (field %s differs)", d.Field)
	}
	if d.Unsteady {
		b.WriteString("\n  the same run did not show it again: the implementation does not always do the same")
	}
	for i, x := range d.Page {
		fmt.Fprintf(&b, "\n  %-12s %s", []string{"on the page:", ""}[min(i, 1)], x)
	}
	return b.String()
}

// counted returns a number with a noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
