package wasm

import "encoding/binary"

// WebAssembly that loops for ever keeps its host for ever. So each loop of a module is made to count down a global before it goes
// round once more, and to trap at zero. That depends on nothing but the program, so that one which does not come to rest fails at
// the same place each time. The Go compiler makes a loop of each function that jumps.

// Passes is the maximum number of loop passes between two calls of [Globals.Refuel]: some seconds.
const Passes = 1 << 28

// fuel is the index of the global.
const fuel = globals

// count is the code at the start of each loop: if fuel is 0, trap; else decrement it.
var count = []byte{
	0x23, fuel, // global.get
	0x50,       // i64.eqz
	0x04, 0x40, // if
	0x00,       // unreachable
	0x0b,       // end
	0x23, fuel, // global.get
	0x42, 0x7f, // i64.const -1
	0x7c,       // i64.add
	0x24, fuel, // global.set
}

// declared is the global: a variable i64 that starts at 0.
var declared = []byte{0x7e, 1, 0x42, 0, 0x0b}

// counting makes the functions of a code section count.
func counting(section []byte) ([]byte, error) {
	n, size := binary.Uvarint(section)
	if size <= 0 {
		return nil, errDamaged
	}
	out := append(make([]byte, 0, len(section)+len(section)/4), section[:size]...)
	rest := section[size:]
	var code []byte
	for range n {
		body, after, err := counted(rest)
		if err != nil {
			return nil, err
		}
		if code, err = counts(code[:0], body); err != nil {
			return nil, err
		}
		out = append(binary.AppendUvarint(out, uint64(len(code))), code...)
		rest = after
	}
	return out, nil
}

// counts appends a function that counts.
func counts(out, body []byte) ([]byte, error) {
	r := code{b: body}
	for range r.number() { // of groups of locals
		r.number()
		r.skip(1)
	}
	begin := 0
	for r.at < len(body) && !r.damaged {
		if r.instruction() == loop {
			out = append(append(out, body[begin:r.at]...), count...)
			begin = r.at
		}
	}
	if r.damaged {
		return nil, errDamaged
	}
	return append(out, body[begin:]...), nil
}

// code reads a function.
type code struct {
	b       []byte
	at      int
	damaged bool
}

func (r *code) skip(n int) {
	if r.at += n; r.at > len(r.b) {
		r.at, r.damaged = len(r.b), true
	}
}

// number reads a number that is not negative; past any other it goes.
func (r *code) number() (n uint64) {
	for shift := 0; r.at < len(r.b); shift += 7 {
		b := r.b[r.at]
		r.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.damaged = true
	return 0
}

func (r *code) numbers(n int) {
	for range n {
		r.number()
	}
}

const loop = 0x03

// instruction goes past an instruction, and returns its first byte.
func (r *code) instruction() byte {
	op := r.b[r.at]
	r.skip(1)
	switch {
	case op >= 0x02 && op <= 0x04, op == 0x0c, op == 0x0d, op == 0x10, op >= 0x20 && op <= 0x26, op >= 0x3f && op <= 0x42, op == 0xd0, op == 0xd2:
		r.number()
	case op == 0x0e: // br_table
		for n := r.number(); n > 0 && !r.damaged; n-- {
			r.number()
		}
		r.number()
	case op == 0x11, op >= 0x28 && op <= 0x3e: // call_indirect, loads and stores
		r.numbers(2)
	case op == 0x1c: // select with types
		r.numbers(int(r.number() & 0xff))
	case op == 0x43:
		r.skip(4)
	case op == 0x44:
		r.skip(8)
	case op == 0xfc:
		r.extended()
	case op <= 0x01, op == 0x05, op == 0x0b, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1:
	default:
		r.damaged = true
	}
	return op
}

// extended skips what follows the byte 0xfc.
func (r *code) extended() {
	switch op := r.number(); {
	case op <= 7: // conversions
	case op == 8, op == 10, op == 12, op == 14:
		r.numbers(2)
	case op <= 17:
		r.number()
	default:
		r.damaged = true
	}
}
