//go:build linux && amd64

package native

import (
	"encoding/binary"
	"syscall"

	"contend/program/guest"
)

// Impatient ends steps that take longer than a twentieth of a second, until the function that it returns is called.
func Impatient() (patient func()) {
	if err := watch(10_000, 5); err != nil {
		panic(err)
	}
	return func() {
		if err := watch(1e6, stepSeconds); err != nil {
			panic(err)
		}
	}
}

// Leave counts to rounds in a place with the host's g, as at the end of contendYield, and reports whether it was to stop meanwhile.
func Leave(rounds uint32) (stopped bool, err error) {
	p, err := reserve()
	if err != nil {
		return false, err
	}
	s := p.slot
	s.text, s.textSize = p.base+0x400000, pageSize
	code := []byte{0x49, 0xbb} // MOVQ $slot, R11
	code = binary.LittleEndian.AppendUint64(code, uint64(p.base+slotAt))
	code = append(code, 0x49, 0x8b, 0x4b, 0x18)                               // MOVQ host_word(R11), CX
	code = append(code, 0x64, 0x48, 0x89, 0x0c, 0x25, 0xf8, 0xff, 0xff, 0xff) // MOVQ CX, -8(FS)
	code = append(code, 0xb9)                                                 // MOVL $rounds, CX
	code = binary.LittleEndian.AppendUint32(code, rounds)
	code = append(code, 0xff, 0xc9, 0x75, 0xfc, // DECL CX; JNE -2
		0x49, 0x8b, 0x6b, 0x68, // MOVQ host_bp(R11), BP
		0x49, 0x8b, 0x63, 0x10, // MOVQ host_sp(R11), SP
		0xc3) // RET
	if err := mapped(s.text, s.textSize, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC, syscall.MAP_FIXED); err != nil {
		return false, err
	}
	copy(bytesAt(s.text, s.textSize), code)
	s.guestSP, s.guestG = p.base+stackAt+stackSize-64, p.base
	*(*uintptr)(pointer(s.guestSP)) = s.text
	s.running = 1
	enter(s)
	s.running = 0
	return s.ticks >= patience-1, nil
}

// Withdraw makes the code of a program inaccessible, as a stop that comes when the step is over.
func Withdraw(in guest.Instance) error {
	s := in.(*Instance).place.slot
	return syscall.Mprotect(bytesAt(s.text, s.textSize), syscall.PROT_NONE)
}
