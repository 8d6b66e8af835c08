package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// A file consists of blocks of one size. A block begins with a checksum of the rest of it,
// its number, and how many bytes it holds. The first holds what kind of file it is, and a
// number by which it is known from any other file; this number goes into the checksums of all
// others. So a block is read only if it is the one that was written, there and in this file:
// a flipped bit, a page of zeros, blocks that were exchanged or repeated, and a file in the
// place of another are all noticed. What is missing at the end is told by the number of
// blocks, which a [Ref] has.
const (
	BlockSize = 4096
	blockHead = 16
	// BlockHolds is how many bytes a block holds: a multiple of the size of what is stored in
	// them one by one, fingerprints of 64 and 128 bits with their notes.
	BlockHolds = BlockSize - blockHead
	// atOnce is how many blocks are written by one call at most.
	atOnce = 16
)

// Blocks is a file that is written from its beginning to its end, and read at any place. It may be
// read by many at once.
type Blocks struct {
	file   File
	path   string
	id     uint64
	n      int64 // blocks behind the first
	buffer []byte
}

// A Ref is how a file is found again: its name in its directory, the number by which it is
// known, and how many blocks it has.
type Ref struct {
	Name   string
	ID     uint64
	Blocks int64
}

// create makes a file of a kind.
func create(fs FS, path, kind string) (*Blocks, error) {
	file, err := fs.Create(path)
	if err != nil {
		return nil, failed("create", path, err)
	}
	b := &Blocks{file: file, path: path}
	id := rand.Uint64() | 1 // 0 is that of a file whose first block is not written yet
	if _, err := b.Append(head(kind, id)); err != nil {
		return nil, errors.Join(err, file.Close(), fs.Remove(path))
	}
	b.id, b.n = id, 0
	return b, nil
}

// head is what the first block of a file holds.
func head(kind string, id uint64) []byte {
	return binary.LittleEndian.AppendUint64(fmt.Appendf(nil, "contend %s 2, blocks of %d bytes\n", kind, BlockSize), id)
}

// Open opens a file that was written before. Of a kind of which there is one file, which no other
// tells of, only the name is given.
func Open(fs FS, dir, kind string, ref Ref) (*Blocks, error) {
	path := filepath.Join(dir, ref.Name)
	file, err := fs.Open(path)
	if err != nil {
		return nil, failed("open", path, err)
	}
	b := &Blocks{file: file, path: path}
	if err := b.check(kind, ref); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return b, nil
}

// check reads the first block.
func (b *Blocks) check(kind string, ref Ref) error {
	size, err := b.file.Size()
	if err != nil {
		return failed("read", b.path, err)
	}
	text := head(kind, 0)
	if size < BlockSize {
		return damaged(b.path, "it ends before its first block does")
	}
	if err := b.Read(-1, text, new([]byte)); err != nil {
		return err
	}
	id := binary.LittleEndian.Uint64(text[len(text)-8:])
	if string(text) != string(head(kind, id)) {
		return damaged(b.path, "it is not a file of %s, or of another version", kind)
	}
	b.id, b.n = id, size/BlockSize-1
	switch {
	case ref.ID != 0 && id != ref.ID:
		return damaged(b.path, "it is another file than the one that was written")
	case size%BlockSize != 0:
		return damaged(b.path, "it is %d bytes long, which is no number of blocks", size)
	case ref.ID != 0 && b.n != ref.Blocks:
		return damaged(b.path, "it is %d bytes long, but was written with %d", size, (ref.Blocks+1)*BlockSize)
	}
	return nil
}

// Ref returns how the file is found again.
func (b *Blocks) Ref() Ref { return Ref{filepath.Base(b.path), b.id, b.n} }

// Path is where the file is.
func (b *Blocks) Path() string { return b.path }

// Bytes is how long the file is.
func (b *Blocks) Bytes() int64 { return (b.n + 1) * BlockSize }

// Len is how many blocks there are behind the first.
func (b *Blocks) Len() int64 { return b.n }

// Append writes bytes into blocks of their own, and returns the number of the first of them.
func (b *Blocks) Append(p []byte) (first int64, err error) {
	first = b.n
	if b.id == 0 {
		first = -1 // the first of all
	}
	for at := first; len(p) > 0; {
		b.buffer = b.buffer[:0]
		begin := at
		for ; len(p) > 0 && len(b.buffer) < atOnce*BlockSize; at++ {
			k := min(len(p), BlockHolds)
			b.buffer = appendBlock(b.buffer, p[:k], at, b.id)
			p = p[k:]
		}
		if _, err := b.file.WriteAt(b.buffer, (begin+1)*BlockSize); err != nil {
			return 0, failed("write", b.path, err)
		}
		b.n = at
	}
	return first, nil
}

// appendBlock appends a block to a buffer, filled up with zeros.
func appendBlock(to, holds []byte, number int64, id uint64) []byte {
	begin := len(to)
	to = binary.LittleEndian.AppendUint64(to, 0)
	to = binary.LittleEndian.AppendUint32(to, uint32(number+1))
	to = binary.LittleEndian.AppendUint32(to, uint32(len(holds)))
	to = append(to, holds...)
	to = append(to, make([]byte, BlockHolds-len(holds))...)
	block := to[begin:]
	binary.LittleEndian.PutUint64(block, sum(block, number, id))
	return to
}

// sum is the checksum of a block. Its number is in it twice, as the one that is stored has but
// 32 bits.
func sum(block []byte, number int64, id uint64) uint64 {
	return xxh3.HashSeed(block[8:], id+uint64(number)*0x9e3779b97f4a7c15)
}

// Read reads bytes that were written together, or the first of them, by way of a buffer.
func (b *Blocks) Read(first int64, p []byte, buffer *[]byte) error {
	blocks := (len(p) + BlockHolds - 1) / BlockHolds
	if first+int64(blocks) > b.n {
		return damaged(b.path, "it ends before block %d", first+int64(blocks))
	}
	if cap(*buffer) < blocks*BlockSize {
		*buffer = make([]byte, blocks*BlockSize)
	}
	raw := (*buffer)[:blocks*BlockSize]
	if _, err := b.file.ReadAt(raw, (first+1)*BlockSize); err != nil {
		return failed("read", b.path, err)
	}
	for k := range blocks {
		block, part := raw[k*BlockSize:][:BlockSize], p[k*BlockHolds:min(len(p), (k+1)*BlockHolds)]
		holds := int(binary.LittleEndian.Uint32(block[12:]))
		if binary.LittleEndian.Uint64(block) != sum(block, first+int64(k), b.id) || holds < len(part) {
			return damaged(b.path, "block %d is not what was written there", first+int64(k)+1)
		}
		copy(part, block[blockHead:])
	}
	return nil
}

// Sync returns when what was written is there even after the power went out.
func (b *Blocks) Sync() error { return failed("sync", b.path, b.file.Sync()) }

// Close closes the file.
func (b *Blocks) Close() error { return failed("close", b.path, b.file.Close()) }
