//go:build !contend_native

package machine

import (
	"io"
	"path"
	"syscall"
	"unsafe"
)

// A file is a file of this machine that the program has opened. A nil pointer stands for none, and nothing is open behind a number less than 0.
type file struct {
	fd  int
	dir string // the path of a directory
}

// What is no file: /dev/null that is open to be written, and random numbers, which are the same each time.
const (
	sink = -1 - iota
	dice
)

func (f *file) offset() int64 {
	if f == nil || f.fd < 0 {
		return 0
	}
	at, _ := syscall.Seek(f.fd, 0, io.SeekCurrent)
	return at
}

func (f *file) seek(at int64) {
	if f != nil && f.fd >= 0 {
		_, _ = syscall.Seek(f.fd, at, io.SeekStart)
	}
}

func (f *file) close() {
	if f != nil && f.fd >= 0 {
		_ = syscall.Close(f.fd)
		f.fd = sink
	}
}

// firstFile is the descriptor of the first file.
const firstFile = 3

const (
	statx     = 332
	getRandom = 318
	renameAt2 = 316
	access2   = 439
	atCwd     = -100
	netPoll   = 1 << 20 // of the program's runtime: all goroutines wait for a time
	writing   = syscall.O_WRONLY | syscall.O_RDWR | syscall.O_CREAT | syscall.O_TRUNC | syscall.O_APPEND
	noFollow  = 0x100

	getFd, getFlags  = 1, 3
	dupFd, dupFdExec = 0, 1030
)

func failing(e syscall.Errno) uintptr { return -uintptr(e) }

// system does a call of Linux. Files can be read. What is not about files and clocks is package native's to answer.
func (k *kernel) system(what uintptr, a [6]uintptr) (result uintptr, known bool, err error) {
	switch what {
	case netPoll:
		if int64(a[0]) >= 0 {
			k.in.sleep(int64(a[0]))
			k.process.SetNow(k.in.now)
			return 0, true, nil
		}
		return 0, false, nil
	case getRandom:
		_, _ = k.in.random.Read(k.process.At(a[0], a[1]))
		return a[1], true, nil
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64:
		return k.write(a), true, nil
	case syscall.SYS_READ, syscall.SYS_PREAD64, syscall.SYS_FSTAT, syscall.SYS_LSEEK, syscall.SYS_GETDENTS64, syscall.SYS_CLOSE, syscall.SYS_FCNTL, syscall.SYS_IOCTL,
		syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_FTRUNCATE, syscall.SYS_FLOCK, syscall.SYS_FCHMOD, syscall.SYS_FCHOWN, syscall.SYS_FCHDIR, syscall.SYS_FADVISE64:
		return k.opened(what, a), true, nil
	case syscall.SYS_OPEN:
		return k.open(atCwdFd, a[0], a[1]), true, nil
	case syscall.SYS_OPENAT:
		return k.open(a[0], a[1], a[2]), true, nil
	case syscall.SYS_GETCWD:
		return k.cwd(a), true, nil
	case syscall.SYS_MMAP:
		const anonymous = 0x20
		if a[3]&anonymous == 0 {
			return failing(syscall.ENODEV), true, nil
		}
		return 0, false, nil
	}
	if p, is := paths[what]; is {
		return k.named(p, what, a), true, nil
	}
	return 0, false, nil
}

const atCwdFd = ^uintptr(99)

// A pathCall is a call with a path. It reads a path's file, or is refused.
type pathCall struct {
	dir, path int    // the places of its arguments; dir is less than 0 if the path is relative to the working directory
	refused   string // what it does
}

var paths = map[uintptr]pathCall{
	syscall.SYS_NEWFSTATAT: {0, 1, ""}, syscall.SYS_STAT: {-1, 0, ""}, syscall.SYS_LSTAT: {-1, 0, ""}, syscall.SYS_FACCESSAT: {0, 1, ""}, access2: {0, 1, ""},
	syscall.SYS_ACCESS: {-1, 0, ""}, syscall.SYS_READLINKAT: {0, 1, ""}, syscall.SYS_READLINK: {-1, 0, ""}, syscall.SYS_CHDIR: {-1, 0, ""}, statx: {0, 1, ""},
	syscall.SYS_MKDIRAT: {0, 1, "makes the directory"}, syscall.SYS_MKDIR: {-1, 0, "makes the directory"},
	syscall.SYS_UNLINKAT: {0, 1, "removes the file"}, syscall.SYS_UNLINK: {-1, 0, "removes the file"}, syscall.SYS_RMDIR: {-1, 0, "removes the directory"},
	syscall.SYS_RENAMEAT: {0, 1, "renames"}, renameAt2: {0, 1, "renames"}, syscall.SYS_RENAME: {-1, 0, "renames"},
	syscall.SYS_LINKAT: {2, 3, "links"}, syscall.SYS_LINK: {-1, 1, "links"}, syscall.SYS_SYMLINKAT: {1, 2, "links"}, syscall.SYS_SYMLINK: {-1, 1, "links"},
	syscall.SYS_FCHMODAT: {0, 1, "changes the mode of"}, syscall.SYS_CHMOD: {-1, 0, "changes the mode of"},
	syscall.SYS_FCHOWNAT: {0, 1, "changes the owner of"}, syscall.SYS_CHOWN: {-1, 0, "changes the owner of"}, syscall.SYS_LCHOWN: {-1, 0, "changes the owner of"},
	syscall.SYS_UTIMENSAT: {0, 1, "changes the times of"}, syscall.SYS_TRUNCATE: {-1, 0, "writes the file"},
	syscall.SYS_MKNODAT: {0, 1, "makes the file"}, syscall.SYS_MKNOD: {-1, 0, "makes the file"},
}

// absolute is the path of a call.
func (k *kernel) absolute(dir, at uintptr) (string, uintptr) {
	name, is := k.process.Text(at)
	switch {
	case !is:
		return "", failing(syscall.EFAULT)
	case name == "":
		return "", failing(syscall.ENOENT)
	case path.IsAbs(name):
		return name, 0
	case int32(dir) == atCwd:
		return k.dir + "/" + name, 0
	}
	f := k.of(dir)
	if f == nil || f.dir == "" {
		return "", failing(syscall.EBADF)
	}
	return f.dir + "/" + name, 0
}

// named does a call with a path.
func (k *kernel) named(p pathCall, what uintptr, a [6]uintptr) uintptr {
	dir := atCwdFd
	if p.dir >= 0 {
		dir = a[p.dir]
	}
	name, bad := k.absolute(dir, a[p.path])
	switch {
	case bad != 0:
		return bad
	case p.refused != "":
		return k.refuses(p.refused, name)
	case what == syscall.SYS_CHDIR:
		return k.changes(name)
	}
	// The arguments behind the path have the same places in the call with a directory, which is one longer.
	rest := [6]uintptr{}
	copy(rest[2:], a[p.path+1:])
	switch what {
	case syscall.SYS_STAT:
		what = syscall.SYS_NEWFSTATAT
	case syscall.SYS_LSTAT:
		what, rest[3] = syscall.SYS_NEWFSTATAT, noFollow
	case syscall.SYS_ACCESS:
		what = syscall.SYS_FACCESSAT
	case syscall.SYS_READLINK:
		what = syscall.SYS_READLINKAT
	}
	return k.asks(what, name, rest)
}

// asks does a call of the kernel that reads a path. What it writes to the program's memory has to be there.
func (k *kernel) asks(what uintptr, name string, rest [6]uintptr) uintptr {
	var room []byte
	switch what {
	case syscall.SYS_NEWFSTATAT:
		room = k.process.At(rest[2], unsafe.Sizeof(syscall.Stat_t{}))
	case syscall.SYS_READLINKAT:
		room = k.process.At(rest[2], rest[3])
	case statx:
		room = k.process.At(rest[4], 256)
	default:
		room = []byte{0}
	}
	text, err := syscall.BytePtrFromString(name)
	if room == nil || err != nil {
		return failing(syscall.EFAULT)
	}
	n, _, e := syscall.Syscall6(what, atCwdFd, uintptr(unsafe.Pointer(text)), rest[2], rest[3], rest[4], rest[5])
	if e != 0 {
		return failing(e)
	}
	return n
}

// refuses tells the driver what is refused.
func (k *kernel) refuses(does, name string) uintptr {
	if k.in.main != 0 {
		k.in.driver.Refused(does + " " + path.Clean(name) + ", and a body can read files only")
	}
	return failing(syscall.EROFS)
}

// changes changes the working directory.
func (k *kernel) changes(name string) uintptr {
	var is syscall.Stat_t
	if err := syscall.Stat(name, &is); err != nil {
		return failing(err.(syscall.Errno))
	}
	if is.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		return failing(syscall.ENOTDIR)
	}
	k.dir = path.Clean(name)
	return 0
}

func (k *kernel) cwd(a [6]uintptr) uintptr {
	b := k.process.At(a[0], a[1])
	switch {
	case b == nil:
		return failing(syscall.EFAULT)
	case len(b) <= len(k.dir):
		return failing(syscall.ERANGE)
	}
	b[copy(b, k.dir)] = 0
	return uintptr(len(k.dir) + 1)
}

// open opens a file to be read.
func (k *kernel) open(dir, at, flags uintptr) uintptr {
	name, bad := k.absolute(dir, at)
	if bad != 0 {
		return bad
	}
	switch at := path.Clean(name); {
	case at == "/dev/null" && flags&syscall.O_ACCMODE != syscall.O_RDONLY:
		return k.added(&file{fd: sink})
	case at == "/dev/urandom" || at == "/dev/random":
		return k.added(&file{fd: dice})
	}
	if flags&writing != 0 {
		return k.refuses("writes the file", name)
	}
	fd, err := syscall.Open(name, int(flags)|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return failing(err.(syscall.Errno))
	}
	f := &file{fd: fd}
	var is syscall.Stat_t
	if syscall.Fstat(fd, &is) == nil && is.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		f.dir = path.Clean(name)
	}
	return k.added(f)
}

// added gives the lowest free descriptor to a file.
func (k *kernel) added(f *file) uintptr {
	for i, is := range k.files {
		if is == nil {
			k.files[i] = f
			return uintptr(i + firstFile)
		}
	}
	k.files = append(k.files, f)
	return uintptr(len(k.files) - 1 + firstFile)
}

// of is the file of a descriptor; nil if there is none.
func (k *kernel) of(fd uintptr) *file {
	if fd < firstFile || fd >= uintptr(len(k.files)+firstFile) {
		return nil
	}
	return k.files[fd-firstFile]
}

// write writes to standard output and error, and to /dev/null.
func (k *kernel) write(a [6]uintptr) uintptr {
	b := k.process.Read(a[1], a[2])
	switch f := k.of(a[0]); {
	case b == nil && a[2] > 0:
		return failing(syscall.EFAULT)
	case a[0] == 1 || a[0] == 2:
		_, _ = k.in.output.Write(b)
	case f == nil || f.fd != sink:
		return failing(syscall.EBADF)
	}
	return a[2]
}

// opened does a call for what a descriptor stands for.
func (k *kernel) opened(what uintptr, a [6]uintptr) uintptr {
	f := k.of(a[0])
	switch {
	case what == syscall.SYS_IOCTL:
		return failing(syscall.ENOTTY)
	case a[0] < firstFile || f != nil && f.fd < 0:
		return k.terminal(what, a)
	case f == nil:
		return failing(syscall.EBADF)
	}
	var room []byte
	switch what {
	case syscall.SYS_CLOSE:
		k.files[a[0]-firstFile] = nil
		if !k.kept.has(f) {
			f.close()
		}
		return 0
	case syscall.SYS_FCHDIR:
		if f.dir == "" {
			return failing(syscall.ENOTDIR)
		}
		k.dir = f.dir
		return 0
	case syscall.SYS_FCHMOD, syscall.SYS_FCHOWN:
		return failing(syscall.EROFS)
	case syscall.SYS_FTRUNCATE:
		return failing(syscall.EINVAL) // it is open to be read
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_FLOCK, syscall.SYS_FADVISE64:
		return 0
	case syscall.SYS_FCNTL:
		switch a[1] {
		case getFd:
			return syscall.FD_CLOEXEC
		case dupFd, dupFdExec:
			return failing(syscall.EMFILE)
		}
		return 0
	case syscall.SYS_FSTAT:
		room = k.process.At(a[1], unsafe.Sizeof(syscall.Stat_t{}))
	case syscall.SYS_LSEEK:
		room = []byte{0}
	default:
		room = k.process.At(a[1], a[2])
	}
	if room == nil && a[2] > 0 {
		return failing(syscall.EFAULT)
	}
	n, _, e := syscall.Syscall6(what, uintptr(f.fd), a[1], a[2], a[3], 0, 0)
	if e != 0 {
		return failing(e)
	}
	return n
}

// terminal does a call for what is no file.
func (k *kernel) terminal(what uintptr, a [6]uintptr) uintptr {
	switch what {
	case syscall.SYS_READ, syscall.SYS_PREAD64:
		if f := k.of(a[0]); f != nil && f.fd == dice {
			n, _ := k.in.random.Read(k.process.At(a[1], a[2]))
			return uintptr(n)
		}
	case syscall.SYS_CLOSE:
		if k.of(a[0]) != nil {
			k.files[a[0]-firstFile] = nil
		}
	case syscall.SYS_FSTAT:
		b := k.process.At(a[1], unsafe.Sizeof(syscall.Stat_t{}))
		if b == nil {
			return failing(syscall.EFAULT)
		}
		*(*syscall.Stat_t)(unsafe.Pointer(unsafe.SliceData(b))) = syscall.Stat_t{Mode: syscall.S_IFCHR | 0o600, Blksize: 4096}
	case syscall.SYS_FCNTL:
		if a[1] == getFlags {
			return syscall.O_RDWR
		}
	case syscall.SYS_LSEEK:
		return failing(syscall.ESPIPE)
	case syscall.SYS_GETDENTS64, syscall.SYS_FCHDIR:
		return failing(syscall.ENOTDIR)
	}
	return 0
}
