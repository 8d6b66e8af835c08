//go:build linux && amd64

package native

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"contend/program/guest"
)

// A Host answers the calls of a [Process]: those of Linux, and those that the program makes of it besides. It is asked before the [Module] answers itself.
type Host interface {
	// Call answers a call, if it is known. An error ends the program.
	Call(what uintptr, args [6]uintptr) (result uintptr, known bool, err error)
	// Write takes what the program writes to its standard output and error.
	Write(b []byte) (int, error)
}

// A Process is a program that runs until it ends. Its host answers its calls.
type Process struct {
	in   *Instance
	kept *image
	was  state
}

// An Exited is the error of a process that has ended by itself, or was stopped.
type Exited struct {
	Code    int
	Stopped bool // it made no call for long
}

func (e *Exited) Error() string { return fmt.Sprintf("native: the program exits with code %d", e.Code) }

// Run runs a program until it ends, with so much memory at most. The result is an [Exited], or the error of the host, or of this package.
func (m *Module) Run(c guest.Config, memory int, begins func(*Process) Host) error {
	in := &Instance{module: m}
	if err := m.settle(in, c.Args[0]); err != nil {
		return err
	}
	defer in.Release()
	if err := install(); err != nil {
		return err
	}
	p := in.place
	p.mu.Lock()
	defer p.mu.Unlock()
	in.begin(c)
	in.limit = memory
	in.host = begins(&Process{in: in})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stop := in.watch()
	in.over = in.run()
	stop()
	p.shed(p.fresh) // the place stays, for the next one
	return in.over
}

// patient is how much CPU time a process may take without a call, and watched how often that is looked at.
const (
	patient = 2 * time.Second
	watched = 100 * time.Millisecond
)

// watch stops a process that makes no call for long: its code becomes inaccessible, as in a step that takes too long. The result ends the watch.
func (in *Instance) watch() (stop func()) {
	thread, done, over := syscall.Gettid(), make(chan struct{}), make(chan struct{})
	s := in.place.slot
	go func() {
		defer close(over)
		tick := time.NewTicker(watched)
		defer tick.Stop()
		calls, since := in.calls.Load(), spent(thread)
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if is := in.calls.Load(); is != calls {
				calls, since = is, spent(thread)
			} else if spent(thread)-since > patient {
				s.stopping = 1
				_ = syscall.Mprotect(bytesAt(s.text, s.textSize), syscall.PROT_NONE)
				since = spent(thread)
			}
		}
	}()
	return func() {
		close(done)
		<-over
	}
}

// spent is the CPU time of a thread of this process.
func spent(thread int) time.Duration {
	const ofThread = 6
	var is syscall.Timespec
	clock := ^uintptr(thread)<<3 | ofThread
	if _, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&is)), 0); e != 0 {
		return 0
	}
	return time.Duration(is.Nano())
}

// Keep keeps the memory as it is during a call.
func (p *Process) Keep() {
	p.kept, p.was = p.in.place.keep(nil), p.in.state.clone()
}

// Restore brings back the memory as it was kept. The program goes on behind the call of then.
func (p *Process) Restore() {
	p.in.place.shed(p.kept)
	p.in.place.restore(p.kept)
	p.in.state = p.was.clone()
}

// SetNow sets the clock.
func (p *Process) SetNow(now int64) { p.in.now, p.in.place.slot.now = now, now }

// Read returns memory that the program may read; nil if it may not.
func (p *Process) Read(at, n uintptr) []byte { return p.in.place.read(at, n) }

// At returns memory that the program may write; nil if it may not.
func (p *Process) At(at, n uintptr) []byte { return p.in.place.at(at, n) }

// Text returns a text in the program's memory, which ends with a zero.
func (p *Process) Text(at uintptr) (string, bool) { return p.in.text(at) }
