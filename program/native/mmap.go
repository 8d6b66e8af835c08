//go:build linux && amd64

package native

import (
	"bytes"
	"slices"
	"syscall"

	"contend/model/disk"
	"contend/program/guest"
)

// A mapping is a part of a file in the program's memory. What the program writes to it the disk has from the next call on that has to do with
// the file, and from the end of the step at the latest.
type mapping struct {
	at, size uintptr
	file     disk.File
	from     int64
	shared   bool    // what the program writes is the file's
	follows  bool    // what is written to the file is seen
	open     uintptr // the size of the pages that the file has something of: an access to the others raises SIGBUS
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
	m := mapping{at: in.give(n), size: uintptr(n), file: f.file, from: int64(a[5]), follows: a[3]&mapShared != 0,
		shared: a[3]&mapShared != 0 && a[2]&syscall.PROT_WRITE != 0}
	in.maps = append(in.maps, m)
	in.fill(m.file)
	return m.at
}

// show brings what a file has to the pages of a mapping from an offset on.
func (in *Instance) show(m mapping, from uintptr) {
	b := in.place.at(m.at+from, m.open-from)
	n := in.config.Disk.ReadAt(m.file, b, m.from+int64(from))
	for rest := b[n:]; len(rest) > 0; { // a page that is zero stays untouched
		part := rest[:min(len(rest), pageSize)]
		if !bytes.Equal(part, zero[:len(part)]) {
			clear(part)
		}
		rest = rest[len(part):]
	}
}

// fill brings what a file has to its mappings. A private mapping has only what was not there before.
func (in *Instance) fill(f disk.File) {
	before := in.maps
	in.maps = slices.Clone(in.maps)
	for i := range in.maps {
		if m := &in.maps[i]; m.file == f {
			m.open = min(m.size, wholePages(uintptr(max(0, in.config.Disk.Len(f)-m.from))))
		}
	}
	in.place.close(in.beyond())
	for i, m := range in.maps {
		switch {
		case m.file != f:
		case m.follows:
			in.show(m, 0)
		case m.open > before[i].open:
			in.show(m, before[i].open)
		}
	}
}

// beyond returns the pages of mappings beyond the ends of their files.
func (in *Instance) beyond() (all [][]byte) {
	for _, m := range in.maps {
		if m.open < m.size {
			all = append(all, bytesAt(m.at+m.open, m.size-m.open))
		}
	}
	return all
}

// flush brings what the program wrote to mappings of a file to the disk. Without space it is lost, as a page that cannot be written back is.
func (in *Instance) flush(f disk.File) {
	for _, m := range in.maps {
		if m.file == f && m.shared {
			in.store(m)
		}
	}
}

// flushAll is flush of all files.
func (in *Instance) flushAll() {
	for _, m := range in.maps {
		if m.shared {
			in.store(m)
		}
	}
}

// store writes the pages of a mapping that the file has not so.
func (in *Instance) store(m mapping) {
	d := in.disk()
	size := min(d.Len(m.file)-m.from, int64(m.size)) // beyond its end a file has nothing
	var is [pageSize]byte
	for at := int64(0); at < size; at += pageSize {
		n := min(pageSize, size-at)
		now := in.place.at(m.at+uintptr(at), uintptr(n))
		if d.ReadAt(m.file, is[:n], m.from+at); !bytes.Equal(is[:n], now) {
			_, _ = d.WriteAt(m.file, now, m.from+at)
		}
	}
}

// munmap takes memory back. The last that was given can be given again.
func (in *Instance) munmap(a [6]uintptr) uintptr {
	n := wholePages(a[1])
	if i := slices.IndexFunc(in.maps, func(m mapping) bool { return m.at == a[0] }); i >= 0 {
		in.flush(in.maps[i].file)
		in.maps = slices.Delete(slices.Clone(in.maps), i, i+1)
		in.place.close(in.beyond())
		clearPages(in.place.at(a[0], n))
	}
	if in.brk >= int(n) && a[0] == addressOf(in.place.region)+uintptr(in.brk)-n {
		in.brk -= int(n)
	}
	return 0
}

// mremap makes a shared mapping smaller where it is, or larger elsewhere.
func (in *Instance) mremap(a [6]uintptr) uintptr {
	old, n := wholePages(a[1]), wholePages(a[2])
	i := slices.IndexFunc(in.maps, func(m mapping) bool { return m.at == a[0] && m.size == old && m.follows })
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
		in.flush(m.file)
		in.maps = slices.Clone(in.maps)
		in.maps[i].size, in.maps[i].open = n, min(n, m.open)
		in.place.close(in.beyond())
		clearPages(in.place.at(m.at+n, old-n))
		return m.at
	}
	in.munmap([6]uintptr{m.at, old})
	m.at, m.size, m.open = in.give(int(n)), n, 0
	in.maps = append(in.maps, m)
	in.fill(m.file)
	return m.at
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
	clearPages(b)
	return 0
}

// clearPages makes memory zero, without touching what is.
func clearPages(b []byte) {
	for ; len(b) >= pageSize; b = b[pageSize:] {
		if !bytes.Equal(b[:pageSize], zero[:]) {
			clear(b[:pageSize])
		}
	}
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
	in.flush(m.file)
	return 0
}
