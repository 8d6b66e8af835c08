package overlay

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed hooks/native.go.txt
var nativeHook string

//go:embed hooks/native.s.txt
var nativeAssembly string

// NativeReleases are the Go releases that the edits for native guests were tested with. [Edits.Make] takes others whose sources fit.
var NativeReleases = []string{"go1.25.12", "go1.26.8"}

// NativeTag is the build tag of native guests. Package sim is built for its host with it.
const NativeTag = "contend_native"

const kernel = "\tSYSCALL\n"

// native edits package runtime for a program that runs within its host's process, on linux/amd64. The table says what is edited, and why. Nothing
// else of the runtime knows that the host is not the kernel: it answers the calls of Linux.
func native(o *release) {
	for _, e := range []struct {
		file string
		edit func(s *source)
		why  string
	}{
		{"runtime/sys_linux_amd64.s", asks, "the runtime's own system calls are the host's to answer"},
		{o.either("internal/runtime/syscall/linux/asm_linux_amd64.s", "internal/runtime/syscall/asm_linux_amd64.s"), asks, "so are those of package syscall"},
		{"syscall/asm_linux_amd64.s", asks, "and those that never fail"},
		{"runtime/time_linux_amd64.s", asks, "and the clocks"},
		{"runtime/time_nofake.go", func(s *source) {
			s.change("func nanotime() int64", "nanotime1()", "contendNanotime()")
		}, "the clock is read so often that the host shares it"},
		{"runtime/asm_amd64.s", func(s *source) {
			s.line("\tCALL\truntime·settls(SB)\n\n\t// store through it", "\tJMP\tok\n\n\t// store through it")
		}, "thread-local storage is the host's thread's"},
		{"runtime/asm_amd64.s", func(s *source) {
			s.line("TEXT runtime·cputicks(SB)", "TEXT runtime·contendCPUTicks(SB)")
		}, "the processor's clock is not the host's to decide"},
		{"runtime/cputicks.go", func(s *source) { s.line("func cputicks() int64\n", "func cputicks() int64 { return nanotime() }\n") }, "the same"},
		{"runtime/proc.go", func(s *source) {
			s.line(`const haveSysmon = GOARCH != "wasm"`, "const haveSysmon = false")
		}, "there is one thread"},
		{"runtime/proc.go", func(s *source) {
			s.enter("func startTemplateThread()", "if true { return }")
			s.enter("func dolockOSThread()", "if true { return }")
			s.enter("func dounlockOSThread()", "if true { return }")
			s.line(`if GOARCH == "wasm" { // no threads yet on wasm`, "if true { // no threads yet on wasm")
		}, "a goroutine that is locked to a thread is locked to this one, as on wasm"},
		{"runtime/debug.go", func(s *source) { s.line(`if GOARCH == "wasm" && n > 1 {`, "if n > 1 {") }, "GOMAXPROCS stays 1, as on wasm"},
		{"runtime/signal_unix.go", func(s *source) {
			s.line("const preemptMSupported = true", "const preemptMSupported = false")
		}, "a goroutine gives way by itself, as on wasm"},
		{"runtime/sigqueue.go", func(s *source) {
			s.change("func signal_recv() uint32", "notetsleepg(&sig.note, -1)", "contendReceive()")
		}, "signals come from the host, as inputs"},
		{"runtime/netpoll_epoll.go", func(s *source) {
			s.enter("func netpollinit()", "if true { return }")
			s.enter("func netpollIsPollDescriptor(fd uintptr) bool", "if true { return false }")
			s.enter("func netpollopen(fd uintptr, pd *pollDesc) uintptr", "if true { return 1 }") // EPERM: files are not polled
			s.enter("func netpollclose(fd uintptr) uintptr", "if true { return 0 }")
			s.enter("func netpollBreak()", "if true { return }")
			s.enter("func netpoll(delay int64) (gList, int32)", "if true { return contendPoll(delay) }")
		}, "a step ends where the scheduler would wait"},
		{"runtime/malloc.go", func(s *source) {
			if from := "randomizeHeapBase = goexperiment."; bytes.Contains(s.text, []byte(from)) { // since Go 1.26
				s.line(from, "randomizeHeapBase = false && goexperiment.")
			}
		}, "no random number is drawn for the place of the heap, which the host chooses"},
		{"runtime/alg.go", func(s *source) { s.change("func alginit()", "cpu.X86.HasAES", "false") }, "the order of a map does not depend on the processor, and is that of wasm"},
		{"runtime/hash64.go", func(s *source) {
			s.enter("func memhashFallback(p unsafe.Pointer, seed, s uintptr) uintptr", "if s == 8 { return memhash64Fallback(p, seed) }")
		}, "a pointer has one hash"},
		{"runtime/hash64.go", func(s *source) {
			s.change("func r8(p unsafe.Pointer) uintptr", "uintptr(readUnaligned64(p))", "contendRelative(uintptr(readUnaligned64(p)))")
		}, "the order of a map whose keys have pointers does not depend on where the program is placed"},
	} {
		e.edit(o.open(e.file))
	}
	o.add("runtime/contend_native_linux.go", nativeHook)
	o.add("runtime/contend_native_linux_amd64.s", nativeAssembly)
}

//go:embed hooks/asks.go.txt
var asksHook string

//go:embed hooks/asks_native.go.txt
var nativeAsksHook string

// Questions are what a test asks its host: functions of the module contend in WebAssembly, and calls beside those of Linux in a native program, where
// their numbers are those of [Question].
var Questions = []string{"pick", "point", "clock", "idle", "choose", "where", "raced", "traced", "refused", "next", "kind", "seed", "started", "ended"}

// FirstQuestion is the number of the first of the questions.
const FirstQuestion = 1<<20 + 32

// Question is the number of a question.
func Question(name string) uintptr { return FirstQuestion + uintptr(slices.Index(Questions, name)) }

// asks is the file in which package runtime asks the host.
func (o *release) asks() string {
	if !o.native {
		return asksHook
	}
	var numbers strings.Builder
	numbers.WriteString("\nconst (\n")
	for _, q := range Questions {
		fmt.Fprintf(&numbers, "\tcontendAsks%s%s = %d\n", strings.ToUpper(q[:1]), q[1:], Question(q))
	}
	numbers.WriteString(")\n")
	return nativeAsksHook + numbers.String()
}

// refusing has a hook tell the host what a body does and cannot do.
func (o *release) refusing(hook string) string {
	directive := "//go:wasmimport contend refused"
	if o.native {
		directive = "//go:linkname contendHostRefused runtime.contendHostRefused"
	}
	return strings.Replace(hook, "DIRECTIVE", directive, 1)
}

// named is the name of an added file that is only built for the system of the program.
func (o *release) named(name string) string {
	if o.native {
		return name + "_linux.go"
	}
	return name + "_wasip1.go"
}

// locks is the file with the runtime's locks.
func (o *release) locks() string {
	if o.native {
		return "runtime/lock_futex.go"
	}
	return "runtime/lock_wasip1.go"
}

// clocks has the wall clock be read as the other one is, so that it is seen.
func clocks(o *release) {
	o.open("runtime/timeasm.go").line("func time_now() (sec int64, nsec int32, mono int64)\n", "func time_now() (sec int64, nsec int32, mono int64) { return contendNow() }\n")
	o.open("runtime/time_linux_amd64.s").line("TEXT time·now<ABIInternal>(SB)", "TEXT runtime·contendTimeNow(SB)")
}

// unmarked is what package runtime needs where loads and stores of a native program are marked, and nobody looks at them: package sync/atomic has
// points only where the compiler does not know its functions, and it knows them in a program whose loads and stores are not marked.
func (o *release) unmarked() string {
	if !o.native {
		return ""
	}
	return unmarkedHook
}

//go:embed hooks/unmarked.go.txt
var unmarkedHook string

// either returns the file that a release has of two: a newer name, and an older one.
func (o *release) either(newer, older string) string {
	if _, err := os.Stat(filepath.Join(o.goroot, "src", filepath.FromSlash(older))); err == nil {
		return older
	}
	return newer
}

// asks has a file in assembly call the host in place of the kernel.
func asks(s *source) {
	call := []byte("\tCALL\truntime·contendSyscall(SB)\n")
	n := 0
	for at := 0; ; n++ {
		next := bytes.Index(s.text[at:], []byte(kernel))
		if next < 0 {
			break
		}
		at += next
		s.edits = append(s.edits, edit{at, at + len(kernel), string(call)})
		at += len(kernel)
	}
	if n == 0 {
		s.fail("has no SYSCALL")
	}
}
