package overlay

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed hooks/slow_native.go.txt
var nativeSlowHook string

// disks edits packages os and syscall. A sync covers the writes before its start, and returns later. A
// renaming or removal takes effect in the middle of its time. Meanwhile other goroutines use the files, and crashes strike.
// Fsync, fdatasync and msync are slow wherever they are called by syscall.Syscall, as golang.org/x/sys/unix does. So are, in a native program, writes
// to a file that was opened with O_SYNC or O_DSYNC. In a program in WebAssembly function files makes the syncs so.
func disks(o *release, slow int64, native bool) {
	if native {
		calls := o.open("syscall/syscall_linux.go")
		calls.enter("func Syscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno)",
			"if contendSyncs(trap, a3) { r1, err = contendSync(trap, a1); return r1, 0, err }; "+
				"if trap == SYS_WRITE && a1 > 2 { r1, err = contendWrite(trap, a1, a2, a3, 0); return r1, 0, err }")
		calls.enter("func Syscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno)",
			"if trap == SYS_PWRITE64 { r1, err = contendWrite(trap, a1, a2, a3, a4); return r1, 0, err }")
		o.add("syscall/contend_slow_linux.go", strings.ReplaceAll(nativeSlowHook, "SLOW", fmt.Sprint(slow)))
	}
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
