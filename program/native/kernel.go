//go:build linux && amd64

package native

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"contend/model/disk"
	"contend/program/guest"
	"contend/program/overlay"
)

// kernel is what Linux would have of the process.
type kernel struct {
	brk    int     // of the region, up to which it is given out
	memory int     // of which this much may be used
	limit  int     // and this much at most
	files  []*open // by descriptor; nil where there is none
	maps   []guest.Mapping
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

	syncBegins = 1<<20 + 16
	syncEnds   = 1<<20 + 17
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

func failing(e syscall.Errno) uintptr { return -uintptr(e) }

// call does what a system call does, and returns its result.
func (in *Instance) call(what uintptr, a [6]uintptr) uintptr {
	p := in.place
	if what-overlay.FirstQuestion < uintptr(len(overlay.Questions)) {
		return in.choose(what, a)
	}
	switch what {
	case asksInput:
		if len(in.inputs) == 0 {
			return ^uintptr(0)
		}
		next := in.inputs[0]
		if uintptr(len(next)) > a[1] {
			return uintptr(len(next)) // it comes again for a larger room
		}
		in.inputs = in.inputs[1:]
		if len(next) > 0 {
			copy(p.at(a[0], uintptr(len(next))), next)
		}
		return uintptr(len(next))
	case tells:
		in.outputs = append(in.outputs, guest.Output{Kind: uint32(a[0]), Data: slices.Clone(p.read(a[1], a[2]))})
		return 0
	case syscall.SYS_CLOCK_GETTIME, syscall.SYS_GETTIMEOFDAY:
		return in.clock(what, a)
	case syscall.SYS_TIME:
		return uintptr((in.config.Wall + in.now) / 1e9)
	case syscall.SYS_MMAP:
		return in.mmap(a)
	case syscall.SYS_MUNMAP:
		return in.munmap(a)
	case syscall.SYS_MREMAP:
		return in.mremap(a)
	case syscall.SYS_MSYNC:
		return in.msync(a)
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		return in.ends(what, a[0], in.begins())
	case syncBegins:
		return uintptr(in.begins())
	case syncEnds:
		return in.ends(a[0], a[1], disk.Mark(a[2]))
	case syscall.SYS_RT_SIGACTION:
		clear(p.at(a[2], 32))
	case syscall.SYS_RT_SIGPROCMASK:
		clear(p.at(a[2], 8))
	case syscall.SYS_SIGALTSTACK:
		return in.signalStack(a)
	case syscall.SYS_SCHED_GETAFFINITY:
		if b := p.at(a[2], 8); b != nil {
			binary.LittleEndian.PutUint64(b, 1)
		}
		return 8
	case syscall.SYS_MADVISE:
		return in.advised(a)
	case syscall.SYS_MPROTECT, syscall.SYS_MLOCK, syscall.SYS_MUNLOCK, syscall.SYS_NANOSLEEP, syscall.SYS_SCHED_YIELD,
		syscall.SYS_PRCTL, syscall.SYS_SETITIMER, syscall.SYS_UMASK:
	case syscall.SYS_GETPID, syscall.SYS_GETTID:
		return 3 // as with WASI
	case syscall.SYS_GETPPID:
		return 2
	case syscall.SYS_GETUID, syscall.SYS_GETEUID, syscall.SYS_GETGID, syscall.SYS_GETEGID:
		return 1
	case getRandom:
		b := p.at(a[0], a[1])
		in.random.Fill(b)
		return uintptr(len(b))
	case syscall.SYS_UNAME:
		b := p.at(a[0], 6*65)
		clear(b)
		for i, s := range []string{"Linux", in.config.Args[0], "6.0.0", "", "x86_64"} {
			copy(b[i*65:], s[:min(len(s), 64)])
		}
	case syscall.SYS_PRLIMIT64, syscall.SYS_GETRLIMIT:
		at := a[1]
		if what == syscall.SYS_PRLIMIT64 {
			at = a[3]
		}
		if b := p.at(at, 16); b != nil {
			binary.LittleEndian.PutUint64(b, 1<<20)
			binary.LittleEndian.PutUint64(b[8:], 1<<20)
		}
	case syscall.SYS_SETSOCKOPT:
		if a[0] < sockets {
			return failing(syscall.ENOTSOCK)
		}
	case syscall.SYS_GETSOCKOPT:
		return failing(syscall.ENOPROTOOPT)
	case syscall.SYS_SOCKET, syscall.SYS_SOCKETPAIR:
		return failing(syscall.EAFNOSUPPORT)
	default:
		return in.fileCall(what, a)
	}
	return 0
}

const getRandom = 318

// sockets is the first descriptor of sockets of package net with the edits of package overlay. Their options are accepted, and do nothing. There is none to
// read.
const sockets = 1 << 20

// unknown answers a call that there is none of. The program's standard error has it once.
func (in *Instance) unknown(what uintptr) uintptr {
	if !slices.Contains(in.spoken, uint16(what)) {
		in.spoken = append(in.spoken, uint16(what))
		text := fmt.Appendf(nil, "contend: the program makes the system call %d, which fails here\n", what)
		if in.host != nil {
			_, _ = in.host.Write(text)
		}
		in.errors = guest.Written(in.errors, text)
	}
	return failing(syscall.ENOSYS)
}

// clock writes what a clock shows.
func (in *Instance) clock(what uintptr, a [6]uintptr) uintptr {
	const realtime, coarse = 0, 5
	at, now, unit := a[1], in.now, int64(1)
	if what == syscall.SYS_GETTIMEOFDAY {
		at, unit = a[0], 1000
		now += in.config.Wall
	} else if a[0] == realtime || a[0] == coarse {
		now += in.config.Wall
	}
	b := in.place.at(at, 16)
	if b == nil {
		return failing(syscall.EFAULT)
	}
	binary.LittleEndian.PutUint64(b, uint64(now/1e9))
	binary.LittleEndian.PutUint64(b[8:], uint64(now%1e9/unit))
	return 0
}

// signalStack takes the stack that the guest's runtime has for signals.
func (in *Instance) signalStack(a [6]uintptr) uintptr {
	const disabled = 2
	if b := in.place.read(a[0], 24); b != nil && binary.LittleEndian.Uint32(b[8:])&disabled == 0 {
		at, n := uintptr(binary.LittleEndian.Uint64(b)), uintptr(binary.LittleEndian.Uint64(b[16:]))
		if in.place.at(at, n) == nil {
			return failing(syscall.EFAULT)
		}
		in.place.slot.stack = (at + n) &^ 15
	}
	if b := in.place.at(a[1], 24); b != nil {
		clear(b)
		b[8] = disabled
	}
	return 0
}
