//go:build linux && amd64

package native

import (
	"encoding/binary"
	"fmt"
	"slices"
	"syscall"

	"contend/model/disk"
	"contend/program/guest"
	"contend/program/overlay"
)

func failing(e syscall.Errno) uintptr { return -uintptr(e) }

// call executes a call of Linux, or a call of the edits of package overlay, and returns the result as the kernel does.
func (in *Instance) call(what uintptr, a [6]uintptr) uintptr {
	if what >= asksRest {
		return in.ownCall(what, a)
	}
	if result, known := in.memoryCall(what, a); known {
		return result
	}
	if result, known := in.processCall(what, a); known {
		return result
	}
	return in.fileCall(what, a)
}

// ownCall executes a call that Linux does not have.
func (in *Instance) ownCall(what uintptr, a [6]uintptr) uintptr {
	if what-overlay.FirstQuestion < uintptr(len(overlay.Questions)) {
		return in.choose(what, a)
	}
	switch what {
	case asksInput:
		return in.input(a)
	case tells:
		in.outputs = append(in.outputs, guest.Output{Kind: uint32(a[0]), Data: slices.Clone(in.place.read(a[1], a[2]))})
		return 0
	case syncBegins:
		return uintptr(in.begins())
	case syncEnds:
		return in.ends(a[0], a[1], disk.Mark(a[2]))
	case writesOnly:
		return in.write(a[0], [6]uintptr{a[1], a[2], a[3], a[4]})
	case writeCovers:
		return in.covers(a[0])
	}
	return in.unknown(what)
}

// input copies the next input of the step to the program, and returns its size. An input that is larger than the memory for it stays the next.
func (in *Instance) input(a [6]uintptr) uintptr {
	if len(in.inputs) == 0 {
		return ^uintptr(0)
	}
	next := in.inputs[0]
	if uintptr(len(next)) <= a[1] {
		in.inputs = in.inputs[1:]
		if len(next) > 0 {
			copy(in.place.at(a[0], uintptr(len(next))), next)
		}
	}
	return uintptr(len(next))
}

// memoryCall executes a call about memory or syncs.
func (in *Instance) memoryCall(what uintptr, a [6]uintptr) (result uintptr, known bool) {
	switch what {
	case syscall.SYS_MMAP:
		return in.mmap(a), true
	case syscall.SYS_MUNMAP:
		return in.munmap(a), true
	case syscall.SYS_MREMAP:
		return in.mremap(a), true
	case syscall.SYS_MSYNC:
		return in.msync(a), true
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		return in.ends(what, a[0], in.begins()), true
	case syscall.SYS_MADVISE:
		return in.advised(a), true
	case syscall.SYS_MPROTECT, syscall.SYS_MLOCK, syscall.SYS_MUNLOCK:
		return 0, true
	}
	return 0, false
}

// processCall executes a call about the process, its signals, clocks and limits, or the options of its sockets.
func (in *Instance) processCall(what uintptr, a [6]uintptr) (result uintptr, known bool) {
	p := in.place
	switch what {
	case syscall.SYS_CLOCK_GETTIME, syscall.SYS_GETTIMEOFDAY:
		result = in.clock(what, a)
	case syscall.SYS_TIME:
		result = uintptr((in.config.Wall + in.now) / 1e9)
	case syscall.SYS_RT_SIGACTION:
		clear(p.at(a[2], 32))
	case syscall.SYS_RT_SIGPROCMASK:
		clear(p.at(a[2], 8))
	case syscall.SYS_SIGALTSTACK:
		result = in.signalStack(a)
	case syscall.SYS_SCHED_GETAFFINITY:
		in.words(a[2], 1)
		result = 8
	case syscall.SYS_NANOSLEEP, syscall.SYS_SCHED_YIELD, syscall.SYS_PRCTL, syscall.SYS_SETITIMER, syscall.SYS_UMASK:
	case syscall.SYS_GETPID, syscall.SYS_GETTID:
		result = 3 // as with WASI
	case syscall.SYS_GETPPID:
		result = 2
	case syscall.SYS_GETUID, syscall.SYS_GETEUID, syscall.SYS_GETGID, syscall.SYS_GETEGID:
		result = 1
	case getRandom:
		b := p.at(a[0], a[1])
		in.random.Fill(b)
		result = uintptr(len(b))
	case syscall.SYS_UNAME:
		b := p.at(a[0], 6*65)
		clear(b)
		for i, s := range []string{"Linux", in.config.Args[0], "6.0.0", "", "x86_64"} {
			copy(b[i*65:], s[:min(len(s), 64)])
		}
	case syscall.SYS_GETRLIMIT:
		in.words(a[1], 1<<20, 1<<20)
	case syscall.SYS_PRLIMIT64:
		in.words(a[3], 1<<20, 1<<20)
	case syscall.SYS_SETSOCKOPT:
		if a[0] < sockets {
			result = failing(syscall.ENOTSOCK)
		}
	case syscall.SYS_GETSOCKOPT:
		result = failing(syscall.ENOPROTOOPT)
	case syscall.SYS_SOCKET, syscall.SYS_SOCKETPAIR:
		result = failing(syscall.EAFNOSUPPORT)
	default:
		return 0, false
	}
	return result, true
}

// words writes words to the program's memory, if there is room.
func (in *Instance) words(at uintptr, all ...uint64) {
	if b := in.place.at(at, uintptr(8*len(all))); b != nil {
		for i, w := range all {
			binary.LittleEndian.PutUint64(b[8*i:], w)
		}
	}
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
