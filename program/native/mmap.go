//go:build linux && amd64

package native

import (
	"slices"
	"syscall"

	"contend/model/disk"
	"contend/program/guest"
)

// A mapping is a [guest.Mapping] whose pages beyond the end of its file are closed: an access raises SIGBUS.
type mapping struct {
	guest.Mapping
	open uintptr // the size of the other pages
}

const (
	mapShared, mapPrivate, mapFixed, mapAnonymous = 1, 2, 0x10, 0x20
	remapMayMove                                  = 1
)

// mmap gives memory. Of the runtime's heap only what is made accessible counts, and no more is given than a program may have.
func (in *Instance) mmap(a [6]uintptr) uintptr {
	n, prot, flags := int(wholePages(a[1])), a[2], a[3]
	switch {
	case n <= 0:
		return failing(syscall.EINVAL)
	case flags&mapAnonymous == 0:
		return in.mapFile(a, n)
	case flags&mapFixed != 0:
		if in.place.at(a[0], uintptr(n)) == nil {
			return failing(syscall.ENOMEM)
		}
		if prot != 0 && !in.more(n) {
			return failing(syscall.ENOMEM)
		}
		return a[0]
	case a[0] != 0 && prot == 0:
		return failing(syscall.ENOMEM) // the runtime would like it there, and takes another place
	case prot != 0 && !in.more(n):
		return failing(syscall.ENOMEM)
	}
	return in.give(n)
}

// more counts memory that is used, if there may be as much.
func (in *Instance) more(n int) bool {
	if in.memory+n > in.limit {
		return false
	}
	in.memory += n
	return true
}

// give gives out a part of the region.
func (in *Instance) give(n int) uintptr {
	if in.brk+n > regionSize {
		return failing(syscall.ENOMEM)
	}
	at := addressOf(in.place.region) + uintptr(in.brk)
	in.brk += n
	return at
}

func (in *Instance) mapFile(a [6]uintptr, n int) uintptr {
	f := in.of(a[4])
	switch {
	case f == nil || f.random:
		return failing(syscall.EBADF)
	case !f.reads || a[3]&mapShared != 0 && a[2]&syscall.PROT_WRITE != 0 && !f.writes:
		return failing(syscall.EACCES)
	case a[3]&mapFixed != 0:
		return failing(syscall.ENOSYS)
	case n > guest.MostMemory || in.brk+n > regionSize:
		return failing(syscall.ENOMEM)
	}
	in.flush(f.file)
	m := mapping{Mapping: guest.Mapping{At: in.give(n), Size: uintptr(n), File: f.file, From: int64(a[5]), Follows: a[3]&mapShared != 0,
		Shared: a[3]&mapShared != 0 && a[2]&syscall.PROT_WRITE != 0}}
	in.maps = append(in.maps, m)
	in.fill(m.File)
	return m.At
}

// show brings what a file has to the pages of a mapping from an offset on.
func (in *Instance) show(m mapping, from uintptr) {
	part := m.Mapping
	part.From += int64(from)
	part.Show(in.config.Disk, in.place.at(m.At+from, m.open-from))
}

// fill brings what a file has to its mappings. A private mapping has only what was not there before.
func (in *Instance) fill(f disk.File) {
	before := in.maps
	in.maps = slices.Clone(in.maps)
	for i := range in.maps {
		if m := &in.maps[i]; m.File == f {
			m.open = min(m.Size, wholePages(uintptr(max(0, in.config.Disk.Len(f)-m.From))))
		}
	}
	in.place.close(in.beyond())
	for i, m := range in.maps {
		switch {
		case m.File != f:
		case m.Follows:
			in.show(m, 0)
		case m.open > before[i].open:
			in.show(m, before[i].open)
		}
	}
}

// beyond returns the pages of mappings beyond the ends of their files.
func (in *Instance) beyond() (all [][]byte) {
	for _, m := range in.maps {
		if m.open < m.Size {
			all = append(all, bytesAt(m.At+m.open, m.Size-m.open))
		}
	}
	return all
}

// flush brings what the program wrote to mappings of a file to the disk.
func (in *Instance) flush(f disk.File) {
	for _, m := range in.maps {
		if m.File == f && m.Shared {
			in.store(m)
		}
	}
}

// flushAll is flush of all files.
func (in *Instance) flushAll() {
	for _, m := range in.maps {
		if m.Shared {
			in.store(m)
		}
	}
}

// store writes the pages of a mapping that the file has not so.
func (in *Instance) store(m mapping) { m.Store(in.disk(), in.place.at(m.At, m.open)) }

// munmap takes memory back. The last that was given can be given again.
func (in *Instance) munmap(a [6]uintptr) uintptr {
	n := wholePages(a[1])
	if i := slices.IndexFunc(in.maps, func(m mapping) bool { return m.At == a[0] }); i >= 0 {
		in.flush(in.maps[i].File)
		in.maps = slices.Delete(slices.Clone(in.maps), i, i+1)
		in.place.close(in.beyond())
		guest.Clear(in.place.at(a[0], n))
	}
	if in.brk >= int(n) && a[0] == addressOf(in.place.region)+uintptr(in.brk)-n {
		in.brk -= int(n)
	}
	return 0
}

// mremap makes a shared mapping smaller where it is, or larger elsewhere.
func (in *Instance) mremap(a [6]uintptr) uintptr {
	old, n := wholePages(a[1]), wholePages(a[2])
	i := slices.IndexFunc(in.maps, func(m mapping) bool { return m.At == a[0] && m.Size == old && m.Follows })
	switch {
	case i < 0 || a[3]&^remapMayMove != 0:
		return in.unknown(syscall.SYS_MREMAP)
	case n == 0:
		return failing(syscall.EINVAL)
	case n > old && a[3]&remapMayMove == 0, n > guest.MostMemory || in.brk+int(n) > regionSize:
		return failing(syscall.ENOMEM)
	}
	m := in.maps[i]
	if n <= old {
		in.flush(m.File)
		in.maps = slices.Clone(in.maps)
		in.maps[i].Size, in.maps[i].open = n, min(n, m.open)
		in.place.close(in.beyond())
		guest.Clear(in.place.at(m.At+n, old-n))
		return m.At
	}
	in.munmap([6]uintptr{m.At, old})
	m.At, m.Size, m.open = in.give(int(n)), n, 0
	in.maps = append(in.maps, m)
	in.fill(m.File)
	return m.At
}

// wholePages rounds a size up to pages.
func wholePages(n uintptr) uintptr { return (n + pageSize - 1) &^ (pageSize - 1) }

// advised makes memory zero that the program gives back to the system. Since Go 1.26 the runtime uses it again without clearing it.
func (in *Instance) advised(a [6]uintptr) uintptr {
	const free = 8
	if a[2] != syscall.MADV_DONTNEED && a[2] != free {
		return 0
	}
	if _, is := in.mapped(a[0]); is {
		return 0 // a mapping still has what the file has
	}
	b := in.place.at(a[0], wholePages(a[1]))
	if b == nil || a[0]%pageSize != 0 {
		return failing(syscall.EINVAL)
	}
	guest.Clear(b)
	return 0
}

// msync writes what the program wrote to a mapping to the file. With MS_SYNC it makes it durable.
func (in *Instance) msync(a [6]uintptr) uintptr {
	m, is := in.mapped(a[0])
	switch {
	case !is:
		return failing(syscall.ENOMEM)
	case a[2]&syscall.MS_SYNC != 0:
		return in.ends(syscall.SYS_MSYNC, a[0], in.begins())
	}
	in.flush(m.File)
	return 0
}
