//go:build linux && amd64

// Package native runs Go programs within this process, on linux/amd64, at the processor's speed: a [guest.Module] of programs that were built with
// the edits of package overlay for it. The image of a program lies in a place of its own, a range of addresses, and a step is a jump to its
// stack and back.
//
// # How a step ends
//
// Wherever the program's runtime would ask the kernel it asks the host instead, which answers as Linux does, from the clock, the random numbers
// and the disk that it has for the program. Where the scheduler would wait for a timer or a file, all goroutines wait: the step is over.
//
// # What cannot happen to the host
//
// A signal that strikes a thread within a guest is handled as if it had struck the host (preemption, profiles, interrupts), unless the guest has
// raised it: then the guest's own runtime handles it, on a stack of its own, as it does on Linux: nil dereferences are panics that can be
// recovered, and other faults end the program with its goroutines told. A guest that faults where not even that can be done is left where
// it is. A guest that does not come to rest is stopped: its code is made inaccessible, and the fault that comes of it is handled like an
// interrupt. All that is left of it is its memory, and that is restored for the next.
package native

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"contend/program/guest"
)

// A Module is a program. It implements [guest.Module].
type Module struct {
	file  *os.File
	image *elf.File
	slot  uint64 // the address of the variable that has the slot's
	from  uint64 // the function of package syscall that stands for those of golang.org/x/sys/unix below
	raw   []uint64
	moves []elf.Rela64

	mu     sync.Mutex
	places map[string][]*place // by the name of the node
}

// Supported returns why there are no native guests here, nil if there are.
func Supported() error {
	_, err := pagemap()
	return err
}

// Load takes a program. The file must stay as it is while the module is in use.
func Load(name string) (guest.Module, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	if err := errors.Join(install(), watch(1e6, stepSeconds)); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	m := &Module{file: f, places: map[string][]*place{}}
	if m.image, err = elf.NewFile(f); err != nil {
		return nil, fmt.Errorf("native: the program is damaged: %w", err)
	}
	if err := errors.Join(m.symbols(), m.relocations()); err != nil {
		return nil, err
	}
	return m, nil
}

// symbols finds what the host needs to know of the program.
func (m *Module) symbols() error {
	all, err := m.image.Symbols()
	if err != nil {
		return fmt.Errorf("native: the program has no symbols: %w", err)
	}
	told := false
	for _, s := range all {
		switch s.Name {
		case "runtime.contendSlot":
			m.slot = s.Value
		case "contend/program/sim.hostWait", "runtime.contendWait", "runtime.contendBody":
			told = true
		case "syscall.rawSyscallNoError.abi0":
			m.from = s.Value
		case "golang.org/x/sys/unix.RawSyscallNoError.abi0", "golang.org/x/sys/unix.SyscallNoError.abi0":
			m.raw = append(m.raw, s.Value)
		}
	}
	switch {
	case m.slot == 0:
		return fmt.Errorf("native: the program was built without the edits for native guests")
	case !told:
		return fmt.Errorf("native: the program has no steps: its main package must import contend/program/sim")
	}
	return nil
}

// relocations reads which words of the program are addresses in it.
func (m *Module) relocations() error {
	for _, s := range m.image.Sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		b, err := s.Data()
		if err != nil {
			return fmt.Errorf("native: the program is damaged: %w", err)
		}
		for ; len(b) >= 24; b = b[24:] {
			r := elf.Rela64{Off: binary.LittleEndian.Uint64(b), Info: binary.LittleEndian.Uint64(b[8:]), Addend: int64(binary.LittleEndian.Uint64(b[16:]))}
			if t := elf.R_X86_64(r.Info & 0xffffffff); t != elf.R_X86_64_RELATIVE {
				return fmt.Errorf("native: the program has a relocation of type %v: it must be built with -buildmode=pie and without cgo", t)
			}
			m.moves = append(m.moves, r)
		}
	}
	return nil
}

// place makes a place with the program in it, before its first instruction.
func (m *Module) place(name string) (*place, error) {
	p, err := reserve()
	if err != nil {
		return nil, err
	}
	p.name = name
	for _, l := range m.image.Progs {
		if l.Type == elf.PT_LOAD {
			if err := m.lay(p, l); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(p.parts, func(a, b []byte) int { return int(int64(addressOf(a)) - int64(addressOf(b))) })
	p.fresh = p.keep(nil)
	return p, nil
}

// lay brings a segment of the program to its place: code and constants from the file itself, as they are, and the rest as a copy, with its addresses.
func (m *Module) lay(p *place, l *elf.Prog) error {
	at, size := p.base+uintptr(l.Vaddr), (uintptr(l.Memsz)+pageSize-1)&^(pageSize-1)
	damaged := func(err error) error { return fmt.Errorf("native: the program cannot be laid out: %w", err) }
	if l.Vaddr%pageSize != 0 || l.Off%pageSize != 0 || l.Vaddr+l.Memsz > regionAt {
		return damaged(errors.New("its segments are not as the Go linker makes them"))
	}
	if l.Flags&elf.PF_W == 0 {
		prot := syscall.PROT_READ | int(l.Flags&elf.PF_X)*syscall.PROT_EXEC
		if _, _, e := syscall.Syscall6(syscall.SYS_MMAP, at, size, uintptr(prot), syscall.MAP_PRIVATE|syscall.MAP_FIXED, m.file.Fd(), uintptr(l.Off)); e != 0 {
			return damaged(e)
		}
		b := bytesAt(at, size)
		p.consts = append(p.consts, b)
		if l.Flags&elf.PF_X != 0 {
			p.slot.text, p.slot.textSize = at, size
			return m.reroute(p, b)
		}
		return nil
	}
	if err := mapped(at, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_FIXED); err != nil {
		return damaged(err)
	}
	b := bytesAt(at, size)
	if _, err := l.ReadAt(b[:l.Filesz], 0); err != nil {
		return damaged(err)
	}
	for _, r := range m.moves {
		if r.Off >= l.Vaddr && r.Off+8 <= l.Vaddr+l.Memsz {
			binary.LittleEndian.PutUint64(b[r.Off-l.Vaddr:], uint64(p.base)+uint64(r.Addend))
		}
	}
	if m.slot >= l.Vaddr && m.slot+8 <= l.Vaddr+l.Memsz {
		binary.LittleEndian.PutUint64(b[m.slot-l.Vaddr:], uint64(p.base+slotAt))
	}
	if slices.ContainsFunc(m.image.Progs, func(o *elf.Prog) bool { return o.Type == elf.PT_GNU_RELRO && o.Vaddr == l.Vaddr }) {
		p.consts = append(p.consts, b)
		return syscall.Mprotect(b, syscall.PROT_READ)
	}
	p.parts = append(p.parts, b)
	return nil
}

// reroute has functions of golang.org/x/sys/unix that call the kernel themselves jump to the one of package syscall for the same, which the host
// answers. They have the same arguments. The source cannot be replaced where it lies in the module cache.
func (m *Module) reroute(p *place, text []byte) error {
	if len(m.raw) == 0 || m.from == 0 {
		return nil
	}
	if err := syscall.Mprotect(text, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		return err
	}
	for _, at := range m.raw {
		jump := bytesAt(p.base+uintptr(at), 5)
		jump[0] = 0xe9
		binary.LittleEndian.PutUint32(jump[1:], uint32(m.from-at-5))
	}
	return syscall.Mprotect(text, syscall.PROT_READ|syscall.PROT_EXEC)
}

// crowd is how many places a node of a program has at most: two for each run that may be taken at a time, since handlers may run twice, on
// objects of their own, and as many again for states that wait.
func crowd() int { return 4 * runtime.GOMAXPROCS(0) }

// Settle implements [guest.Module]. It takes the first place of the node that is no state's. If there is none and there are not to be more, it is the
// one with the fewest.
func (m *Module) Settle(node string) (guest.Instance, error) {
	in := &Instance{module: m}
	err := m.settle(in, node)
	if err != nil {
		return nil, err
	}
	return in, nil
}

func (m *Module) settle(in *Instance, node string) error {
	in.Release()
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.places[node]
	var best *place
	for _, p := range all {
		if best == nil || p.users.Load() < best.users.Load() {
			best = p
		}
	}
	if best == nil || best.users.Load() > 0 && len(all) < crowd() {
		p, err := m.place(node)
		if err != nil {
			return err
		}
		m.places[node] = append(all, p)
		best = p
	}
	in.place = best
	best.users.Add(1)
	return nil
}

// New implements [guest.Module].
func (m *Module) New(c guest.Config) (guest.Instance, error) {
	in, err := m.Settle(c.Args[0])
	if err != nil {
		return nil, err
	}
	return in, in.Begin(c)
}

// Instance implements [guest.Module].
func (m *Module) Instance(s guest.Snapshot) (guest.Instance, error) {
	in := &Instance{module: m}
	in.Restore(s)
	return in, nil
}

// Close implements [guest.Module]. The places stay reserved.
func (m *Module) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, all := range m.places {
		for _, p := range all {
			_ = syscall.Madvise(p.region, syscall.MADV_DONTNEED)
		}
	}
	m.places = map[string][]*place{}
	return m.file.Close()
}
