//go:build contend

package concurrent

import "unsafe"

//go:wasmimport contend next
func next()

//go:wasmimport contend kind
func kind() uint32

//go:wasmimport contend seed
func seed() uint64

//go:wasmimport contend started
func started(goid uint64)

//go:wasmimport contend ended
func ended(outcome uint32, text unsafe.Pointer, size uint32, left, notes uint32)
