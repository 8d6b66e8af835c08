//go:build !wasip1 && !contend_native

package machine

import (
	"io/fs"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
)

// files are those of this machine, which programs can read. Whatever else they do with files in a run is refused, and the driver told.
type files struct {
	*sysfs.ReadFS
	in *instance
}

// mounted is the configuration of a program that has the files.
func (in *instance) mounted() wazero.FSConfig {
	f := &files{&sysfs.ReadFS{FS: sysfs.DirFS("/")}, in}
	return wazero.NewFSConfig().(sysfs.FSConfig).WithSysFSMount(f, "/")
}

// refuses tells the driver what is refused.
func (f *files) refuses(does, path string) sys.Errno {
	if f.in.main != 0 {
		f.in.driver.Refused(does + " /" + path + ", and a body can read files only")
	}
	return sys.EROFS
}

// OpenFile opens a file to be read.
func (f *files) OpenFile(path string, flag sys.Oflag, mode fs.FileMode) (sys.File, sys.Errno) {
	if path != "dev/null" && flag&(sys.O_WRONLY|sys.O_RDWR|sys.O_CREAT|sys.O_TRUNC|sys.O_APPEND) != 0 {
		return nil, f.refuses("writes the file", path)
	}
	return f.ReadFS.OpenFile(path, flag, mode)
}

// Mkdir is refused.
func (f *files) Mkdir(path string, _ fs.FileMode) sys.Errno {
	return f.refuses("makes the directory", path)
}

// Chmod is refused.
func (f *files) Chmod(path string, _ fs.FileMode) sys.Errno {
	return f.refuses("changes the mode of", path)
}

// Rename is refused.
func (f *files) Rename(from, _ string) sys.Errno { return f.refuses("renames", from) }

// Rmdir is refused.
func (f *files) Rmdir(path string) sys.Errno { return f.refuses("removes the directory", path) }

// Unlink is refused.
func (f *files) Unlink(path string) sys.Errno { return f.refuses("removes the file", path) }

// Link is refused.
func (f *files) Link(_, path string) sys.Errno { return f.refuses("links", path) }

// Symlink is refused.
func (f *files) Symlink(_, path string) sys.Errno { return f.refuses("links", path) }

// Utimens is refused.
func (f *files) Utimens(path string, _, _ int64) sys.Errno {
	return f.refuses("changes the times of", path)
}
