//go:build linux && amd64

package native

import (
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// handlers are the handlers that this process had, by signal.
var handlers [65]uintptr

func handlerAddress() uintptr

// action is the kernel's struct sigaction.
type action struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

const (
	onStack, noDefer, restart, hasRestorer = 0x08000000, 0x40000000, 0x10000000, 0x04000000
	// own are the signals that a guest raises by itself: SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV.
	own = 1<<3 | 1<<4 | 1<<6 | 1<<7 | 1<<10
)

var installing sync.Mutex

// patience is after how many ticks of this process's CPU time a step is ended. The handler reads it.
//
//lint:ignore U1000 the signal handler, in assembly, reads it
var patience uint32

// stepSeconds is how long a step may take, in seconds of CPU time. It has the processor for itself as far as others do not use it too.
const stepSeconds = 6

// watch has the kernel send SIGVTALRM once in each tick of this process's CPU time, as many ticks as it has processors. A tick is in
// microseconds, and a step may take most of them. The handler counts them for each guest that runs.
func watch(tick int64, most uint32) error {
	patience = most
	const virtual = 1
	each := tick * int64(runtime.GOMAXPROCS(0))
	every := [4]int64{each / 1e6, each % 1e6, each / 1e6, each % 1e6} // seconds and microseconds, twice
	if _, _, e := syscall.RawSyscall(syscall.SYS_SETITIMER, virtual, uintptr(unsafe.Pointer(&every)), 0); e != 0 {
		return fmt.Errorf("native: a timer: %w", e)
	}
	return nil
}

// install puts the handler before those that the process has, so that a signal which strikes a thread within a guest finds the host as it expects
// it, and faults of the guest are its own. What somebody has installed since is put behind again.
func install() error {
	installing.Lock()
	defer installing.Unlock()
	for sig := uintptr(1); sig < 65; sig++ {
		var a action
		if _, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, sig, 0, uintptr(unsafe.Pointer(&a)), 8, 0, 0); e != 0 || a.handler < 2 || a.handler == handlerAddress() {
			continue
		}
		if a.flags&onStack == 0 {
			return fmt.Errorf("native: signal %d has a handler without a stack of its own", sig)
		}
		handlers[sig] = a.handler
		a.handler = handlerAddress()
		if own&(1<<(sig-1)) != 0 {
			a.flags |= noDefer
		}
		if _, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, sig, uintptr(unsafe.Pointer(&a)), 0, 8, 0, 0); e != 0 {
			return fmt.Errorf("native: signal %d: %w", sig, e)
		}
	}
	return nil
}
