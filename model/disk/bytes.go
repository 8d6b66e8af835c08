package disk

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"slices"
)

// pageSize is the number of bytes of a page.
const pageSize = 4096

// A page is a part of a file at a multiple of pageSize. It never changes, so copies of a disk share it.
type page struct {
	data [pageSize]byte
	sum  sum // of the page's place and the data
}

type sum [sha256.Size]byte

// content is a sequence of bytes in pages. A page of zeros is nil. A copy costs a pointer for each page, and a write costs the pages that it
// touches.
//
// The sum is the exclusive or of the sums of the pages, so a write updates the sum in time that depends on the write, not on the file. Two
// contents of equal size and equal sum are taken to be equal. They would have to differ in pages whose SHA-256 cancel out.
type content struct {
	size  int64
	pages []*page // covers size; bytes beyond size are 0
	sum   sum
}

// clone returns a copy that changes independently.
func (c content) clone() content {
	c.pages = slices.Clone(c.pages)
	return c
}

// readAt copies bytes from an offset, and returns their number.
func (c *content) readAt(b []byte, at int64) (n int) {
	if at < 0 || at >= c.size {
		return 0
	}
	b = b[:min(int64(len(b)), c.size-at)]
	for n < len(b) {
		i, from := (at+int64(n))/pageSize, (at+int64(n))%pageSize
		part := b[n:min(len(b), n+int(pageSize-from))]
		if p := c.pages[i]; p != nil {
			copy(part, p.data[from:])
		} else {
			clear(part)
		}
		n += len(part)
	}
	return n
}

// writeAt replaces bytes from an offset. The content grows if need be.
func (c *content) writeAt(b []byte, at int64) {
	if end := at + int64(len(b)); end > c.size {
		c.resize(end)
	}
	for len(b) > 0 {
		i, from := at/pageSize, at%pageSize
		n := min(len(b), int(pageSize-from))
		p := page{}
		if old := c.pages[i]; old != nil {
			p.data = old.data
		}
		copy(p.data[from:], b[:n])
		c.set(i, &p)
		b, at = b[n:], at+int64(n)
	}
}

// resize truncates the content, or appends zeros.
func (c *content) resize(size int64) {
	pages := (size + pageSize - 1) / pageSize
	for i := pages; i < int64(len(c.pages)); i++ {
		c.set(i, nil)
	}
	if last := size / pageSize; size < c.size && size%pageSize > 0 && c.pages[last] != nil {
		p := page{data: c.pages[last].data}
		clear(p.data[size%pageSize:])
		c.set(last, &p)
	}
	if grow := pages - int64(len(c.pages)); grow > 0 {
		c.pages = append(c.pages, make([]*page, grow)...)
	}
	c.pages, c.size = c.pages[:pages], size
}

// set replaces a page.
func (c *content) set(i int64, p *page) {
	if old := c.pages[i]; old != nil {
		c.mix(old.sum)
	}
	if p != nil && p.data == ([pageSize]byte{}) {
		p = nil
	}
	if c.pages[i] = p; p != nil {
		p.sum = sumOf(i, &p.data)
		c.mix(p.sum)
	}
}

// sumOf returns the SHA-256 of a page's place and data.
func sumOf(place int64, data *[pageSize]byte) sum {
	var b [8 + pageSize]byte
	binary.BigEndian.PutUint64(b[:], uint64(place))
	copy(b[8:], data[:])
	return sha256.Sum256(b[:])
}

func (c *content) mix(s sum) { subtle.XORBytes(c.sum[:], c.sum[:], s[:]) }

// whole appends the size and the bytes.
func (c *content) whole(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(c.size))
	at := len(b)
	b = append(b, make([]byte, c.size)...)
	c.readAt(b[at:], 0)
	return b
}

// summed appends the size and the sum.
func (c *content) summed(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(c.size))
	return append(b, c.sum[:]...)
}
