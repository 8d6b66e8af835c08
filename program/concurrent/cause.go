package concurrent

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"contend/program/concurrent/schedule"
)

// cause returns a few lines on why the schedule fails.
func (f *Failure) cause() string {
	first, rest, _ := strings.Cut(strings.TrimSpace(f.Text), "\n")
	switch {
	case f.Outcome == Panic && first != "":
		return first
	case f.Outcome == Race:
		return sentences[Race] + accesses(f.Text)
	case f.Outcome == NotLinearizable:
		return sentences[NotLinearizable] + "\n" + first + "\n" + strings.TrimRight(rest, "\n")
	case f.Outcome == Endless && f.long:
		return fmt.Sprintf("the run does not end within %d choices", schedule.Longest)
	}
	return sentences[f.Outcome]
}

// accesses returns the two accesses of a race in a line, each with its innermost place.
func accesses(text string) string {
	var b strings.Builder
	what := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case !strings.HasPrefix(line, " ") && strings.Contains(line, " by goroutine "):
			what = line
		case what != "" && strings.HasPrefix(line, "        "):
			fmt.Fprintf(&b, "\n%s, at %s", what, path.Base(strings.TrimSpace(line)))
			what = ""
		}
	}
	return b.String()
}

// mostGoing is the number of last steps in which running goroutines are looked for.
const mostGoing = 200

// writeGoing writes which goroutines go on at the end, and where.
func writeGoing(b *strings.Builder, steps []Step) {
	last := map[int]Step{}
	var order []int
	for _, s := range steps[max(0, len(steps)-mostGoing):] {
		if _, known := last[s.Goroutine]; !known {
			order = append(order, s.Goroutine)
		}
		last[s.Goroutine] = s
	}
	slices.Sort(order)
	for _, g := range order {
		s := last[g]
		fmt.Fprintf(b, "goroutine %d goes on: %v at %s\n", g, s.Op, s.at())
	}
}

// at returns the place of a step.
func (s Step) at() string { return fmt.Sprintf("%s:%d", path.Base(s.File), s.Line) }
