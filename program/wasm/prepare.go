// Package wasm gives access to the whole state of an instance of a WebAssembly module, its memory and its globals,
// so that it can be stored and restored. It also makes a module trap that loops forever. The modules come from the
// Go linker.
package wasm

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// globals is the number of globals that the Go linker makes. They are part of an instance's state.
const globals = 8

var errDamaged = errors.New("program: the module is damaged, or no WebAssembly module at all")

// Prepare exports the globals of a module as g0 to g7, and makes its loops count down another one, "fuel".
func Prepare(wasm []byte) ([]byte, error) {
	if len(wasm) < 8 || string(wasm[:4]) != "\x00asm" {
		return nil, errDamaged
	}
	out := append([]byte(nil), wasm[:8]...)
	exported := false
	for rest := wasm[8:]; len(rest) > 0; {
		id := rest[0]
		body, after, err := counted(rest[1:])
		if err != nil {
			return nil, err
		}
		switch id {
		case sectionGlobals:
			n, size := binary.Uvarint(body)
			if n != globals {
				return nil, fmt.Errorf("program: the module has %d globals, but the Go linker makes %d: it is not of this version of Go", n, globals)
			}
			body = append(append(binary.AppendUvarint(nil, n+1), body[size:]...), declared...)
		case sectionCode:
			if body, err = counting(body); err != nil {
				return nil, err
			}
		case sectionExports:
			n, size := binary.Uvarint(body)
			if size <= 0 {
				return nil, errDamaged
			}
			more := binary.AppendUvarint(nil, n+globals+1)
			more = append(more, body[size:]...)
			for i := range byte(globals) {
				more = append(more, 2, 'g', '0'+i, 3, i)
			}
			body, exported = append(more, "\x04fuel\x03\x08"...), true
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
		rest = after
	}
	if !exported {
		return nil, errDamaged
	}
	return out, nil
}

// The sections of a module that matter here.
const (
	sectionGlobals = 6
	sectionExports = 7
	sectionCode    = 10
)

// counted returns the bytes behind a length, and the rest.
func counted(b []byte) (is, rest []byte, err error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || uint64(len(b)-size) < n {
		return nil, nil, errDamaged
	}
	return b[size : size+int(n)], b[size+int(n):], nil
}
