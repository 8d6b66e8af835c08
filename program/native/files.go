//go:build linux && amd64

package native

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path"
	"syscall"

	"contend/model/disk"
	"contend/program/guest"
)

// An open is what a descriptor stands for. Standard input, output and error have no file.
type open struct {
	file   disk.File
	at     int64
	reads  bool
	writes bool
	flags  int      // of which O_APPEND and O_DSYNC matter
	random bool     // it is /dev/urandom
	listed []string // of a directory whose entries are read
	lists  bool
}

// disk is the program's disk, whose clock is the program's wall clock.
func (in *Instance) disk() *disk.Disk {
	in.config.Disk.SetTime(in.now + in.config.Wall)
	return in.config.Disk
}

// numbers are the error numbers of errors of the disk.
var numbers = map[error]syscall.Errno{disk.ErrNotExist: syscall.ENOENT, disk.ErrExist: syscall.EEXIST, disk.ErrNotDir: syscall.ENOTDIR, disk.ErrIsDir: syscall.EISDIR,
	disk.ErrNotEmpty: syscall.ENOTEMPTY, disk.ErrFull: syscall.ENOSPC, disk.ErrInvalid: syscall.EINVAL, disk.ErrBusy: syscall.EBUSY, disk.ErrTooLarge: syscall.EFBIG,
	disk.ErrNameTooLong: syscall.ENAMETOOLONG, disk.ErrIO: syscall.EIO}

// number is the result of a call that has none but its error.
func number(err error) uintptr {
	if err == nil {
		return 0
	}
	for is, n := range numbers {
		if errors.Is(err, is) {
			return failing(n)
		}
	}
	return failing(syscall.EIO)
}

func counted(n int64, err error) uintptr {
	if err != nil {
		return number(err)
	}
	return uintptr(n)
}

// of is what a descriptor stands for; nil if that is no file.
func (in *Instance) of(fd uintptr) *open {
	if fd <= 2 || fd >= uintptr(len(in.files)) {
		return nil
	}
	return in.files[fd]
}

// text is a path in the program's memory.
func (in *Instance) text(at uintptr) (string, bool) {
	for n := uintptr(64); ; n *= 2 {
		b := in.place.read(at, n)
		for b == nil && n > 1 { // it ends close to the end of what can be read
			n /= 2
			b = in.place.read(at, n)
		}
		if name, _, is := bytes.Cut(b, []byte{0}); is {
			return string(name), true
		}
		if b == nil || n > 1<<16 || in.place.read(at, 2*n) == nil && n < 64 {
			return "", false
		}
	}
}

// A name is a path and the directory that it begins in.
type name struct {
	dir  disk.File
	path string
}

// named reads a path that is relative to the directory of a descriptor. The result of the call is not 0 if there is none.
func (in *Instance) named(fd, at uintptr) (name, uintptr) {
	text, is := in.text(at)
	switch {
	case !is:
		return name{}, failing(syscall.EFAULT)
	case text == "":
		return name{}, failing(syscall.ENOENT)
	case in.config.Disk == nil:
		return name{}, failing(syscall.ENOENT)
	case path.IsAbs(text) || int32(fd) == atCwd:
		return name{disk.Root, text}, 0
	}
	f := in.of(fd)
	if f == nil {
		return name{}, failing(syscall.EBADF)
	}
	return name{f.file, text}, 0
}

const (
	atCwd     = -100
	removeDir = 0x200
	statx     = 332
	renameAt2 = 316
	access2   = 439
)

// fileCall does what a system call for files does.
func (in *Instance) fileCall(what uintptr, a [6]uintptr) uintptr {
	switch what {
	case syscall.SYS_OPEN:
		return in.openAt(atCwdFd, a[0], a[1])
	case syscall.SYS_OPENAT:
		return in.openAt(a[0], a[1], a[2])
	case syscall.SYS_CLOSE:
		return in.closes(a[0])
	case syscall.SYS_READ, syscall.SYS_PREAD64:
		return in.reads(what, a)
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64:
		return in.writes(what, a)
	case syscall.SYS_MKDIRAT:
		return in.with(a[0], a[1], func(n name) error { _, err := in.disk().Make(n.dir, n.path, true); return err })
	case syscall.SYS_UNLINKAT:
		return in.with(a[0], a[1], func(n name) error { return in.disk().Remove(n.dir, n.path, a[2]&removeDir != 0) })
	case syscall.SYS_RENAMEAT, renameAt2:
		to, bad := in.named(a[2], a[3])
		if bad != 0 {
			return bad
		}
		return in.with(a[0], a[1], func(n name) error { return in.disk().Rename(n.dir, n.path, to.dir, to.path) })
	case syscall.SYS_NEWFSTATAT:
		return in.with(a[0], a[1], func(n name) error { return in.statAt(n, a[2]) })
	case syscall.SYS_FACCESSAT, access2, syscall.SYS_FCHMODAT, syscall.SYS_FCHOWNAT:
		return in.with(a[0], a[1], func(n name) error { _, err := in.disk().Lookup(n.dir, n.path); return err })
	case syscall.SYS_UTIMENSAT:
		return in.with(a[0], a[1], func(n name) error { return in.touch(n, a[2]) })
	case syscall.SYS_TRUNCATE:
		return in.with(atCwdFd, a[0], func(n name) error { return in.truncate(n, int64(a[1])) })
	case syscall.SYS_READLINKAT:
		if bad := in.with(a[0], a[1], func(n name) error { _, err := in.disk().Lookup(n.dir, n.path); return err }); bad != 0 {
			return bad
		}
		return failing(syscall.EINVAL) // it is no link
	case syscall.SYS_GETCWD:
		if b := in.place.at(a[0], 2); b != nil {
			copy(b, "/\x00")
			return 2
		}
		return failing(syscall.EFAULT)
	case syscall.SYS_FCNTL:
		return in.fcntl(a)
	case syscall.SYS_LINKAT, syscall.SYS_SYMLINKAT:
		return failing(syscall.EPERM) // as on a file system without links
	case syscall.SYS_FTRUNCATE, syscall.SYS_FALLOCATE, syscall.SYS_FSTAT, syscall.SYS_LSEEK,
		syscall.SYS_GETDENTS64, syscall.SYS_FLOCK, syscall.SYS_FCHMOD, syscall.SYS_FCHOWN, syscall.SYS_FADVISE64, syscall.SYS_SYNC_FILE_RANGE, syscall.SYS_IOCTL:
		return in.opened(what, a)
	}
	return in.unknown(what)
}

const atCwdFd = ^uintptr(99)

// with calls a function with a path, and returns the result of its error.
func (in *Instance) with(fd, at uintptr, do func(n name) error) uintptr {
	n, bad := in.named(fd, at)
	if bad != 0 {
		return bad
	}
	return number(do(n))
}

// opened does a call for what a descriptor stands for.
func (in *Instance) opened(what uintptr, a [6]uintptr) uintptr {
	if a[0] <= 2 && what == syscall.SYS_FSTAT {
		return in.statOf(nil, a[1])
	}
	f := in.of(a[0])
	switch {
	case what == syscall.SYS_IOCTL:
		return failing(syscall.ENOTTY)
	case f == nil:
		return failing(syscall.EBADF)
	case f.random && what != syscall.SYS_FSTAT:
		return failing(syscall.EINVAL)
	}
	in.flush(f.file)
	switch what {
	case syscall.SYS_FTRUNCATE:
		if !f.writes {
			return failing(syscall.EINVAL)
		}
		defer in.fill(f.file)
		return in.changed(f, in.disk().Truncate(f.file, int64(a[1])))
	case syscall.SYS_FALLOCATE:
		return in.allocate(f, a)
	case syscall.SYS_FSTAT:
		return in.statOf(f, a[1])
	case syscall.SYS_LSEEK:
		return in.seek(f, a)
	case syscall.SYS_GETDENTS64:
		return in.list(f, in.place.at(a[1], a[2]))
	}
	return 0 // locks are free, since nobody else has the file open; modes and advice say nothing
}

// allocate makes room for a file. Without a flag the file is as long as that.
func (in *Instance) allocate(f *open, a [6]uintptr) uintptr {
	const keepSize = 1
	to := int64(a[2] + a[3])
	switch {
	case !f.writes:
		return failing(syscall.EBADF)
	case a[1]&^keepSize != 0:
		return failing(syscall.EOPNOTSUPP)
	case a[1] == 0 && to > in.disk().Len(f.file):
		defer in.fill(f.file)
		return in.changed(f, in.disk().Truncate(f.file, to))
	}
	return 0
}

func (in *Instance) fcntl(a [6]uintptr) uintptr {
	const getFd, setFd, getFlags, setFlags = 1, 2, 3, 4
	f := in.of(a[0])
	switch {
	case a[0] <= 2 && a[1] == getFlags:
		return syscall.O_RDWR
	case a[0] <= 2:
		return 0
	case f == nil:
		return failing(syscall.EBADF)
	case a[1] == getFlags:
		return uintptr(f.flags)
	case a[1] == setFlags:
		f.flags = f.flags&^syscall.O_APPEND | int(a[2])&syscall.O_APPEND
	case a[1] == getFd:
		return syscall.FD_CLOEXEC
	}
	return 0
}

// openAt opens a file.
func (in *Instance) openAt(fd, at, flags uintptr) uintptr {
	if text, _ := in.text(at); text == "/dev/urandom" || text == "/dev/random" {
		return in.added(&open{random: true, reads: true})
	}
	const temporary = 0x400000
	how := int(flags)
	n, bad := in.named(fd, at)
	switch {
	case bad != 0:
		return bad
	case how&temporary != 0:
		return failing(syscall.EOPNOTSUPP)
	}
	mode := how & syscall.O_ACCMODE
	o := &open{reads: mode != syscall.O_WRONLY, writes: mode != syscall.O_RDONLY, flags: how}
	if o.file, bad = in.found(n, how, o.writes); bad != 0 {
		return bad
	}
	if how&syscall.O_TRUNC != 0 && in.disk().Len(o.file) > 0 {
		in.flush(o.file)
		if err := in.disk().Truncate(o.file, 0); err != nil {
			return number(err)
		}
		in.fill(o.file)
	}
	in.disk().Open(o.file)
	return in.added(o)
}

// found returns the file that is to be opened, which is made if need be.
func (in *Instance) found(n name, how int, writes bool) (disk.File, uintptr) {
	d := in.disk()
	f, err := d.Lookup(n.dir, n.path)
	switch {
	case how&(syscall.O_CREAT|syscall.O_DIRECTORY) == syscall.O_CREAT|syscall.O_DIRECTORY:
		return 0, failing(syscall.EINVAL)
	case err != nil && (err != disk.ErrNotExist || how&syscall.O_CREAT == 0):
		return 0, number(err)
	case err != nil:
		f, err = d.Make(n.dir, n.path, false)
		return f, number(err)
	case how&(syscall.O_CREAT|syscall.O_EXCL) == syscall.O_CREAT|syscall.O_EXCL:
		return 0, failing(syscall.EEXIST)
	case how&syscall.O_DIRECTORY != 0 && !d.IsDir(f):
		return 0, failing(syscall.ENOTDIR)
	case d.IsDir(f) && (writes || how&(syscall.O_CREAT|syscall.O_TRUNC) != 0):
		return 0, failing(syscall.EISDIR)
	}
	return f, 0
}

// added gives the lowest free descriptor to a file.
func (in *Instance) added(f *open) uintptr {
	for fd := 3; fd < len(in.files); fd++ {
		if in.files[fd] == nil {
			in.files[fd] = f
			return uintptr(fd)
		}
	}
	in.files = append(in.files, f)
	return uintptr(len(in.files) - 1)
}

func (in *Instance) closes(fd uintptr) uintptr {
	f := in.of(fd)
	if f == nil {
		return failing(syscall.EBADF)
	}
	if f.file != 0 {
		in.disk().Close(f.file)
	}
	in.files[fd] = nil
	return 0
}

func (in *Instance) reads(what uintptr, a [6]uintptr) uintptr {
	f := in.of(a[0])
	b := in.place.at(a[1], a[2])
	switch {
	case a[0] == 0:
		return 0
	case f == nil || !f.reads:
		return failing(syscall.EBADF)
	case b == nil && a[2] > 0:
		return failing(syscall.EFAULT)
	case f.random:
		in.random.Fill(b)
		return a[2]
	case in.disk().IsDir(f.file):
		return failing(syscall.EISDIR)
	case what == syscall.SYS_PREAD64 && int64(a[3]) < 0:
		return failing(syscall.EINVAL)
	}
	in.flush(f.file)
	if what == syscall.SYS_PREAD64 {
		return uintptr(in.config.Disk.ReadAt(f.file, b, int64(a[3])))
	}
	n := in.config.Disk.ReadAt(f.file, b, f.at)
	f.at += int64(n)
	return uintptr(n)
}

// writes writes to a file. The write is durable if the descriptor syncs.
func (in *Instance) writes(what uintptr, a [6]uintptr) uintptr {
	n := in.write(what, a)
	if f := in.of(a[0]); f != nil && int(n) > 0 { // it is an error that not a byte was written
		if err := in.synced(f); err != nil {
			return number(err)
		}
	}
	return n
}

// write writes to a file, or to standard output or error.
func (in *Instance) write(what uintptr, a [6]uintptr) uintptr {
	b := in.place.read(a[1], a[2])
	if b == nil && a[2] > 0 {
		return failing(syscall.EFAULT)
	}
	if a[0] == 1 || a[0] == 2 {
		in.errors = guest.Written(in.errors, b)
		return a[2]
	}
	f := in.of(a[0])
	switch {
	case f == nil || !f.writes:
		return failing(syscall.EBADF)
	case what == syscall.SYS_PWRITE64 && int64(a[3]) < 0:
		return failing(syscall.EINVAL)
	}
	in.flush(f.file)
	at := int64(a[3])
	if what == syscall.SYS_WRITE {
		at = f.at
	}
	if f.flags&syscall.O_APPEND != 0 { // Linux appends by pwrite, too
		at = in.disk().Len(f.file)
	}
	n, err := in.disk().WriteAt(f.file, b, at)
	if what == syscall.SYS_WRITE {
		f.at = at + int64(n)
	}
	if n > 0 {
		err = nil
	}
	in.fill(f.file)
	return counted(int64(n), err)
}

// synced syncs a file if its descriptor does so by itself.
func (in *Instance) synced(f *open) error {
	if f.flags&syscall.O_DSYNC == 0 {
		return nil
	}
	return in.disk().Sync(f.file, in.disk().Begin())
}

// changed is the result of a change of a file.
func (in *Instance) changed(f *open, err error) uintptr {
	if err == nil {
		err = in.synced(f)
	}
	return number(err)
}

func (in *Instance) seek(f *open, a [6]uintptr) uintptr {
	at := int64(a[1])
	switch a[2] {
	case 0:
	case 1:
		at += f.at
	case 2:
		at += in.disk().Len(f.file)
	default:
		return failing(syscall.EINVAL)
	}
	if at < 0 {
		return failing(syscall.EINVAL)
	}
	f.at, f.listed, f.lists = at, nil, false
	return uintptr(at)
}

func (in *Instance) statAt(n name, at uintptr) error {
	f, err := in.disk().Lookup(n.dir, n.path)
	if err == nil {
		in.statOf(&open{file: f}, at)
	}
	return err
}

// statOf writes a struct stat. Of nil it is a terminal's.
func (in *Instance) statOf(f *open, at uintptr) uintptr {
	b := in.place.at(at, 144)
	if b == nil {
		return failing(syscall.EFAULT)
	}
	clear(b)
	put := binary.LittleEndian.PutUint64
	put(b[56:], pageSize)
	if f == nil || f.random {
		binary.LittleEndian.PutUint32(b[24:], syscall.S_IFCHR|0o600)
		return 0
	}
	d := in.disk()
	mode, links := uint32(syscall.S_IFREG|0o600), uint64(0)
	if d.IsDir(f.file) {
		mode = syscall.S_IFDIR | 0o700
	}
	if d.Named(f.file) {
		links = 1
	}
	put(b[8:], uint64(f.file))
	put(b[16:], links)
	binary.LittleEndian.PutUint32(b[24:], mode)
	put(b[48:], uint64(d.Len(f.file)))
	put(b[64:], uint64(d.Len(f.file)+511)/512)
	for _, at := range []int{72, 88, 104} { // read, written, changed
		put(b[at:], uint64(d.Time(f.file)/1e9))
		put(b[at+8:], uint64(d.Time(f.file)%1e9))
	}
	return 0
}

// touch sets when a file was changed: to a time, or to now.
func (in *Instance) touch(n name, times uintptr) error {
	const now, omit = 1<<30 - 1, 1<<30 - 2
	f, err := in.disk().Lookup(n.dir, n.path)
	if err != nil {
		return err
	}
	at := in.now + in.config.Wall
	if b := in.place.read(times, 32); b != nil {
		switch nano := binary.LittleEndian.Uint64(b[24:]); nano {
		case now:
		case omit:
			return nil
		default:
			at = int64(binary.LittleEndian.Uint64(b[16:]))*1e9 + int64(nano)
		}
	}
	in.disk().Touch(f, at)
	return nil
}

// truncate is ftruncate of a file that is not open.
func (in *Instance) truncate(n name, size int64) error {
	f, err := in.disk().Lookup(n.dir, n.path)
	switch {
	case err != nil:
		return err
	case in.disk().IsDir(f):
		return disk.ErrIsDir
	}
	in.flush(f)
	defer in.fill(f)
	return in.disk().Truncate(f, size)
}

// list writes entries of a directory, as it was when its first entry was read.
func (in *Instance) list(f *open, b []byte) uintptr {
	d := in.disk()
	if !d.IsDir(f.file) {
		return failing(syscall.ENOTDIR)
	}
	if !f.lists {
		f.lists, f.listed = true, d.List(f.file)
	}
	n := 0
	for len(f.listed) > 0 {
		name := f.listed[0]
		size := (19 + len(name) + 1 + 7) &^ 7
		if n+size > len(b) {
			if n == 0 {
				return failing(syscall.EINVAL)
			}
			break
		}
		f.listed = f.listed[1:]
		is, err := d.Lookup(f.file, name)
		if err != nil {
			continue
		}
		e := b[n : n+size]
		clear(e)
		binary.LittleEndian.PutUint64(e, uint64(is))
		binary.LittleEndian.PutUint16(e[16:], uint16(size))
		if e[18] = syscall.DT_REG; d.IsDir(is) {
			e[18] = syscall.DT_DIR
		}
		copy(e[19:], name)
		n += size
	}
	return uintptr(n)
}
