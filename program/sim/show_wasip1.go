package sim

import (
	"bytes"
	"runtime"

	"contend/program/wire"
)

// Return ends the call that runs, with a result.
func Return(result string) { output(wire.Returned, []byte(result)) }

// Note makes a label visible to monitors and people.
func Note(label string) { output(wire.Noted, []byte(label)) }

var (
	view   func() []byte
	viewed []byte
)

// View says what claims and people see of the program: the bytes that f returns, asked when all goroutines wait. It must not wait
// itself.
func View(f func() []byte) { view = f }

// show tells what is to be seen, if it has changed.
func show() {
	if view == nil {
		return
	}
	if now := view(); !bytes.Equal(now, viewed) {
		viewed = bytes.Clone(now)
		output(wire.Viewed, viewed)
	}
}

// stacks tells where all goroutines are.
//
//go:wasmexport sim_stacks
func stacks() {
	b := make([]byte, 1<<16)
	n := runtime.Stack(b, true)
	for n == len(b) {
		b = make([]byte, 2*len(b))
		n = runtime.Stack(b, true)
	}
	output(wire.Stacks, b[:n])
}
