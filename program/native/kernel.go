//go:build linux && amd64

package native

import (
	"fmt"
	"slices"
	"strings"
	"syscall"

	"contend/program/guest"
)

// kernel is what Linux would have of the process.
type kernel struct {
	brk    int     // of the region, up to which it is given out
	memory int     // of which this much may be used
	limit  int     // and this much at most
	files  []*open // by descriptor; nil where there is none
	maps   []mapping
	spoken []uint16 // the system calls that the program was told of
}

func (k *kernel) clone() kernel {
	c := *k
	c.files = make([]*open, len(k.files))
	for i, f := range k.files {
		if f != nil {
			own := *f
			c.files[i] = &own
		}
	}
	c.maps, c.spoken = slices.Clone(k.maps), slices.Clip(k.spoken)
	k.spoken = slices.Clip(k.spoken)
	return c
}

// What a guest asks besides the calls of Linux: the guest's runtime has the same.
const (
	asksRest = 1<<20 + iota
	asksInput
	tells

	syncBegins  = 1<<20 + 16
	syncEnds    = 1<<20 + 17
	writesOnly  = 1<<20 + 18
	writeCovers = 1<<20 + 19
)

// run has the guest go on until it rests or ends.
func (in *Instance) run() error {
	s := in.place.slot
	s.busy, s.stopped, s.stopping, s.ticks = 0, 0, 0, 0 // the handler returns the code of a place that was stopped too late
	s.now = in.now
	s.running = 1
	defer func() { s.running = 0 }()
	for {
		enter(s)
		if in.host != nil && s.called != aborts {
			s.ticks = 0
			in.calls.Add(1)
			result, known, err := in.host.Call(s.called, s.args)
			if err != nil {
				return err
			}
			if known {
				s.result = result
				continue
			}
		}
		switch s.called {
		case asksRest:
			wait := int64(s.args[0])
			if s.args[1] != 0 {
				in.timer = guest.Never
				if wait > 0 && wait < guest.Never-in.now {
					in.timer = in.now + wait
				}
				in.flushAll()
				return nil
			}
			if wait < 0 { // while packages are initialised
				return &guest.Failure{Text: "fatal error: all goroutines wait for ever while packages are initialised", Trace: string(in.errors)}
			}
			in.now += wait
			s.now = in.now
		case syscall.SYS_EXIT, syscall.SYS_EXIT_GROUP:
			return in.ended(int(int32(s.args[0])))
		case syscall.SYS_KILL, syscall.SYS_TGKILL, syscall.SYS_TKILL:
			return in.ended(2)
		case syscall.SYS_FUTEX:
			if s.args[1]&1 == 0 { // it waits, and nobody else runs
				return &guest.Failure{Text: "fatal error: the Go runtime waits for a thread, but there is one only", Trace: string(in.errors)}
			}
			s.result = 0
		case aborts:
			return in.aborted(s)
		default:
			s.result = in.call(s.called, s.args)
		}
	}
}

// ended returns what an exit amounts to.
func (in *Instance) ended(code int) error {
	if in.host != nil {
		return &Exited{code, in.place.slot.stopped != 0}
	}
	if in.place.slot.stopped != 0 {
		return in.hangs()
	}
	return guest.Ended(code, string(in.errors))
}

// aborted returns how a guest ended that its own runtime could not handle.
func (in *Instance) aborted(s *slot) error {
	if s.stopped != 0 {
		if in.host != nil {
			return &Exited{2, true}
		}
		return in.hangs()
	}
	return &guest.Failure{Text: fmt.Sprintf("fatal error: signal %d at %#x within the Go runtime, which handles another", s.args[1], s.args[0]-in.place.base), Trace: string(in.errors)}
}

// hangs returns the failure of a guest that was stopped.
func (in *Instance) hangs() error {
	text := string(in.errors)
	return &guest.Failure{Text: fmt.Sprintf("it does not come to rest: a step took more than %d seconds of CPU time, in %s", stepSeconds, functions(text)), Trace: text}
}

// functions lists the functions of the first goroutine in a trace, the innermost first, outside of the Go runtime.
func functions(trace string) string {
	_, first, _ := strings.Cut(trace, "\ngoroutine ")
	if at := strings.LastIndex(trace, "SIGQUIT: quit"); at >= 0 {
		_, first, _ = strings.Cut(trace[at:], "\ngoroutine ")
	}
	first, _, _ = strings.Cut(first, "\n\n")
	var all []string
	for line := range strings.Lines(first) {
		end := max(strings.LastIndex(line, "("), 0)
		name := line[:end]
		if end > 0 && !strings.HasPrefix(line, "\t") && !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "created by ") && strings.Contains(name, ".") {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return "the Go runtime"
	}
	return strings.Join(all[:min(len(all), 4)], ", called by ")
}
