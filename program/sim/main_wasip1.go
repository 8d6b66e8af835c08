package sim

import (
	"os"
	"syscall"
	"unsafe"
)

//go:wasmimport contend input
func hostInput(at unsafe.Pointer, room uint32) int32

//go:wasmimport contend output
func hostOutput(kind uint32, at unsafe.Pointer, n uint32)

// program is function main, and started says that it was.
var (
	program func()
	started bool
	bell    *os.File
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
	inputs()
	var one [1]byte
	if _, err := bell.Read(one[:]); err != nil {
		panic(err)
	}
	show()
}

// terminate ends the program, which cannot handle signals.
func terminate() { os.Exit(128 + int(syscall.SIGTERM)) }

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

//go:wasmexport sim_stacks
func tellStacks() { stacks() }
