package host

import (
	"encoding/binary"
	"errors"

	"contend/model/disk"
	"contend/program/guest"
)

// An open is what a descriptor stands for. Standard input, output and error have no file.
type open struct {
	file   disk.File
	at     int64
	reads  bool
	writes bool
	flags  uint64   // of which appends and syncs matter
	listed []string // of a directory whose entries are read
}

// Flags of descriptors. A write through a descriptor that syncs is durable when it returns; WASI has three flags for that.
const (
	appends = 1
	syncs   = 2 | 8 | 16
)

// disk is the program's disk, whose clock is the program's wall clock.
func (in *Instance) disk() *disk.Disk {
	in.config.Disk.SetTime(in.now + in.config.Wall)
	return in.config.Disk
}

// files are the functions that have to do with files. Paths are relative to the descriptor of a directory.
var files = map[string]function{
	"fd_prestat_get": {"ii", true, func(in *Instance, a []uint64) uint32 {
		if a[0] != 3 || in.of(a[0]) == nil {
			return eBadf
		}
		binary.LittleEndian.PutUint64(in.read(a[1], 8), 1<<32) // a directory whose name has one byte
		return 0
	}},
	"fd_prestat_dir_name": {"iii", true, func(in *Instance, a []uint64) uint32 {
		copy(in.read(a[1], a[2]), "/")
		return 0
	}},
	"fd_fdstat_get": {"ii", true, (*Instance).fdstat},
	"fd_fdstat_set_flags": {"ii", true, func(in *Instance, a []uint64) uint32 {
		if a[0] <= 2 {
			return eNotSup // they stay blocking
		}
		if f := in.of(a[0]); f != nil {
			f.flags = a[1]
		}
		return 0
	}},
	"fd_fdstat_set_rights": {"iII", true, func(*Instance, []uint64) uint32 { return 0 }},
	"path_open":            {"iiiiiIIii", true, (*Instance).pathOpen},
	"fd_close": {"i", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		if f == nil {
			return eBadf
		}
		if f.file != 0 {
			in.disk().Close(f.file)
		}
		in.files[a[0]] = nil
		return 0
	}},
	"fd_seek": {"iIii", true, (*Instance).seek},
	"fd_read": {"iiii", true, func(in *Instance, a []uint64) uint32 {
		if a[0] == bell {
			return in.readBell(a)
		}
		f := in.of(a[0])
		switch {
		case a[0] == 0:
			in.put32(a[3], 0)
			return 0
		}
		if bad := in.mayRead(f); bad != 0 {
			return bad
		}
		n := in.readAt(f, f.at, a[1], a[2])
		f.at += n
		in.put32(a[3], uint32(n))
		return 0
	}},
	"fd_pread": {"iiiIi", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		switch bad := in.mayRead(f); {
		case bad != 0:
			return bad
		case int64(a[3]) < 0:
			return eInval
		}
		in.put32(a[4], uint32(in.readAt(f, int64(a[3]), a[1], a[2])))
		return 0
	}},
	"fd_write": {"iiii", true, func(in *Instance, a []uint64) uint32 {
		if a[0] == 1 || a[0] == 2 {
			in.put32(a[3], in.standard(a[1], a[2]))
			return 0
		}
		f := in.of(a[0])
		if f == nil || !f.writes {
			return eBadf
		}
		if f.flags&appends != 0 {
			f.at = in.disk().Len(f.file)
		}
		n, err := in.writeAt(f, f.at, a[1], a[2])
		f.at += n
		in.put32(a[3], uint32(n))
		return number(err)
	}},
	"fd_pwrite": {"iiiIi", true, func(in *Instance, a []uint64) uint32 {
		f, at := in.of(a[0]), int64(a[3])
		switch {
		case f == nil || !f.writes:
			return eBadf
		case at < 0:
			return eInval
		case f.flags&appends != 0: // as Linux does
			at = in.disk().Len(f.file)
		}
		n, err := in.writeAt(f, at, a[1], a[2])
		in.put32(a[4], uint32(n))
		return number(err)
	}},
	"fd_sync": {"i", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		if f == nil {
			return eBadf
		}
		return number(in.disk().Sync(f.file, in.disk().Begin()))
	}},
	"fd_filestat_get": {"ii", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		if f == nil {
			return eBadf
		}
		in.stat(a[1], f.file)
		return 0
	}},
	"fd_filestat_set_size": {"iI", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		switch {
		case f == nil:
			return eBadf
		case !f.writes:
			return eInval
		}
		return in.written(f, in.disk().Truncate(f.file, int64(a[1])))
	}},
	"path_filestat_get": {"iiiii", true, func(in *Instance, a []uint64) uint32 {
		f, bad := in.lookup(a[0], a[2], a[3])
		if bad == 0 {
			in.stat(a[4], f)
		}
		return bad
	}},
	"path_filestat_set_times": {"iiiiIIi", true, func(in *Instance, a []uint64) uint32 {
		const given, now = 4, 8
		f, bad := in.lookup(a[0], a[2], a[3])
		switch {
		case bad != 0:
		case a[6]&now != 0:
			in.disk().Touch(f, in.now+in.config.Wall)
		case a[6]&given != 0:
			in.disk().Touch(f, int64(a[5]))
		}
		return bad
	}},
	"path_create_directory": {"iii", true, func(in *Instance, a []uint64) uint32 {
		dir := in.of(a[0])
		if dir == nil {
			return eBadf
		}
		_, err := in.disk().Make(dir.file, string(in.read(a[1], a[2])), true)
		return number(err)
	}},
	"path_unlink_file":      {"iii", true, func(in *Instance, a []uint64) uint32 { return in.remove(a, false) }},
	"path_remove_directory": {"iii", true, func(in *Instance, a []uint64) uint32 { return in.remove(a, true) }},
	"path_rename": {"iiiiii", true, func(in *Instance, a []uint64) uint32 {
		from, to := in.of(a[0]), in.of(a[3])
		if from == nil || to == nil {
			return eBadf
		}
		return number(in.disk().Rename(from.file, string(in.read(a[1], a[2])), to.file, string(in.read(a[4], a[5]))))
	}},
	"path_link":    {"iiiiiii", true, func(*Instance, []uint64) uint32 { return eNotSup }},
	"path_symlink": {"iiiii", true, func(*Instance, []uint64) uint32 { return eNotSup }},
	"path_readlink": {"iiiiii", true, func(in *Instance, a []uint64) uint32 {
		if _, bad := in.lookup(a[0], a[1], a[2]); bad != 0 {
			return bad
		}
		return eInval // it is no link
	}},
	"fd_readdir": {"iiiIi", true, (*Instance).readdir},
}

// numbers are the error numbers of errors of the disk.
var numbers = map[error]uint32{disk.ErrNotExist: eNoEnt, disk.ErrExist: eExist, disk.ErrNotDir: eNotDir, disk.ErrIsDir: eIsDir,
	disk.ErrNotEmpty: eNotEmpty, disk.ErrFull: eNoSpc, disk.ErrInvalid: eInval, disk.ErrBusy: eBusy, disk.ErrTooLarge: eFBig,
	disk.ErrNameTooLong: eNameTooLong, disk.ErrIO: eIO}

// number is the error number of an error of the disk.
func number(err error) uint32 {
	for is, n := range numbers {
		if errors.Is(err, is) {
			return n
		}
	}
	return 0
}

// of returns what a descriptor stands for, or nil if that is no file. The file has what the program wrote to its mappings.
func (in *Instance) of(fd uint64) *open {
	if fd <= 2 || fd >= uint64(len(in.files)) || in.files[fd] == nil {
		return nil
	}
	in.flush(in.files[fd].file)
	return in.files[fd]
}

// lookup finds the file at a path from the directory of a descriptor.
func (in *Instance) lookup(fd, at, n uint64) (disk.File, uint32) {
	dir := in.of(fd)
	if dir == nil {
		return 0, eBadf
	}
	f, err := in.disk().Lookup(dir.file, string(in.read(at, n)))
	return f, number(err)
}

// mayRead returns the error number of a descriptor that is not to be read; 0 if it is.
func (in *Instance) mayRead(f *open) uint32 {
	switch {
	case f == nil || !f.reads:
		return eBadf
	case in.disk().IsDir(f.file):
		return eIsDir
	}
	return 0
}

// buffers calls do for each of n buffers, as long as it fills them.
func (in *Instance) buffers(at, n uint64, do func(b []byte) int) (total int64) {
	for i := range n {
		v := in.read(at+8*i, 8)
		b := in.read(uint64(binary.LittleEndian.Uint32(v)), uint64(binary.LittleEndian.Uint32(v[4:])))
		did := do(b)
		if total += int64(did); did < len(b) {
			break
		}
	}
	return total
}

func (in *Instance) readAt(f *open, from int64, at, n uint64) int64 {
	return in.buffers(at, n, func(b []byte) int {
		did := in.config.Disk.ReadAt(f.file, b, from)
		from += int64(did)
		return did
	})
}

// writeAt writes until there is no space. It is an error that not a byte was written.
func (in *Instance) writeAt(f *open, to int64, at, n uint64) (total int64, err error) {
	total = in.buffers(at, n, func(b []byte) (did int) {
		did, err = in.disk().WriteAt(f.file, b, to)
		to += int64(did)
		return did
	})
	in.fill(f.file)
	if total > 0 {
		err = nil
		if f.flags&syncs != 0 {
			err = in.disk().Sync(f.file, in.disk().Begin())
		}
	}
	return total, err
}

// written returns the error number of a change of a file, which is synced if its descriptor syncs.
func (in *Instance) written(f *open, err error) uint32 {
	in.fill(f.file)
	if err == nil && f.flags&syncs != 0 {
		err = in.disk().Sync(f.file, in.disk().Begin())
	}
	return number(err)
}

// standard takes what goes to the standard output and error.
func (in *Instance) standard(at, n uint64) uint32 {
	total := in.buffers(at, n, func(b []byte) int {
		in.errors = guest.Written(in.errors, b)
		return len(b)
	})
	return uint32(total)
}

func (in *Instance) readBell(a []uint64) uint32 {
	if !in.rings {
		return eAgain
	}
	in.rings = false
	in.buffers(a[1], 1, func(b []byte) int {
		b[0] = 1
		return 1
	})
	in.put32(a[3], 1)
	return 0
}

// How a path is opened.
const (
	create    = 1
	directory = 2
	exclusive = 4
	truncate  = 8
)

func (in *Instance) pathOpen(a []uint64) uint32 {
	const rightRead, rightWrite = 1 << 1, 1 << 6
	dir := in.of(a[0])
	if dir == nil {
		return eBadf
	}
	o := &open{reads: a[5]&rightRead != 0, writes: a[5]&rightWrite != 0, flags: a[7]}
	var bad uint32
	if o.file, bad = in.found(dir.file, string(in.read(a[2], a[3])), a[4], o.writes); bad != 0 {
		return bad
	}
	if a[4]&truncate != 0 && in.disk().Len(o.file) > 0 {
		defer in.fill(o.file)
		if err := in.disk().Truncate(o.file, 0); err != nil {
			return number(err)
		}
	}
	in.disk().Open(o.file)
	in.put32(a[8], in.opened(o))
	return 0
}

// found returns the file that is to be opened, which is made if need be.
func (in *Instance) found(dir disk.File, name string, how uint64, writes bool) (disk.File, uint32) {
	d := in.disk()
	f, err := d.Lookup(dir, name)
	switch {
	case how&(create|directory) == create|directory:
		return 0, eInval
	case err != nil && (err != disk.ErrNotExist || how&create == 0):
		return 0, number(err)
	case err != nil:
		f, err = d.Make(dir, name, false)
		return f, number(err)
	case how&(create|exclusive) == create|exclusive:
		return 0, eExist
	case how&directory != 0 && !d.IsDir(f):
		return 0, eNotDir
	case d.IsDir(f) && (writes || how&(create|truncate) != 0):
		return 0, eIsDir
	}
	return f, 0
}

// opened gives the lowest free descriptor to a file.
func (in *Instance) opened(f *open) uint32 {
	for fd := 3; fd < len(in.files); fd++ {
		if in.files[fd] == nil {
			in.files[fd] = f
			return uint32(fd)
		}
	}
	if len(in.files) == bell {
		in.files = append(in.files, &open{}) // the bell has this one
	}
	in.files = append(in.files, f)
	return uint32(len(in.files) - 1)
}

func (in *Instance) seek(a []uint64) uint32 {
	f := in.of(a[0])
	if f == nil {
		return eBadf
	}
	at := int64(a[1])
	switch a[2] {
	case 0:
	case 1:
		at += f.at
	case 2:
		at += in.disk().Len(f.file)
	default:
		return eInval
	}
	if at < 0 {
		return eInval
	}
	f.at, f.listed = at, nil
	in.put64(a[3], uint64(at))
	return 0
}

func (in *Instance) remove(a []uint64, dir bool) uint32 {
	at := in.of(a[0])
	if at == nil {
		return eBadf
	}
	return number(in.disk().Remove(at.file, string(in.read(a[1], a[2])), dir))
}

// The types of files.
const (
	typeDevice    = 2
	typeDirectory = 3
	typeFile      = 4
	typeSocket    = 6
)

func (in *Instance) typeOf(f disk.File) byte {
	if in.disk().IsDir(f) {
		return typeDirectory
	}
	return typeFile
}

func (in *Instance) fdstat(a []uint64) uint32 {
	const nonblocking, allRights = 4, 1<<30 - 1
	s := in.read(a[1], 24)
	clear(s)
	switch f := in.of(a[0]); {
	case a[0] == bell:
		s[0], s[2] = typeSocket, nonblocking
	case a[0] <= 2:
		s[0] = typeDevice
	case f == nil:
		return eBadf
	default:
		s[0], s[2] = in.typeOf(f.file), byte(f.flags)
	}
	binary.LittleEndian.PutUint64(s[8:], allRights)
	binary.LittleEndian.PutUint64(s[16:], allRights)
	return 0
}

func (in *Instance) stat(at uint64, f disk.File) {
	s := in.read(at, 64)
	clear(s)
	binary.LittleEndian.PutUint64(s[8:], uint64(f))
	s[16] = in.typeOf(f)
	if in.disk().Named(f) {
		binary.LittleEndian.PutUint64(s[24:], 1)
	}
	binary.LittleEndian.PutUint64(s[32:], uint64(in.disk().Len(f)))
	for _, at := range []int{40, 48, 56} { // read, written, changed
		binary.LittleEndian.PutUint64(s[at:], uint64(in.disk().Time(f)))
	}
}

// readdir lists a directory as it was when its first entry was read.
func (in *Instance) readdir(a []uint64) uint32 {
	f := in.of(a[0])
	switch {
	case f == nil:
		return eBadf
	case in.typeOf(f.file) != typeDirectory:
		return eNotDir
	case a[3] == 0:
		f.listed = in.disk().List(f.file)
	}
	var b []byte
	for i := min(a[3], uint64(len(f.listed))); i < uint64(len(f.listed)); i++ {
		name := f.listed[i]
		is, err := in.disk().Lookup(f.file, name)
		if err != nil {
			continue
		}
		b = binary.LittleEndian.AppendUint64(b, i+1)
		b = binary.LittleEndian.AppendUint64(b, uint64(is))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
		b = binary.LittleEndian.AppendUint32(b, uint32(in.typeOf(is)))
		b = append(b, name...)
	}
	n := copy(in.read(a[1], a[2]), b)
	in.put32(a[4], uint32(n))
	return 0
}
