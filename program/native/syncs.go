//go:build linux && amd64

package native

import (
	"syscall"

	"contend/model/disk"
)

// begins returns the mark of a sync that begins now. It covers what the program has written to mappings.
func (in *Instance) begins() disk.Mark {
	if in.config.Disk == nil {
		return 0
	}
	in.flushAll()
	return in.disk().Begin()
}

// covers returns the mark of the sync of the last write through a descriptor; EINVAL if it does not sync.
func (in *Instance) covers(fd uintptr) uintptr {
	f := in.of(fd)
	if f == nil || f.flags&syscall.O_DSYNC == 0 {
		return failing(syscall.EINVAL)
	}
	return uintptr(in.disk().Begin())
}

// ends ends a sync that began at a mark: fsync or fdatasync of a descriptor, or msync of an address.
func (in *Instance) ends(what, where uintptr, began disk.Mark) uintptr {
	if what == syscall.SYS_MSYNC {
		m, is := in.mapped(where)
		if !is {
			return failing(syscall.ENOMEM)
		}
		in.flush(m.File)
		return number(in.disk().Sync(m.File, began))
	}
	f := in.of(where)
	switch {
	case f == nil:
		return failing(syscall.EBADF)
	case f.random:
		return failing(syscall.EINVAL)
	}
	in.flush(f.file)
	return number(in.disk().Sync(f.file, began))
}

// mapped returns the mapping of a file that has an address.
func (in *Instance) mapped(at uintptr) (mapping, bool) {
	for _, m := range in.maps {
		if at >= m.At && at < m.At+m.Size {
			return m, true
		}
	}
	return mapping{}, false
}
