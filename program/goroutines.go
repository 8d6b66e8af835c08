package program

import (
	"path"
	"slices"
	"strings"
)

// mostCalls is how many calls are shown of a goroutine.
const mostCalls = 3

// goroutines says where the goroutines of the program are that wait, a line each. It asks a copy.
func (q *process) goroutines() []string {
	c := q.fork()
	if c.kept == nil {
		return nil // it has ended
	}
	in := c.instance()
	defer c.discard()
	text, err := in.Stacks()
	if err != nil {
		return nil
	}
	return waiting(text)
}

// waiting makes lines of a text of the Go runtime: what each goroutine waits for, and the calls that it is in, the innermost first. Calls
// within the runtime and package sim are left out, and so are goroutines in no other.
func waiting(text string) (all []string) {
	for one := range strings.SplitSeq(text, "\n\n") {
		head, rest, _ := strings.Cut(one, "\n")
		lines := strings.Split(rest, "\n")
		var calls []string
		for i := 0; i+1 < len(lines) && len(calls) < mostCalls; i += 2 {
			if call := strings.TrimPrefix(lines[i], "created by "); call == lines[i] && !inner(call) {
				calls = append(calls, called(call)+" "+placeOf(lines[i+1]))
			}
		}
		if len(calls) > 0 {
			all = append(all, strings.TrimSuffix(head, ":")+": "+strings.Join(calls, " in "))
		}
	}
	return all
}

// inner reports whether a call is within the runtime, or what is closest to it.
func inner(call string) bool {
	first, _, _ := strings.Cut(call, ".")
	root, _, _ := strings.Cut(first, "/")
	return strings.HasPrefix(call, sim) || slices.Contains([]string{"runtime", "internal", "sync", "syscall", "time"}, root)
}

const sim = "contend/program/sim."

// called is a function without its arguments and the path of its package.
func called(call string) string {
	if end := strings.LastIndex(call, "("); end > 0 {
		call = call[:end]
	}
	return path.Base(call)
}

// placeOf is the file and the line of a call.
func placeOf(line string) string {
	at, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return path.Base(at)
}
