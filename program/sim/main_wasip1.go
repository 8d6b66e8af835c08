package sim

import (
	"os"
	"unsafe"

	"contend/program/wire"
)

//go:wasmimport contend input
func hostInput(at unsafe.Pointer, room uint32) int32

//go:wasmimport contend output
func hostOutput(kind uint32, at unsafe.Pointer, n uint32)

func output(kind uint32, b []byte) {
	hostOutput(kind, unsafe.Pointer(unsafe.SliceData(b)), uint32(len(b)))
}

// program is function main, and started says that it was.
var (
	program func()
	started bool
	bell    *os.File
	room    = make([]byte, 1<<16)
)

// Main sets the function main. An init function calls it.
func Main(main func()) { program = main }

// sim_step takes what the host has for the program, and returns once all other goroutines wait.
//
//go:wasmexport sim_step
func step() {
	if !started {
		start()
	}
	for {
		n := int(hostInput(unsafe.Pointer(unsafe.SliceData(room)), uint32(len(room))))
		if n < 0 {
			break
		}
		if n > len(room) {
			room = make([]byte, 2*n)
			continue
		}
		take(append([]byte(nil), room[:n]...))
	}
	var one [1]byte
	if _, err := bell.Read(one[:]); err != nil {
		panic(err)
	}
	show()
}

func start() {
	started = true
	bell = os.NewFile(100, "bell")
	if program == nil {
		panic("sim: no init function calls sim.Main")
	}
	go func() {
		program()
		os.Exit(0)
	}()
}

// take hands an input to whom it is for. It never waits.
func take(b []byte) {
	switch b[0] {
	case wire.Called:
		calls.put(string(b[1:]))
	case wire.Received:
		m, err := wire.Decode(b[1:])
		if err != nil {
			panic(err)
		}
		receive(m)
	case wire.Cut, wire.HalfOpen:
		cut(int(b[1]), b[0] == wire.Cut)
	case wire.Refuse:
		stack.refusals++
	}
}
