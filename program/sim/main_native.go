//go:build contend_native

package sim

import (
	"os"
	"syscall"
	"unsafe"

	"contend/program/wire"
)

// The runtime of a native guest has these.

//go:linkname hostWait runtime.contendWait
func hostWait(asks bool)

//go:linkname hostInput runtime.contendInput
//go:noescape
func hostInput(at unsafe.Pointer, room uint32) int32

//go:linkname hostOutput runtime.contendOutput
//go:noescape
func hostOutput(kind uint32, at unsafe.Pointer, n uint32)

//go:linkname hostRaise runtime.contendRaise
func hostRaise(signal uint32) int32

// terminate sends the program a SIGTERM, which ends it unless it handles or ignores that.
func terminate() {
	const nobody, ignored = 0, 2
	switch hostRaise(uint32(syscall.SIGTERM)) {
	case nobody:
		os.Exit(128 + int(syscall.SIGTERM))
	case ignored:
		output(wire.Ignored, nil)
	}
}

// Main does nothing: the Go runtime calls function main.
func Main(func()) {}

// The packages that are initialised after this one, and function main, go on in the first step.
func init() {
	hostWait(true)
	go func() {
		for {
			inputs()
			hostWait(false)
			show()
			hostWait(true)
		}
	}()
}
