package disk

// mostBytes is the maximum length of a file in bytes.
const mostBytes = 1 << 30

// contents of a file are shared by copies of a disk. The copy in of may change them.
type contents struct {
	of      *Disk
	dir     bool
	data    []byte // with all pending writes
	time    int64
	synced  []byte  // without
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
func (d *Disk) Len(f File) int64 { return int64(len(d.files[f].data)) }

// ReadAt reads from a file at an offset, and returns the number of bytes.
func (d *Disk) ReadAt(f File, b []byte, at int64) int {
	data := d.files[f].data
	if at < 0 || at >= int64(len(data)) {
		return 0
	}
	return copy(b, data[at:])
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
	c.data, c.time = w.happen(c.data), w.time
	c.pending = append(c.pending, w)
}

// happen applies a write to data, and returns the result. It may change data.
func (w write) happen(data []byte) []byte {
	if w.at < 0 {
		return data
	}
	if grow := w.at + int64(len(w.data)) - int64(len(data)); grow > 0 {
		data = append(data, make([]byte, grow)...)
	}
	if w.data == nil {
		data = data[:w.at]
	}
	copy(data[w.at:], w.data)
	return data
}
