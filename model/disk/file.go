package disk

// mostBytes is the maximum length of a file in bytes.
const mostBytes = 1 << 30

// contents of a file are shared by copies of a disk. The copy in of may change them.
type contents struct {
	of      *Disk
	dir     bool
	data    content // with all pending writes
	time    int64
	synced  content // without
	first   int64   // the time that belongs to synced
	pending []write // the first is not durable
}

// A write is data at an offset. If data is nil it is a truncation to the offset, or with the offset -1 a
// change of the time.
type write struct {
	mark Mark
	at   int64
	data []byte
	time int64
	fate fate
}

// A fate is the possible effect of a crash on a write.
type fate byte

const (
	dirty   fate = iota // no sync covers it
	doubted             // the sync that covered it failed: no other will
	durable
)

// Len returns the length of a file in bytes.
func (d *Disk) Len(f File) int64 { return d.files[f].data.size }

// ReadAt reads from a file at an offset, and returns the number of bytes.
func (d *Disk) ReadAt(f File, b []byte, at int64) int {
	return d.files[f].data.readAt(b, at)
}

// room returns the free space in bytes.
func (d *Disk) room() int64 {
	switch {
	case d.full:
		return 0
	case d.opt.Size == 0:
		return mostBytes
	}
	return max(0, d.opt.Size-d.used)
}

// WriteAt writes at an offset of a file as much as there is space for, and returns the number of bytes. The
// error is ErrFull if there is no space, or ErrTooLarge if the file would exceed the maximum length.
func (d *Disk) WriteAt(f File, b []byte, at int64) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if at > mostBytes-int64(len(b)) {
		return 0, ErrTooLarge
	}
	size := d.Len(f)
	if n := size + d.room() - at; n < int64(len(b)) {
		if n <= 0 {
			return 0, ErrFull
		}
		b = b[:n]
	}
	d.used += max(0, at+int64(len(b))-size)
	d.write(f, write{at: at, data: append([]byte{}, b...)})
	return len(b), nil
}

// Truncate sets the length of a file in bytes.
func (d *Disk) Truncate(f File, size int64) error {
	grows := size - d.Len(f)
	switch {
	case size < 0:
		return ErrInvalid
	case size > mostBytes:
		return ErrTooLarge
	case grows > d.room():
		return ErrFull
	}
	d.used += grows
	d.write(f, write{at: size})
	return nil
}

// Touch sets the time of a file's last write. That of a directory is durable at once.
func (d *Disk) Touch(f File, time int64) {
	if d.files[f].dir {
		d.writable(f).time = time
		return
	}
	now := d.now
	d.now = time
	d.write(f, write{at: -1})
	d.now = now
}

func (d *Disk) write(f File, w write) {
	d.past++
	w.mark, w.time = d.past, d.now
	c := d.writable(f)
	w.happen(&c.data)
	c.time = w.time
	c.pending = append(c.pending, w)
}

// happen applies a write to a content.
func (w write) happen(c *content) {
	switch {
	case w.at < 0:
	case w.data == nil:
		c.resize(w.at)
	default:
		c.writeAt(w.data, w.at)
	}
}
