package host

import (
	"encoding/binary"
	"errors"
	"path"

	"contend/model/program/disk"
)

// An open is what a descriptor stands for. Standard input, output and error have no file.
type open struct {
	file    disk.File
	path    string
	at      int64
	appends bool
	listed  []string // of a directory whose entries are read
}

// mostErrors is how much of the standard error is kept.
const mostErrors = 64 << 10

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
		return 0
	}},
	"fd_fdstat_set_rights": {"iII", true, func(*Instance, []uint64) uint32 { return 0 }},
	"path_open":            {"iiiiiIIii", true, (*Instance).pathOpen},
	"fd_close": {"i", true, func(in *Instance, a []uint64) uint32 {
		if in.of(a[0]) == nil {
			return eBadf
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
		case f == nil:
			return eBadf
		}
		n := in.readAt(f, f.at, a[1], a[2])
		f.at += n
		in.put32(a[3], uint32(n))
		return 0
	}},
	"fd_pread": {"iiiIi", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		if f == nil {
			return eBadf
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
		if f == nil {
			return eBadf
		}
		if f.appends {
			f.at = in.config.Disk.Len(f.file)
		}
		n, err := in.writeAt(f, f.at, a[1], a[2])
		f.at += n
		in.put32(a[3], uint32(n))
		return number(err)
	}},
	"fd_pwrite": {"iiiIi", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		if f == nil {
			return eBadf
		}
		n, err := in.writeAt(f, int64(a[3]), a[1], a[2])
		in.put32(a[4], uint32(n))
		return number(err)
	}},
	"fd_sync": {"i", true, func(in *Instance, a []uint64) uint32 {
		f := in.of(a[0])
		if f == nil {
			return eBadf
		}
		in.config.Disk.Sync(f.file, f.path)
		return 0
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
		if f == nil {
			return eBadf
		}
		return number(in.config.Disk.Truncate(f.file, int64(a[1])))
	}},
	"path_filestat_get": {"iiiii", true, func(in *Instance, a []uint64) uint32 {
		name, ok := in.path(a[0], a[2], a[3])
		if !ok {
			return eBadf
		}
		f := in.config.Disk.Lookup(name)
		if f == 0 {
			return eNoEnt
		}
		in.stat(a[4], f)
		return 0
	}},
	"path_filestat_set_times": {"iiiiIIi", true, func(*Instance, []uint64) uint32 { return 0 }},
	"path_create_directory": {"iii", true, func(in *Instance, a []uint64) uint32 {
		name, ok := in.path(a[0], a[1], a[2])
		if !ok {
			return eBadf
		}
		_, err := in.config.Disk.Make(name, true)
		return number(err)
	}},
	"path_unlink_file":      {"iii", true, func(in *Instance, a []uint64) uint32 { return in.remove(a, false) }},
	"path_remove_directory": {"iii", true, func(in *Instance, a []uint64) uint32 { return in.remove(a, true) }},
	"path_rename": {"iiiiii", true, func(in *Instance, a []uint64) uint32 {
		from, ok1 := in.path(a[0], a[1], a[2])
		to, ok2 := in.path(a[3], a[4], a[5])
		if !ok1 || !ok2 {
			return eBadf
		}
		return number(in.config.Disk.Rename(from, to))
	}},
	"path_link":     {"iiiiiii", true, func(*Instance, []uint64) uint32 { return eNotSup }},
	"path_symlink":  {"iiiii", true, func(*Instance, []uint64) uint32 { return eNotSup }},
	"path_readlink": {"iiiiii", true, func(*Instance, []uint64) uint32 { return eInval }},
	"fd_readdir":    {"iiiIi", true, (*Instance).readdir},
}

// number is the error number of an error of the disk.
func number(err error) uint32 {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, disk.ErrNotExist):
		return eNoEnt
	case errors.Is(err, disk.ErrExist):
		return eExist
	case errors.Is(err, disk.ErrNotDir):
		return eNotDir
	case errors.Is(err, disk.ErrIsDir):
		return eIsDir
	case errors.Is(err, disk.ErrNotEmpty):
		return eNotEmpty
	case errors.Is(err, disk.ErrFull):
		return eNoSpc
	}
	return eNoSys
}

// of is what a descriptor stands for; nil if that is no file.
func (in *Instance) of(fd uint64) *open {
	if fd <= 2 || fd >= uint64(len(in.files)) {
		return nil
	}
	return in.files[fd]
}

// path is a path of the disk.
func (in *Instance) path(fd, at, n uint64) (name string, ok bool) {
	dir := in.of(fd)
	if dir == nil {
		return "", false
	}
	name = path.Join("/", dir.path, string(in.read(at, n)))
	if name == "/" {
		return disk.Root, true
	}
	return name[1:], true
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

func (in *Instance) writeAt(f *open, to int64, at, n uint64) (total int64, err error) {
	total = in.buffers(at, n, func(b []byte) int {
		if err == nil {
			err = in.config.Disk.WriteAt(f.file, b, to)
		}
		if err != nil {
			return 0
		}
		to += int64(len(b))
		return len(b)
	})
	return total, err
}

// standard takes what goes to the standard output and error.
func (in *Instance) standard(at, n uint64) uint32 {
	total := in.buffers(at, n, func(b []byte) int {
		in.errors = append(in.errors, b...)
		return len(b)
	})
	if len(in.errors) > 2*mostErrors {
		in.errors = append([]byte(nil), in.errors[len(in.errors)-mostErrors:]...)
	}
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

func (in *Instance) pathOpen(a []uint64) uint32 {
	const create, directory, exclusive, truncate = 1, 2, 4, 8
	name, ok := in.path(a[0], a[2], a[3])
	if !ok {
		return eBadf
	}
	d, how := in.config.Disk, a[4]
	f := d.Lookup(name)
	switch {
	case f == 0 && how&create == 0:
		return eNoEnt
	case f != 0 && how&(create|exclusive) == create|exclusive:
		return eExist
	case f != 0 && how&directory != 0 && !d.IsDir(f):
		return eNotDir
	case f == 0:
		var err error
		if f, err = d.Make(name, false); err != nil {
			return number(err)
		}
	}
	if how&truncate != 0 && d.Len(f) > 0 {
		if err := d.Truncate(f, 0); err != nil {
			return number(err)
		}
	}
	in.put32(a[8], in.opened(&open{file: f, path: name, appends: a[7]&1 != 0}))
	return 0
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
	case 1:
		at += f.at
	case 2:
		at += in.config.Disk.Len(f.file)
	}
	if at < 0 {
		return eInval
	}
	f.at, f.listed = at, nil
	in.put64(a[3], uint64(at))
	return 0
}

func (in *Instance) remove(a []uint64, dir bool) uint32 {
	name, ok := in.path(a[0], a[1], a[2])
	if !ok {
		return eBadf
	}
	return number(in.config.Disk.Remove(name, dir))
}

// The types of files.
const (
	typeDevice    = 2
	typeDirectory = 3
	typeFile      = 4
	typeSocket    = 6
)

func (in *Instance) typeOf(f disk.File) byte {
	if in.config.Disk.IsDir(f) {
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
		s[0] = in.typeOf(f.file)
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
	binary.LittleEndian.PutUint64(s[24:], 1)
	binary.LittleEndian.PutUint64(s[32:], uint64(in.config.Disk.Len(f)))
}

// readdir lists a directory as it was when its first entry was read.
func (in *Instance) readdir(a []uint64) uint32 {
	f := in.of(a[0])
	if f == nil || in.typeOf(f.file) != typeDirectory {
		return eNotDir
	}
	if a[3] == 0 {
		f.listed = in.config.Disk.List(f.path)
	}
	var b []byte
	for i := min(a[3], uint64(len(f.listed))); i < uint64(len(f.listed)); i++ {
		name := f.listed[i]
		is := in.config.Disk.Lookup(path.Join(f.path, name))
		if is == 0 {
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
