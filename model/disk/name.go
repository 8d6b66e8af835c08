package disk

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"path"
	"slices"
)

// Name returns a name of the disk's state. Different states have different names.
func (d *Disk) Name() [sha256.Size]byte {
	if d.name == nil {
		sum := sha256.Sum256(d.encoded((*content).summed))
		d.name = &sum
	}
	return *d.name
}

// Digest returns the SHA-256 of the disk's state with all bytes of its files. It takes time that depends on the size of the files. The
// random numbers of a program follow from it, so a change of the digest changes the runs that a trace repeats.
func (d *Disk) Digest() [sha256.Size]byte { return sha256.Sum256(d.encoded((*content).whole)) }

// encoded returns the encoded state of the disk, without the marks. Only a running sync has marks. Each part
// begins with its length, so that different states have different encodings. The function appends a content.
func (d *Disk) encoded(content func(*content, []byte) []byte) (b []byte) {
	b = appendNames(appendNames(b, d.names), d.durable)
	b = binary.AppendUvarint(b, uint64(len(d.journal)))
	for _, c := range d.journal {
		b = appendPlace(appendPlace(b, c.from), c.to)
		b = binary.AppendVarint(binary.AppendUvarint(b, uint64(c.file)), c.time)
	}
	b = binary.AppendUvarint(b, uint64(len(d.files)))
	for _, f := range slices.Sorted(maps.Keys(d.files)) {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(f)), uint64(d.opens[f]))
		b = d.files[f].encoded(b, content)
	}
	b = binary.AppendUvarint(append(b, flag(d.full)), uint64(d.failing))
	return binary.AppendUvarint(b, uint64(d.last))
}

func (c *contents) encoded(b []byte, content func(*content, []byte) []byte) []byte {
	b = content(&c.synced, content(&c.data, append(b, flag(c.dir))))
	b = binary.AppendVarint(binary.AppendVarint(b, c.time), c.first)
	b = binary.AppendUvarint(b, uint64(len(c.pending)))
	for _, w := range c.pending {
		b = binary.AppendVarint(binary.AppendVarint(append(b, byte(w.fate), flag(w.data == nil)), w.at), w.time)
		b = appendBytes(b, w.data)
	}
	return b
}

func appendNames(b []byte, names map[place]File) []byte {
	b = binary.AppendUvarint(b, uint64(len(names)))
	for _, p := range slices.SortedFunc(maps.Keys(names), func(x, y place) int {
		return cmp.Or(cmp.Compare(x.dir, y.dir), cmp.Compare(x.name, y.name))
	}) {
		b = binary.AppendUvarint(appendPlace(b, p), uint64(names[p]))
	}
	return b
}

func appendPlace(b []byte, p place) []byte {
	return appendBytes(binary.AppendUvarint(b, uint64(p.dir)), []byte(p.name))
}

func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}

func appendBytes(b, more []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(more))), more...)
}

// Describe lists the files for people, a line each.
func (d *Disk) Describe() (all []string) {
	if d.full {
		all = append(all, "disk: full")
	}
	if d.failing > 0 {
		all = append(all, fmt.Sprintf("disk: fails %d syncs", d.failing))
	}
	return d.describe(all, Root, "")
}

// describe adds the lines of the files below a directory.
func (d *Disk) describe(all []string, dir File, at string) []string {
	for _, name := range d.List(dir) {
		p := place{dir, name}
		f := d.files[d.names[p]]
		name = path.Join(at, name)
		if f.dir {
			all = d.describe(all, d.names[p], name)
			continue
		}
		line := fmt.Sprintf("file %s: %d bytes", name, f.data.size)
		if n := unsynced(f.pending); n > 0 {
			line += fmt.Sprintf(", %d writes not synced", n)
		}
		if slices.ContainsFunc(f.pending, func(w write) bool { return w.fate == doubted }) {
			line += ", a sync failed"
		}
		if d.durable[p] != d.names[p] {
			line += ", its name not synced"
		}
		all = append(all, line)
	}
	return all
}
