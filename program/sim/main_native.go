//go:build contend_native

package sim

import "unsafe"

// The runtime of a native guest has these.

//go:linkname hostWait runtime.contendWait
func hostWait(asks bool)

//go:linkname hostInput runtime.contendInput
//go:noescape
func hostInput(at unsafe.Pointer, room uint32) int32

//go:linkname hostOutput runtime.contendOutput
//go:noescape
func hostOutput(kind uint32, at unsafe.Pointer, n uint32)

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
