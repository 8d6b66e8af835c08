// Fails counts ticks and calls, and fails in the way that a call names.
package main

import (
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"contend/program/sim"
)

func init() { sim.Main(main) }

var (
	zero   int
	sink   [][]byte
	nobody *struct{ far [1 << 16]byte }
)

func main() {
	counts := map[*string]int{} // an address each
	tick := "tick"
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			counts[&tick]++
			sim.Note(fmt.Sprint("tick ", counts[&tick], " of ", len(counts)))
		}
	}()
	for {
		call := sim.Invoked()
		if do := ways[call]; do != nil {
			do()
		}
		counts[&call]++
		sink = append(sink, []byte(call))
		sim.Return(fmt.Sprint(call, " ", len(sink), " ", len(counts)))
	}
}

var ways = map[string]func(){
	"panic":     func() { panic("on purpose") },
	"elsewhere": func() { go func() { panic("on purpose") }(); select {} },
	"nil":       func() { nobody.far[100] = 1 },
	"far":       func() { nobody.far[1<<15] = 1 },
	"divide":    func() { zero /= zero },
	"index":     func() { sink[zero] = sink[len(sink)+zero] },
	"starts":    func() { _, err := os.StartProcess("/bin/true", nil, &os.ProcAttr{}); panic(err) },
	"exit":      func() { os.Exit(3) },
	"log":       func() { log.Fatal("it cannot go on") },
	"lock":      func() { var mu sync.Mutex; mu.Unlock() },
	"stack":     func() { deep(0) },
	"loop": func() {
		for {
			spin()
		}
	},
	"calls": func() {
		for {
			syscall.Getppid()
		}
	},
	"maps": func() {
		for m := map[int]int{}; ; m[spins%100] = spins {
			spins++
		}
	},
	"garbage": func() {
		for {
			sink = append(sink[:0], make([]byte, 1<<10))
		}
	},
	"memory": func() {
		for {
			sink = append(sink, make([]byte, 1<<20))
		}
	},
	"goroutines": func() {
		for {
			go func() { select {} }()
		}
	},
	"nowhere":      func() { *(*byte)(unsafe.Pointer(uintptr(0x7777777777))) = 1 },
	"noncanonical": func() { *(*byte)(unsafe.Pointer(^uintptr(0)/2 - 100)) = 1 },
	"constant":     func() { *unsafe.StringData(fixed) = 'x' },
	"jump":         func() { where := &[1]uintptr{0x1234}; (*(*func())(unsafe.Pointer(&where)))() },
	"beyond":       func() { sink = append(sink, []byte{beyond()[0]}) },
	"runtime":      func() { smash() },
	"abort":        func() { syscall.Kill(syscall.Getpid(), syscall.SIGABRT); panic("it goes on") },
	"crash":        func() { debug.SetTraceback("crash"); panic("on purpose") },
	"recovers": func() {
		defer func() { sim.Note(fmt.Sprint("recovered ", recover())) }()
		nobody.far[100] = 1
	},
	"faults": func() {
		defer func() { sim.Note(fmt.Sprint("recovered ", recover())) }()
		debug.SetPanicOnFault(true)
		*(*byte)(unsafe.Pointer(uintptr(0x7777777777))) = 1
	},
	"writes": func() { fmt.Fprintln(os.Stderr, strings.Repeat("much ", 1<<15)); panic("on purpose") },
}

const fixed = "this cannot be written"

// beyond returns a mapping of an empty file.
func beyond() []byte {
	f, err := os.Create("/empty")
	if err != nil {
		panic(err)
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return b
}

var spins int

//go:noinline
func spin() { spins++ }

//go:noinline
func deep(n int) int { return n + deep(n+1) }

// smash overwrites what the runtime needs: the goroutine that runs.
func smash() {
	at := uintptr(unsafe.Pointer(&spins)) &^ 0xfff
	for i := range uintptr(1 << 15) {
		*(*byte)(unsafe.Pointer(at - 0x4000 + i)) = 0x5a
	}
}
