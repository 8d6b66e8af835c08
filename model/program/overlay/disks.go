package overlay

import "fmt"

// disks edits package os: what makes files durable, or renames or removes them, begins later. The files themselves are open to whoever else runs,
// and to a crash, meanwhile.
func disks(o *release, slow int64) {
	wait := fmt.Sprintf("time.Sleep(%d)", slow)
	for _, f := range []struct{ file, signature string }{
		{"os/file_posix.go", "func (f *File) Sync() error"},
		{"os/file.go", "func Rename(oldpath, newpath string) error"},
		{"os/file_unix.go", "func Remove(name string) error"},
	} {
		s := o.open(f.file)
		s.enter(f.signature, wait)
		if s.file != nil && !s.imports("time") {
			s.replace(s.file.Name.End(), s.file.Name.End(), `; import "time"`)
		}
	}
}
