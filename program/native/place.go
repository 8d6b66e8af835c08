//go:build linux && amd64

package native

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A place is a range of addresses for one program: its code and its variables as the linker has laid them out, a slot, a stack, and a
// region for what the program's runtime asks for. Of the states that belong to a place one is in it at a time.
//
//	+0x10000     the slot
//	+0x100000    the first stack, which the Go runtime uses for itself
//	+0x400000    code and variables
//	+1<<32       the region
type place struct {
	base   uintptr
	slot   *slot
	name   string   // whose it is: of a node of a program
	parts  [][]byte // what can be written, and is kept in snapshots, by address
	consts [][]byte // what can only be read: code and constants
	region []byte
	closed [][]byte // pages of the region that nobody may access

	mu    sync.Mutex
	owner *Instance    // whose state is in the place
	users atomic.Int32 // the instances whose place it is
	fresh *image       // the program before its first instruction
	found []pages
}

// The assembly has these, too.
const (
	placeBits  = 34
	placeSize  = 1 << placeBits
	firstPlace = 1024
	mostPlaces = 960
	slotAt     = 0x10000
	stackAt    = 0x100000
	stackSize  = 1 << 20
	regionAt   = 1 << 32
	regionSize = placeSize - regionAt
	pageSize   = 4096
)

var lastPlace atomic.Uint32

// slots are the addresses of the slots of all places, 0 where there is none. The handler of signals reads them.
var slots [mostPlaces]uintptr

// reserve makes a place without a program. Another mapping of the process may be where it would be; then the next is taken.
func reserve() (*place, error) {
	for {
		n := lastPlace.Add(1) - 1
		if n >= mostPlaces {
			return nil, fmt.Errorf("native: this process has %d programs in places of their own already", mostPlaces)
		}
		p := &place{base: uintptr(firstPlace+n) << placeBits}
		err := p.reserve()
		if err == syscall.EEXIST {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("native: %d bytes of memory are not to be had: %w", int64(regionSize), err)
		}
		return p, nil
	}
}

func (p *place) reserve() error {
	const noReplace = 0x100000
	if err := mapped(p.base, placeSize, syscall.PROT_NONE, noReplace); err != nil {
		return err
	}
	const readWrite = syscall.PROT_READ | syscall.PROT_WRITE
	if err := errors.Join(mapped(p.base+slotAt, pageSize, readWrite, syscall.MAP_FIXED), mapped(p.base+stackAt, stackSize, readWrite, syscall.MAP_FIXED),
		mapped(p.base+regionAt, regionSize, readWrite, syscall.MAP_FIXED)); err != nil {
		return err
	}
	slot := bytesAt(p.base+slotAt, pageSize)
	p.slot, p.region = slotOf(slot), bytesAt(p.base+regionAt, regionSize)
	p.parts = [][]byte{slot, bytesAt(p.base+stackAt, stackSize), p.region}
	slots[p.base>>placeBits-firstPlace] = p.base + slotAt
	// A huge page would be copied whole for a byte.
	return syscall.Madvise(p.region, noHugePage)
}

const noHugePage = 15

// mapped maps memory of this process at an address and no other.
func mapped(at, n uintptr, prot, flags int) error {
	const noReserve = 0x4000
	_, _, e := syscall.Syscall6(syscall.SYS_MMAP, at, n, uintptr(prot), uintptr(syscall.MAP_PRIVATE|syscall.MAP_ANON|noReserve|flags), ^uintptr(0), 0)
	if e != 0 {
		return e
	}
	return nil
}

// pointer makes a pointer of an address outside of Go's memory.
func pointer(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

func bytesAt(at, n uintptr) []byte { return unsafe.Slice((*byte)(pointer(at)), n) }

func pageAt(at uintptr) *[pageSize]byte { return (*[pageSize]byte)(pointer(at)) }

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// close makes pages of the region inaccessible, and all others accessible. What closed pages had is lost. An access of the program to them raises
// SIGBUS.
func (p *place) close(all [][]byte) {
	if slices.EqualFunc(p.closed, all, func(a, b []byte) bool { return addressOf(a) == addressOf(b) && len(a) == len(b) }) {
		return
	}
	for _, b := range p.closed {
		protect(b, syscall.PROT_READ|syscall.PROT_WRITE)
	}
	for _, b := range all {
		_ = syscall.Madvise(b, syscall.MADV_DONTNEED)
		protect(b, syscall.PROT_NONE)
	}
	p.closed = all
}

func protect(b []byte, prot int) {
	if err := syscall.Mprotect(b, prot); err != nil {
		panic(fmt.Sprint("native: mprotect: ", err))
	}
}

// at returns memory of the guest that it may write; nil if it may not.
func (p *place) at(at, n uintptr) []byte {
	for _, b := range p.closed {
		if from := addressOf(b); at < from+uintptr(len(b)) && at+n > from {
			return nil
		}
	}
	return within(p.parts, at, n)
}

// read returns memory of the guest that it may read; nil if it may not.
func (p *place) read(at, n uintptr) []byte {
	if b := p.at(at, n); b != nil {
		return b
	}
	return within(p.consts, at, n)
}

func within(parts [][]byte, at, n uintptr) []byte {
	for _, part := range parts {
		if from := addressOf(part); at >= from && n <= uintptr(len(part)) && at-from <= uintptr(len(part))-n {
			return bytesAt(at, n)
		}
	}
	return nil
}
