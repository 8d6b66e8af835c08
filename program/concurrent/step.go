package concurrent

import (
	"fmt"
	"regexp"
	"strings"

	"contend/program/concurrent/schedule"
	"contend/program/overlay"
)

// A Step is a goroutine's operation at a point.
type Step struct {
	Goroutine      int // 0 runs the body; the others are numbered in the order in which they begin
	Op             overlay.Kind
	Function, File string
	Line           int
	Preempted      bool // another goroutine runs first: To
	GivesWay       bool // as well, since this one seems to wait in a loop
	To             int  // schedule.Time: the next timer fires
	Case, Of       int  // of a select statement: the ready case that is taken, and how many are ready, if several are

	object uint64
}

// writeSteps writes steps as lines: goroutine, place, function, operation and object. Objects are numbered in the order in which they are met.
func writeSteps(b *strings.Builder, steps []Step, stops map[int]string) {
	names := numbered(steps)
	var rows []row
	for i, s := range steps {
		if s.quiet() {
			continue
		}
		op := s.Op.String()
		if s.object != 0 {
			op += " of " + objectMark
		}
		if s.Of > 0 {
			op += fmt.Sprintf(", takes ready case %d of %d", s.Case+1, s.Of)
		}
		rows = append(rows, row{s.Goroutine, s.at(), short(s.Function), op, after(steps, i, stops), names[s.object]})
	}
	writeRows(b, rows)
}

// numbered names the objects of steps, in the order in which they are met, by what is first done with them.
func numbered(steps []Step) map[uint64]string {
	names := map[uint64]string{}
	for _, s := range steps {
		if !s.quiet() && s.object != 0 && names[s.object] == "" {
			names[s.object] = fmt.Sprintf("%s%d", noun(s.Op), len(names)+1)
		}
	}
	return names
}

// quiet reports whether a step is of a package that writes something, and nothing happens there.
func (s Step) quiet() bool {
	for _, pkg := range []string{"fmt.", "testing.", "os.", "log.", "internal/poll.", "reflect."} {
		if strings.HasPrefix(s.Function, pkg) {
			return !s.Preempted
		}
	}
	return false
}

// after says what becomes of a goroutine at a step.
func after(steps []Step, i int, stops map[int]string) string {
	s := steps[i]
	switch {
	case s.To == schedule.Time && s.Preempted:
		return "time goes on before it: the next timer fires"
	case s.To == schedule.Time:
		return "loops; time goes on"
	}
	if s.Preempted {
		return fmt.Sprintf("is preempted before it; goroutine %d runs", s.To)
	}
	if s.GivesWay {
		return fmt.Sprintf("loops; goroutine %d runs", s.To)
	}
	if i+1 < len(steps) && steps[i+1].Goroutine == s.Goroutine {
		return ""
	}
	for _, later := range steps[i+1:] {
		if later.Goroutine == s.Goroutine {
			return "waits"
		}
	}
	if stops[s.Goroutine] != "" {
		return "waits for ever"
	}
	return ""
}

// noun is what an operation works on.
func noun(k overlay.Kind) string {
	switch {
	case k <= overlay.Close:
		return "channel "
	case k <= overlay.RUnlock:
		return "lock "
	case k <= overlay.Wait:
		return "group "
	case k <= overlay.Broadcast:
		return "cond "
	case k == overlay.Do:
		return "once "
	case k <= overlay.MapWrite:
		return "map "
	case k <= overlay.PoolPut:
		return "pool "
	case k == overlay.Call:
		return "history "
	}
	return "variable "
}

// short is a function's name without the path of its package.
func short(function string) string {
	name := function[strings.LastIndex(function, "/")+1:]
	if _, rest, found := strings.Cut(name, "."); found {
		return rest
	}
	return name
}

// String says how the schedule fails, lists its steps, and then has the stacks.
func (f *Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.cause())
	if f.Refused != "" {
		fmt.Fprintf(&b, "the body %s\n", f.Refused)
	}
	if out := f.written(); out != "" {
		fmt.Fprintf(&b, "the body wrote:\n%s\n", out)
	}
	stops := f.stopped()
	writeWaits(&b, f.Steps, stops)
	if f.Outcome == Endless {
		writeGoing(&b, f.Steps)
	}
	fmt.Fprintf(&b, "a schedule with %s:\n", preemptions(f.Preemptions))
	writeSteps(&b, f.Steps, stops)
	if f.Text != "" && f.Outcome != NotLinearizable {
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(f.Text))
	}
	return b.String()
}

func preemptions(n int) string { return counted(n, "preemption") }

// headed is what package testing writes around what a test writes, with the name of the test that writes next.
var headed = regexp.MustCompile(`^(?:=== (?:RUN|NAME) +(.*)|\s*--- (?:FAIL|PASS|SKIP): .*)\n?$`)

// written is what the body wrote before it failed, without what package testing writes but the names of subtests.
func (f *Failure) written() string {
	out := f.Output
	if at := crashed.FindStringIndex(out); at != nil {
		out = out[:at[0]]
	}
	var lines []string
	subtest := ""
	for line := range strings.Lines(out) {
		if at := headed.FindStringSubmatch(line); at != nil {
			if at[1] != "" {
				subtest = "in " + at[1] + ":"
			}
			continue
		}
		if subtest != "" {
			lines, subtest = append(lines, subtest), ""
		}
		lines = append(lines, strings.TrimRight(line, "\n"))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// stopped are the goroutines that wait at the end, with what the runtime says they wait for.
func (f *Failure) stopped() map[int]string {
	stops := map[int]string{}
	if f.Outcome != Deadlock && f.Outcome != Leak {
		return stops
	}
	for line := range strings.Lines(f.Text) {
		var g int
		if _, err := fmt.Sscanf(line, "goroutine %d [", &g); err == nil {
			_, state, _ := strings.Cut(line, "[")
			if state, _, _ = strings.Cut(state, "]"); !strings.HasSuffix(state, forTimer) {
				stops[g] = state
			}
		}
	}
	return stops
}

// crash is what the Go runtime says when a program fails, in what it has written.
func crash(output string) string {
	if at := crashed.FindStringIndex(output); at != nil {
		return strings.TrimSpace(output[at[0]:])
	}
	return ""
}

var crashed = regexp.MustCompile(`(?m)^(panic|fatal error|runtime): `)
