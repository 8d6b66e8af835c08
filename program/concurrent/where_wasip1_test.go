//go:build contend

package concurrent

//go:wasmimport contend where
func where(function *byte, size uint32, text *byte, textSize uint32, number uint32)
