package build

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// systemCalls is the package by which other packages make system calls.
const systemCalls = "golang.org/x/sys/unix"

// inAssembly are the functions that package systemCalls has in assembly.
const inAssembly = `package unix

import "syscall"

func Syscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno) {
	return syscall.Syscall(trap, a1, a2, a3)
}

func Syscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err syscall.Errno) {
	return syscall.Syscall6(trap, a1, a2, a3, a4, a5, a6)
}

func RawSyscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno) {
	return syscall.Syscall(trap, a1, a2, a3)
}

func RawSyscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err syscall.Errno) {
	return syscall.Syscall6(trap, a1, a2, a3, a4, a5, a6)
}

func SyscallNoError(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
	r1, r2, _ = syscall.Syscall(trap, a1, a2, a3)
	return r1, r2
}

func RawSyscallNoError(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
	return SyscallNoError(trap, a1, a2, a3)
}

func gettimeofday(tv *Timeval) syscall.Errno {
	var now syscall.Timeval
	if err := syscall.Gettimeofday(&now); err != nil {
		return err.(syscall.Errno)
	}
	tv.Sec, tv.Usec = now.Sec, now.Usec
	return 0
}
`

// numbered finds errors by their numbers on Linux.
var numbered = regexp.MustCompile(`(?m)^((\s*(E\w+)\s*= syscall\.)Errno\()(\w+)\)`)

// systemCalls completes the change of package systemCalls: its functions in assembly are in Go, and its errors are those of package syscall, as
// far as they are there. Errors are the names of these. Others have numbers of their own.
func (c change) systemCalls(errors map[string]bool) {
	for name, text := range c {
		switch {
		case strings.HasSuffix(name, "-gc_wasip1.go"):
			c[name] = nil
		case bytes.Contains(text, []byte("syscall.Errno(")):
			c[name] = numbered.ReplaceAllFunc(text, func(is []byte) []byte {
				m := numbered.FindSubmatch(is)
				if errors[string(m[3])] {
					return slices.Concat(m[2], m[3])
				}
				return slices.Concat(m[1], []byte("0x1000 + "), m[4], []byte(")"))
			})
		}
	}
	c[renamed("assembly.go")] = []byte(inAssembly)
}

// errorsOf returns the names of the errors that package syscall of a Go release has on Linux.
func errorsOf(goroot string) (map[string]bool, error) {
	text, err := os.ReadFile(filepath.Join(goroot, "src", "syscall", "zerrors_linux_amd64.go"))
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\s*(E\w+)\s*= Errno\(`).FindAllSubmatch(text, -1) {
		names[string(m[1])] = true
	}
	return names, nil
}
