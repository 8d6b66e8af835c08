package guest

import (
	"bytes"

	"contend/model/disk"
)

// A Mapping is a part of a file in a program's memory. What the program writes to it the disk has from the next call on that has to do with
// the file, and from the end of the step at the latest.
type Mapping struct {
	At, Size uintptr
	File     disk.File
	From     int64 // in the file
	Shared   bool  // what the program writes is the file's
	Follows  bool  // what is written to the file is seen
}

const pageSize = 4096

var zero [pageSize]byte

// Show copies what the file has to the mapping's memory.
func (m Mapping) Show(d *disk.Disk, memory []byte) {
	Clear(memory[d.ReadAt(m.File, memory, m.From):])
}

// Clear makes memory zero. A page that is zero stays untouched, so that it costs no memory.
func Clear(memory []byte) {
	for len(memory) > 0 {
		part := memory[:min(len(memory), pageSize)]
		if !bytes.Equal(part, zero[:len(part)]) {
			clear(part)
		}
		memory = memory[len(part):]
	}
}

// Store writes the pages of the mapping's memory that differ from the file. Without space they are lost, as a page that cannot be written back is.
func (m Mapping) Store(d *disk.Disk, memory []byte) {
	size := min(d.Len(m.File)-m.From, int64(m.Size)) // beyond its end a file has nothing
	var is [pageSize]byte
	for at := int64(0); at < size; at += pageSize {
		n := min(pageSize, size-at)
		now := memory[at : at+n]
		if d.ReadAt(m.File, is[:n], m.From+at); !bytes.Equal(is[:n], now) {
			_, _ = d.WriteAt(m.File, now, m.From+at)
		}
	}
}
