//go:build wasip1 || contend_native

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

// View sets the bytes that claims and people see of the program: the result of f. A node calls f when all
// goroutines wait, and f must not wait.
func View(f func() []byte) { view = f }

// show passes the view to the host if it has changed.
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
func stacks() {
	b := make([]byte, 1<<16)
	n := runtime.Stack(b, true)
	for n == len(b) {
		b = make([]byte, 2*len(b))
		n = runtime.Stack(b, true)
	}
	output(wire.Stacks, b[:n])
}
