// Package calls makes mappings of a file larger and smaller, and says what came of each call.
package calls

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

const (
	page    = 4096
	mayMove = 1
)

// Make makes the calls in an empty directory, and says a line for each.
func Make(root string, say func(string)) {
	f, err := os.OpenFile(filepath.Join(root, "file"), os.O_RDWR|os.O_CREATE, 0o600)
	say(fmt.Sprint("open: ", err))
	say(fmt.Sprint("truncate: ", f.Truncate(page)))
	b, err := syscall.Mmap(int(f.Fd()), 0, page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	say(fmt.Sprint("mmap: ", err))
	copy(b, "first")
	other, err := syscall.Mmap(int(f.Fd()), 0, page, syscall.PROT_READ, syscall.MAP_SHARED)
	say(fmt.Sprintf("mmap again: %v %q", err, other[:5]))
	say(fmt.Sprint("truncate: ", f.Truncate(3*page)))

	at, old := uintptr(unsafe.Pointer(&b[0])), uintptr(page)
	remap := func(size, flags uintptr) {
		to, _, e := syscall.Syscall6(syscall.SYS_MREMAP, at, old, size, flags, 0, 0)
		if e != 0 {
			say(fmt.Sprintf("remap to %d: %v", size, e))
			return
		}
		moved := to != at
		at, old = to, (size+page-1)&^(page-1)
		b = unsafe.Slice((*byte)(unsafe.Pointer(at)), old) //nolint:govet // the address is of a mapping
		say(fmt.Sprintf("remap to %d: %q", size, b[:5]))
		if size <= page && moved {
			say("it moved")
		}
	}
	read := func(from int64) {
		is := make([]byte, 5)
		n, err := f.ReadAt(is, from)
		say(fmt.Sprintf("read: %q %v", is[:n], err))
	}
	remap(0, mayMove)
	remap(3*page, mayMove)
	copy(b[2*page:], "third")
	read(2 * page)
	_, err = f.WriteAt([]byte("again"), 0)
	say(fmt.Sprintf("write: %v, mapped %q, mapped before %q", err, b[:5], other[:5]))
	remap(page, 0)
	read(2 * page)
	copy(b, "small")
	read(0)
	remap(page-1, mayMove)
	say(fmt.Sprint("unmap: ", syscall.Munmap(other)))
}
