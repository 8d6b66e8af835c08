package overlay

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed hooks/poll.go.txt
var pollHook string

//go:embed hooks/poll_native.go.txt
var nativePollHook string

// disks edits the packages os and poll: a sync covers what was done before it, and returns later; a renaming or a removal happens in the
// middle of its time. The files themselves are open to whoever else runs, and to a crash, meanwhile.
func disks(o *release, slow int64, native bool) {
	o.open("internal/poll/fd_fsync_posix.go").change("func (fd *FD) Fsync() error", "syscall.Fsync(fd.Sysfd)", "contendError(syscall.Errno(contendSync(fd.Sysfd)))")
	name, hook := "internal/poll/contend_wasip1.go", pollHook
	if native {
		name, hook = "internal/poll/contend_linux.go", nativePollHook
		o.open("syscall/zsyscall_linux_amd64.go").enter("func Fdatasync(fd int) (err error)", "if contendSync != nil { return contendSync(fd) }")
		o.add("syscall/contend_sync_linux.go", "package syscall\n\nimport _ \"unsafe\"\n\n//go:linkname contendSync\nvar contendSync func(fd int) error\n")
	}
	o.add(name, strings.ReplaceAll(hook, "SLOW", fmt.Sprint(slow)))
	for _, f := range []struct{ file, signature string }{
		{"os/file.go", "func Rename(oldpath, newpath string) error"},
		{"os/file_unix.go", "func Remove(name string) error"},
	} {
		s := o.open(f.file)
		s.enter(f.signature, fmt.Sprintf("time.Sleep(%d); defer time.Sleep(%d)", slow/2, slow-slow/2))
		if s.file != nil && !s.imports("time") {
			s.replace(s.file.Name.End(), s.file.Name.End(), `; import "time"`)
		}
	}
}
