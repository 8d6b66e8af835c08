package disk

import (
	"maps"
	"slices"
)

// Crash applies a crash. Choose returns a number in [0, n). It selects the changes that survive besides the
// durable changes: 0 loses nothing.
func (d *Disk) Crash(choose func(n int) int) {
	d.loseNames(choose)
	named := map[File]bool{Root: true}
	reach(named, d.names)
	maps.DeleteFunc(d.files, func(f File, _ *contents) bool { return !named[f] })
	maps.DeleteFunc(d.names, func(p place, _ File) bool { return !named[p.dir] })
	d.durable, d.opens, d.used = maps.Clone(d.names), map[File]int{}, 0
	for _, f := range slices.Sorted(maps.Keys(d.files)) {
		if len(d.files[f].pending) > 0 {
			d.lose(d.writable(f), choose)
		}
		d.used += d.Len(f)
	}
}

// loseNames selects the changes of names that survive a crash: a prefix, or with strict names any changes
// that are possible without the others.
func (d *Disk) loseNames(choose func(n int) int) {
	if !d.opt.StrictNames {
		keep := len(d.journal) - choose(len(d.journal)+1)
		d.harden(func(i int) bool { return i < keep })
	} else {
		var lost []change
		kept := make([]bool, len(d.journal))
		for i, c := range d.journal {
			kept[i] = !slices.ContainsFunc(lost, c.dependsOn) && choose(2) == 0
			if !kept[i] {
				lost = append(lost, c)
			}
		}
		d.harden(func(i int) bool { return kept[i] })
	}
	d.journal, d.names, d.name = nil, d.durable, nil
}

// lose selects the writes of a file that survive a crash, among the writes since the last sync.
func (d *Disk) lose(c *contents, choose func(n int) int) {
	pending := c.pending
	c.data, c.time, c.pending = c.synced.clone(), c.first, nil
	keep := len(pending)
	if n := unsynced(pending); !d.opt.Reordered && n > 0 {
		keep = n - choose(n+1)
	}
	for _, w := range pending {
		switch {
		case w.fate == durable:
			c.keep(w)
		case w.fate == doubted || d.opt.Reordered:
			if choose(2) == 0 {
				c.keep(w)
			} else {
				d.tear(c, w, choose)
			}
		default:
			if keep > 0 {
				c.keep(w)
			} else if keep == 0 {
				d.tear(c, w, choose)
			}
			keep--
		}
	}
	c.synced, c.first = c.data.clone(), c.time
}

// unsynced counts the writes that no sync covered.
func unsynced(pending []write) (n int) {
	for _, w := range pending {
		if w.fate == dirty {
			n++
		}
	}
	return n
}

func (c *contents) keep(w write) {
	w.happen(&c.data)
	c.time = w.time
}

// tear keeps nothing of a write, half of it, all but its last byte, or its first byte, up to the end of a sector.
func (d *Disk) tear(c *contents, w write, choose func(n int) int) {
	if !d.opt.Torn || len(w.data) < 2 {
		return
	}
	ends := []int{0, len(w.data) / 2, len(w.data) - 1}
	if d.opt.TornHeader {
		ends = append(ends, 1)
	}
	n := ends[choose(len(ends))]
	if d.opt.Sector > 0 {
		n = max(n-int((w.at+int64(n))%d.opt.Sector), 0)
	}
	if w.data = w.data[:n]; n > 0 {
		c.keep(w)
	}
}
