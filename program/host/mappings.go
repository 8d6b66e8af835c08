package host

import (
	"maps"
	"slices"

	"contend/model/disk"
	"contend/program/guest"
)

// A program maps a file to memory of its own. It is the same memory for as long as the file is mapped, and the host copies between the two: see
// [guest.Mapping].

// mappings are the functions of module contend for mappings, and for syncs, which cover what is written to mappings. The first argument is an
// address or a descriptor.
var mappings = map[string]function{
	// map(at, size, fd, from, prot, flags)
	"map": {"iiiIii", true, (*Instance).mapFile},
	// remap(at, to, size) gives a mapping that follows its file another size, and other memory if it grows.
	"remap": {"iii", true, func(in *Instance, a []uint64) uint32 {
		i := in.mapping(a[0])
		if i < 0 || !in.maps[i].Follows {
			return eInval
		}
		in.store(in.maps[i])
		m := &in.maps[i]
		moved := uintptr(a[1]) != m.At
		m.At, m.Size = uintptr(a[1]), uintptr(a[2])
		if moved {
			m.Show(in.config.Disk, in.mapped(*m))
		}
		return 0
	}},
	// unmap(at)
	"unmap": {"i", true, func(in *Instance, a []uint64) uint32 {
		i := in.mapping(a[0])
		if i < 0 {
			return eInval
		}
		in.store(in.maps[i])
		in.maps = slices.Delete(in.maps, i, i+1)
		return 0
	}},
	// flush(at) writes what the program wrote to a mapping to the file.
	"flush": {"i", true, func(in *Instance, a []uint64) uint32 {
		i := in.mapping(a[0])
		if i < 0 {
			return eNoMem
		}
		in.store(in.maps[i])
		return 0
	}},
	// sync_begin begins a sync of a file: it covers what was done so far.
	"sync_begin": {"", true, func(in *Instance, _ []uint64) uint32 {
		if in.config.Disk == nil {
			return 0
		}
		in.storeAll()
		return uint32(in.disk().Begin())
	}},
	// sync_end(fd, began) ends it.
	"sync_end": {"ii", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		if f == nil {
			return eBadf
		}
		return number(in.disk().Sync(f.file, disk.Mark(a[1])))
	}},
	// msync_end(at, began) ends a sync of the file that is mapped at an address.
	"msync_end": {"ii", true, func(in *Instance, a []uint64) uint32 {
		i := in.mapping(a[0])
		if i < 0 {
			return eNoMem
		}
		in.store(in.maps[i])
		return number(in.disk().Sync(in.maps[i].File, disk.Mark(a[1])))
	}},
}

func init() { maps.Copy(own, mappings) }

func (in *Instance) mapFile(a []uint64) uint32 {
	const sharedFlag, write = 1, 2
	f := in.of(a[2])
	follows := a[5]&sharedFlag != 0
	shared := follows && a[4]&write != 0
	switch {
	case f == nil:
		return eBadf
	case !f.reads || shared && !f.writes:
		return eAcces
	case in.disk().IsDir(f.file):
		return eNoDev
	}
	m := guest.Mapping{At: uintptr(a[0]), Size: uintptr(a[1]), File: f.file, From: int64(a[3]), Shared: shared, Follows: follows}
	in.maps = append(in.maps, m)
	m.Show(in.config.Disk, in.mapped(m))
	return 0
}

// mapping returns the index of the mapping that has an address, or -1.
func (in *Instance) mapping(at uint64) int {
	return slices.IndexFunc(in.maps, func(m guest.Mapping) bool { return uintptr(at)-m.At < m.Size })
}

// mapped returns the memory of a mapping.
func (in *Instance) mapped(m guest.Mapping) []byte { return in.read(uint64(m.At), uint64(m.Size)) }

// fill copies what a file has to its mappings.
func (in *Instance) fill(f disk.File) {
	for _, m := range in.maps {
		if m.File == f && m.Follows {
			m.Show(in.config.Disk, in.mapped(m))
		}
	}
}

// store writes what the program wrote to a mapping to the file.
func (in *Instance) store(m guest.Mapping) {
	if m.Shared {
		m.Store(in.disk(), in.mapped(m))
	}
}

// flush is store of the mappings of a file.
func (in *Instance) flush(f disk.File) {
	for _, m := range in.maps {
		if m.File == f {
			in.store(m)
		}
	}
}

// storeAll is store of all mappings.
func (in *Instance) storeAll() {
	for _, m := range in.maps {
		in.store(m)
	}
}
