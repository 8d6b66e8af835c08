//go:build contend && contend_native

package concurrent

import (
	"unsafe"

	"contend/program/overlay"
)

var asksWhere = overlay.Question("where")

func where(function *byte, size uint32, text *byte, textSize uint32, number uint32) {
	answer(asksWhere, uintptr(unsafe.Pointer(function)), uintptr(size), uintptr(unsafe.Pointer(text)), uintptr(textSize), uintptr(number))
}
