package disk

import "slices"

// Begin begins a sync. It covers exactly the changes so far.
func (d *Disk) Begin() Mark { return d.past }

// Sync ends the sync of a file or directory that began at a mark. The covered changes become durable. The
// error is ErrIO if [Disk.Fail] requested it. Then, as on Linux, the file reads as before, but a crash may
// keep or lose each write that the sync covered, whatever syncs follow. The names wait for another sync.
func (d *Disk) Sync(f File, began Mark) error {
	fate := durable
	if d.failing > 0 {
		d.failing--
		d.name, fate = nil, doubted
	}
	if c := d.files[f]; len(c.pending) > 0 {
		d.writable(f).settle(began, fate)
	}
	if fate == doubted {
		return ErrIO
	}
	d.syncNames(f, began)
	return nil
}

// settle assigns a fate to the writes up to a mark. It moves durable writes to the synced contents, up to the
// first doubtful write.
func (c *contents) settle(began Mark, is fate) {
	for i, w := range c.pending {
		if w.mark <= began && w.fate == dirty {
			c.pending[i].fate = is
		}
	}
	n := slices.IndexFunc(c.pending, func(w write) bool { return w.fate != durable })
	if n < 0 {
		n = len(c.pending)
	}
	if n == 0 {
		return
	}
	c.synced = c.synced.clone()
	for _, w := range c.pending[:n] {
		w.happen(&c.synced)
		c.first = w.time
	}
	c.pending = slices.Clone(c.pending[n:])
}

// syncNames makes the names durable that the sync of a file covers.
func (d *Disk) syncNames(f File, began Mark) {
	if d.opt.StrictNames {
		if d.files[f].dir {
			d.harden(d.closure(func(c change) bool { return c.at <= began && c.inDirectory(f) }))
		}
		return
	}
	for i, c := range slices.Backward(d.journal) {
		if c.at <= began && (c.file == f || c.inDirectory(f)) {
			d.harden(func(n int) bool { return n <= i })
			return
		}
	}
}

// closure returns a function that reports whether a change of the journal is selected, or has to happen
// before a selected change.
func (d *Disk) closure(meant func(change) bool) func(int) bool {
	in := make([]bool, len(d.journal))
	for i, c := range slices.Backward(d.journal) {
		in[i] = in[i] || meant(c)
		for j, earlier := range d.journal[:i] {
			in[j] = in[j] || in[i] && c.dependsOn(earlier)
		}
	}
	return func(i int) bool { return in[i] }
}

// harden makes the meant changes of the journal durable.
func (d *Disk) harden(meant func(int) bool) {
	d.name = nil
	var rest []change
	for i, c := range d.journal {
		if meant(i) {
			c.happen(d.durable)
		} else {
			rest = append(rest, c)
		}
	}
	d.journal = rest
	d.sweep()
}
