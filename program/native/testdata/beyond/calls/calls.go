// Package calls reads and writes mappings within their files and beyond the ends, and says what came of it.
package calls

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"unsafe"
)

// Page is the size of a page.
const Page = 4096

// Read reads a byte of a mapping. It returns the byte, or the place of the fault.
func Read(b []byte, at int) (is string) {
	defer fault(b, &is)()
	return fmt.Sprint(b[at])
}

func write(b []byte, at int) (is string) {
	defer fault(b, &is)()
	b[at] = 'w'
	return "written"
}

// fault has a fault be a panic. The result recovers it.
func fault(b []byte, is *string) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if e, ok := recover().(interface{ Addr() uintptr }); ok {
			*is = fmt.Sprintf("fault at %d", e.Addr()-uintptr(unsafe.Pointer(&b[0])))
		}
	}
}

// Make makes the calls in an empty directory, and says a line for each.
func Make(root string, say func(string)) {
	f, err := os.OpenFile(filepath.Join(root, "file"), os.O_RDWR|os.O_CREATE, 0o600)
	say(fmt.Sprint("open: ", err))
	var shared, private []byte
	state := func(what string, err error) {
		say(fmt.Sprintf("%s: %v", what, err))
		for i := range 4 {
			say(fmt.Sprintf("page %d: %s %s", i, Read(shared, i*Page+7), Read(private, i*Page+7)))
		}
	}
	shared, err = syscall.Mmap(int(f.Fd()), 0, 4*Page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	say(fmt.Sprint("mmap: ", err))
	private, err = syscall.Mmap(int(f.Fd()), 0, 4*Page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	state("mmap of an empty file", err)
	_, err = f.WriteAt([]byte("a byte of the second page"), Page)
	state("write", err)
	say("write to the mapping: " + write(shared, Page+8) + ", " + write(shared, 2*Page))
	state("allocate", syscall.Fallocate(int(f.Fd()), 0, 0, 3*Page+1))
	say("write to the mapping: " + write(shared, 3*Page+7))
	state("shrink", f.Truncate(Page))
	_, err = syscall.Pwrite(int(f.Fd()), shared[Page:2*Page], 0)
	say(fmt.Sprint("write of a page beyond the end: ", err))
	state("grow", f.Truncate(2*Page))
	state("truncate by name", os.Truncate(f.Name(), 0))
	again, err := os.Create(f.Name())
	say(fmt.Sprint("open again: ", err))
	_, err = again.Write([]byte("short, but a page"))
	state("write", err)
	say(fmt.Sprint("unmap: ", syscall.Munmap(shared), syscall.Munmap(private)))
	shared, err = syscall.Mmap(int(f.Fd()), 0, 4*Page, syscall.PROT_READ, syscall.MAP_SHARED)
	say(fmt.Sprint("mmap: ", err))
	private, err = syscall.Mmap(int(f.Fd()), Page, 4*Page, syscall.PROT_READ, syscall.MAP_SHARED)
	state("mmap behind the end", err)
}
