package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// A file consists of blocks of BlockSize bytes. A block begins with a checksum of its rest, its number, and its
// number of data bytes. The first block, with number -1, holds the kind of the file and a random ID. The
// checksums of all other blocks depend on the ID and on the block's number. So a read detects flipped bits,
// zeroed pages, exchanged or repeated blocks, and another file in the place of this one. A [Ref] has the number
// of blocks, to detect a truncated file.
const (
	BlockSize = 4096
	blockHead = 16
	// BlockHolds is the maximum number of data bytes of a block. It is a multiple of the size of
	// stored records: fingerprints of 64 and 128 bits with their notes.
	BlockHolds = BlockSize - blockHead
	// atOnce is the maximum number of blocks of one write call.
	maxBlocksPerWrite = 16
)

// A Blocks is a file that is appended to, and read at any block. Several goroutines may call Read at once, each
// with a buffer of its own.
type Blocks struct {
	file   File
	path   string
	id     uint64
	n      int64 // number of blocks after the first
	buffer []byte
}

// A Ref identifies a file: its name in its directory, its ID, and its number of blocks after the first.
type Ref struct {
	Name   string
	ID     uint64
	Blocks int64
}

// create creates a file of a kind, and writes its first block.
func create(fs FS, path, kind string) (*Blocks, error) {
	file, err := fs.Create(path)
	if err != nil {
		return nil, callError("create", path, err)
	}
	b := &Blocks{file: file, path: path}
	id := rand.Uint64() | 1 // 0 means that the first block is not written yet
	if _, err := b.Append(head(kind, id)); err != nil {
		return nil, errors.Join(err, file.Close(), fs.Remove(path))
	}
	b.id, b.n = id, 0
	return b, nil
}

// head returns the data of the first block.
func head(kind string, id uint64) []byte {
	return binary.LittleEndian.AppendUint64(fmt.Appendf(nil, "contend %s 2, blocks of %d bytes\n", kind, BlockSize), id)
}

// Open opens an existing file for reading, and checks its first block and its length. If ref.ID is 0, neither
// the ID nor the number of blocks is checked: the file is the only one of its kind.
func Open(fs FS, dir, kind string, ref Ref) (*Blocks, error) {
	path := filepath.Join(dir, ref.Name)
	file, err := fs.Open(path)
	if err != nil {
		return nil, callError("open", path, err)
	}
	b := &Blocks{file: file, path: path}
	if err := b.check(kind, ref); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return b, nil
}

// check reads the first block and sets id and n.
func (b *Blocks) check(kind string, ref Ref) error {
	size, err := b.file.Size()
	if err != nil {
		return callError("read", b.path, err)
	}
	text := head(kind, 0)
	if size < BlockSize {
		return damageError(b.path, "it ends before its first block does")
	}
	if err := b.Read(-1, text, new([]byte)); err != nil {
		return err
	}
	id := binary.LittleEndian.Uint64(text[len(text)-8:])
	if string(text) != string(head(kind, id)) {
		return damageError(b.path, "it is not a file of %s, or of another version", kind)
	}
	b.id, b.n = id, size/BlockSize-1
	switch {
	case ref.ID != 0 && id != ref.ID:
		return damageError(b.path, "it is another file than the one that was written")
	case size%BlockSize != 0:
		return damageError(b.path, "it is %d bytes long, which is no number of blocks", size)
	case ref.ID != 0 && b.n != ref.Blocks:
		return damageError(b.path, "it is %d bytes long, but was written with %d", size, (ref.Blocks+1)*BlockSize)
	}
	return nil
}

// Ref returns the reference for Open.
func (b *Blocks) Ref() Ref { return Ref{filepath.Base(b.path), b.id, b.n} }

// Path returns the path of the file.
func (b *Blocks) Path() string { return b.path }

// Bytes returns the length of the file in bytes.
func (b *Blocks) Bytes() int64 { return (b.n + 1) * BlockSize }

// Len returns the number of blocks after the first.
func (b *Blocks) Len() int64 { return b.n }

// Append writes bytes into new blocks, and returns the number of their first block, from 0.
func (b *Blocks) Append(p []byte) (first int64, err error) {
	first = b.n
	if b.id == 0 {
		first = -1 // the file's first block
	}
	for at := first; len(p) > 0; {
		b.buffer = b.buffer[:0]
		begin := at
		for ; len(p) > 0 && len(b.buffer) < maxBlocksPerWrite*BlockSize; at++ {
			k := min(len(p), BlockHolds)
			b.buffer = appendBlock(b.buffer, p[:k], at, b.id)
			p = p[k:]
		}
		if _, err := b.file.WriteAt(b.buffer, (begin+1)*BlockSize); err != nil {
			return 0, callError("write", b.path, err)
		}
		b.n = at
	}
	return first, nil
}

// appendBlock appends a block to a buffer, padded with zeros.
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

// sum returns the checksum of a block. The number is part of the seed because the block stores only its low 32
// bits.
func sum(block []byte, number int64, id uint64) uint64 {
	return xxh3.HashSeed(block[8:], id+uint64(number)*0x9e3779b97f4a7c15)
}

// Read fills p with bytes of one Append, from its first block on. It uses and may replace *buffer. The error is
// an [Error]; for a damaged file it wraps a [Damage].
func (b *Blocks) Read(first int64, p []byte, buffer *[]byte) error {
	blocks := (len(p) + BlockHolds - 1) / BlockHolds
	if first+int64(blocks) > b.n {
		return damageError(b.path, "it ends before block %d", first+int64(blocks))
	}
	if cap(*buffer) < blocks*BlockSize {
		*buffer = make([]byte, blocks*BlockSize)
	}
	raw := (*buffer)[:blocks*BlockSize]
	if _, err := b.file.ReadAt(raw, (first+1)*BlockSize); err != nil {
		return callError("read", b.path, err)
	}
	for k := range blocks {
		block, part := raw[k*BlockSize:][:BlockSize], p[k*BlockHolds:min(len(p), (k+1)*BlockHolds)]
		holds := int(binary.LittleEndian.Uint32(block[12:]))
		if binary.LittleEndian.Uint64(block) != sum(block, first+int64(k), b.id) || holds < len(part) {
			return damageError(b.path, "block %d is not what was written there", first+int64(k)+1)
		}
		copy(part, block[blockHead:])
	}
	return nil
}

// Sync returns after all written blocks are durable.
func (b *Blocks) Sync() error { return callError("sync", b.path, b.file.Sync()) }

// Close closes the file.
func (b *Blocks) Close() error { return callError("close", b.path, b.file.Close()) }
