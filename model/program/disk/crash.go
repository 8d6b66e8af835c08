package disk

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// Crash leaves what a crash leaves. Choose returns a number in [0, n) and says what else than the durable survives: 0 loses
// nothing.
func (d *Disk) Crash(choose func(n int) int) {
	keep := len(d.journal) - choose(len(d.journal)+1)
	d.harden(keep)
	d.journal, d.names = nil, maps.Clone(d.durable)
	named := map[File]bool{}
	for _, f := range d.names {
		named[f] = true
	}
	for _, f := range slices.Sorted(maps.Keys(d.files)) {
		if !named[f] {
			delete(d.files, f)
		} else if len(d.files[f].pending) > 0 {
			d.lose(d.own(f), choose)
		}
	}
	d.used = 0
	for _, c := range d.files {
		d.used += int64(len(c.data))
	}
}

// lose leaves of a file's writes since the last sync what the crash leaves.
func (d *Disk) lose(c *contents, choose func(n int) int) {
	pending := c.pending
	c.data, c.pending = slices.Clone(c.synced), nil
	if d.opt.Reordered {
		for _, w := range pending {
			if choose(2) == 0 {
				c.happen(w)
			} else {
				d.tear(c, w, choose)
			}
		}
	} else {
		keep := len(pending) - choose(len(pending)+1)
		for _, w := range pending[:keep] {
			c.happen(w)
		}
		if keep < len(pending) {
			d.tear(c, pending[keep], choose)
		}
	}
	c.synced = slices.Clone(c.data)
}

// tear leaves nothing of a write, half of it, or all but its last byte.
func (d *Disk) tear(c *contents, w write, choose func(n int) int) {
	if !d.opt.Torn || len(w.data) < 2 {
		return
	}
	n := []int{0, len(w.data) / 2, len(w.data) - 1}[choose(3)]
	if w.data = w.data[:n]; n > 0 {
		c.happen(w)
	}
}

// Name tells the states of disks apart.
func (d *Disk) Name() [sha256.Size]byte {
	if d.name == nil {
		sum := sha256.Sum256(d.encoded())
		d.name = &sum
	}
	return *d.name
}

// encoded is the state of the disk. Each part begins with its length, so that no two states are encoded alike.
func (d *Disk) encoded() (b []byte) {
	for _, names := range []map[string]File{d.names, d.durable} {
		b = binary.AppendUvarint(b, uint64(len(names)))
		for _, name := range slices.Sorted(maps.Keys(names)) {
			b = binary.AppendUvarint(appendBytes(b, []byte(name)), uint64(names[name]))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(d.journal)))
	for _, r := range d.journal {
		b = binary.AppendUvarint(appendBytes(appendBytes(b, []byte(r.from)), []byte(r.to)), uint64(r.file))
	}
	b = binary.AppendUvarint(b, uint64(len(d.files)))
	for _, f := range slices.Sorted(maps.Keys(d.files)) {
		c := d.files[f]
		b = append(binary.AppendUvarint(b, uint64(f)), flag(c.dir))
		b = appendBytes(appendBytes(b, c.data), c.synced)
		b = binary.AppendUvarint(b, uint64(len(c.pending)))
		for _, w := range c.pending {
			b = appendBytes(append(binary.AppendVarint(b, w.at), flag(w.data == nil)), w.data)
		}
	}
	return binary.AppendUvarint(append(b, flag(d.full)), uint64(d.last))
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
	for _, name := range slices.Sorted(maps.Keys(d.names)) {
		f := d.files[d.names[name]]
		if f.dir {
			continue
		}
		line := fmt.Sprintf("file %s: %d bytes", name, len(f.data))
		if len(f.pending) > 0 {
			line += fmt.Sprintf(", %d writes not synced", len(f.pending))
		}
		if d.durable[name] != d.names[name] {
			line += ", its name not synced"
		}
		all = append(all, line)
	}
	return all
}
