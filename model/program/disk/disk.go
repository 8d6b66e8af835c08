// Package disk is the disk of a program that runs as a node: a tree of files in memory, of which a crash leaves what was synced, and
// of the rest what the disk happened to write.
//
// A write is durable once the file is synced. The making, renaming and removing of names is a journal: a crash leaves a beginning of
// it, which has all that came before the last sync of the file or directory concerned. With [Options.StrictNames] the sync of a
// file does not make its name durable, as POSIX permits, only the sync of its directory does.
package disk

import (
	"crypto/sha256"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
)

// Options say what a disk is like.
type Options struct {
	// Size is how many bytes of contents fit; 0 stands for no bound. A write beyond it fails with [ErrFull].
	Size int64
	// StrictNames makes a name durable only by the sync of the directory that it is in.
	StrictNames bool
	// Torn lets the first write that a crash takes away be written in part.
	Torn bool
	// Reordered lets a crash take away any of the writes since the last sync, not only the latest.
	Reordered bool
}

// The errors of operations.
var (
	ErrNotExist = errors.New("disk: no such file")
	ErrExist    = errors.New("disk: the file exists")
	ErrNotDir   = errors.New("disk: not a directory")
	ErrIsDir    = errors.New("disk: is a directory")
	ErrNotEmpty = errors.New("disk: the directory is not empty")
	ErrFull     = errors.New("disk: no space is left")
)

// Root is the path of the directory that all else is in. Other paths have neither a leading slash nor dots.
const Root = "."

// A File names a file or a directory, whatever path leads to it; 0 is none.
type File uint64

// A Disk is not safe for use by several goroutines.
type Disk struct {
	opt     Options
	names   map[string]File
	durable map[string]File // the names as a crash leaves them at least
	journal []renaming      // of what came after that
	files   map[File]*contents
	last    File
	used    int64
	full    bool               // whatever its size
	name    *[sha256.Size]byte // as Name returned it last; nil after a change
}

// contents of a file are shared by copies of a disk: of is the one that may change them.
type contents struct {
	of      *Disk
	dir     bool
	data    []byte
	synced  []byte // as of the last sync
	pending []write
}

// A write is data at an offset; nil data is a truncation to it.
type write struct {
	at   int64
	data []byte
}

// A renaming takes a name away, gives one to a file, or both.
type renaming struct {
	from, to string // "" where there is none
	file     File
}

// New returns an empty disk.
func New(opt Options) *Disk {
	d := &Disk{opt: opt, names: map[string]File{}, files: map[File]*contents{}}
	d.last = 1
	d.files[1] = &contents{of: d, dir: true}
	d.names[Root] = 1
	d.durable = maps.Clone(d.names)
	return d
}

// Fill leaves no space, or no more than there is.
func (d *Disk) Fill(full bool) { d.full, d.name = full, nil }

// fits reports whether so many bytes more do.
func (d *Disk) fits(grows int64) bool {
	return grows <= 0 || !d.full && (d.opt.Size == 0 || d.used+grows <= d.opt.Size)
}

// Clone returns a copy. Both go on without the other.
func (d *Disk) Clone() *Disk {
	c := *d
	c.names, c.durable, c.files = maps.Clone(d.names), maps.Clone(d.durable), maps.Clone(d.files)
	c.journal = slices.Clip(d.journal)
	d.journal = slices.Clip(d.journal)
	for _, f := range d.files {
		f.of = nil // neither changes it any more
	}
	return &c
}

// own returns the contents of a file, to be changed.
func (d *Disk) own(f File) *contents {
	d.name = nil
	c := d.files[f]
	if c.of != d {
		mine := *c
		mine.of, mine.data, mine.pending = d, slices.Clone(c.data), slices.Clip(c.pending)
		c = &mine
		d.files[f] = c
	}
	return c
}

// Lookup finds the file at a path; 0 if there is none.
func (d *Disk) Lookup(name string) File { return d.names[name] }

// IsDir reports whether a file is a directory.
func (d *Disk) IsDir(f File) bool { return d.files[f].dir }

// Len is how many bytes a file has.
func (d *Disk) Len(f File) int64 { return int64(len(d.files[f].data)) }

// Make makes a file or a directory.
func (d *Disk) Make(name string, dir bool) (File, error) {
	if d.names[name] != 0 {
		return 0, ErrExist
	}
	if err := d.mustBeIn(name); err != nil {
		return 0, err
	}
	d.last++
	d.files[d.last] = &contents{of: d, dir: dir}
	d.rename(renaming{to: name, file: d.last})
	return d.last, nil
}

// mustBeIn refuses a name that is in no directory.
func (d *Disk) mustBeIn(name string) error {
	switch in := d.names[path.Dir(name)]; {
	case in == 0:
		return ErrNotExist
	case !d.files[in].dir:
		return ErrNotDir
	}
	return nil
}

func (d *Disk) rename(r renaming) {
	d.name = nil
	r.happen(d.names)
	d.journal = append(d.journal, r)
}

// happen renames a file with all that is below it.
func (r renaming) happen(names map[string]File) {
	if r.from == "" {
		names[r.to] = r.file
		return
	}
	for name, f := range maps.Clone(names) {
		rest, below := strings.CutPrefix(name, r.from)
		if !below || rest != "" && rest[0] != '/' {
			continue
		}
		delete(names, name)
		if r.to != "" {
			names[r.to+rest] = f
		}
	}
}

// Remove removes the name of a file, or of an empty directory.
func (d *Disk) Remove(name string, dir bool) error {
	f := d.names[name]
	switch {
	case f == 0:
		return ErrNotExist
	case dir && !d.files[f].dir:
		return ErrNotDir
	case !dir && d.files[f].dir:
		return ErrIsDir
	case dir && len(d.List(name)) > 0:
		return ErrNotEmpty
	}
	d.rename(renaming{from: name, file: f})
	return nil
}

// Rename gives a file another name; a file that has it already loses it.
func (d *Disk) Rename(from, to string) error {
	f, old := d.names[from], d.names[to]
	if f == 0 {
		return ErrNotExist
	}
	if err := d.mustBeIn(to); err != nil {
		return err
	}
	switch {
	case f == old:
		return nil
	case old != 0 && d.files[old].dir && !d.files[f].dir:
		return ErrIsDir
	case old != 0 && !d.files[old].dir && d.files[f].dir:
		return ErrNotDir
	case old != 0 && d.files[old].dir && len(d.List(to)) > 0:
		return ErrNotEmpty
	}
	d.rename(renaming{from: from, to: to, file: f})
	return nil
}

// List returns the names in a directory, sorted, without what leads to it.
func (d *Disk) List(dir string) (all []string) {
	for name := range d.names {
		if name != Root && path.Dir(name) == dir {
			all = append(all, path.Base(name))
		}
	}
	slices.Sort(all)
	return all
}

// ReadAt reads what a file has at an offset, and returns how many bytes that is.
func (d *Disk) ReadAt(f File, b []byte, at int64) int {
	data := d.files[f].data
	if at < 0 || at >= int64(len(data)) {
		return 0
	}
	return copy(b, data[at:])
}

// WriteAt writes at an offset of a file.
func (d *Disk) WriteAt(f File, b []byte, at int64) error {
	grows := max(0, at+int64(len(b))-d.Len(f))
	if !d.fits(grows) {
		return ErrFull
	}
	d.used += grows
	d.own(f).write(write{at, append([]byte{}, b...)})
	return nil
}

// Truncate makes a file so many bytes long.
func (d *Disk) Truncate(f File, size int64) error {
	grows := size - d.Len(f)
	if !d.fits(grows) {
		return ErrFull
	}
	d.used += grows
	d.own(f).write(write{at: size})
	return nil
}

func (c *contents) write(w write) {
	c.happen(w)
	c.pending = append(c.pending, w)
}

func (c *contents) happen(w write) {
	end := w.at + int64(len(w.data))
	if grow := end - int64(len(c.data)); grow > 0 {
		c.data = append(c.data, make([]byte, grow)...)
	}
	if w.data == nil {
		c.data = c.data[:w.at]
	}
	copy(c.data[w.at:], w.data)
}

// Sync makes the contents of a file durable, and the names in a directory. A path by which the file was opened is made durable with
// it, unless names are strict.
func (d *Disk) Sync(f File, name string) {
	c := d.files[f]
	if c.dir {
		d.settle(func(r renaming) bool {
			return r.from != "" && path.Dir(r.from) == name || r.to != "" && path.Dir(r.to) == name
		})
		return
	}
	if len(c.pending) > 0 {
		c = d.own(f)
		c.synced, c.pending = slices.Clone(c.data), nil
	}
	if !d.opt.StrictNames {
		d.settle(func(r renaming) bool { return r.file == f })
	}
}

// settle makes the journal durable up to the last entry that is meant.
func (d *Disk) settle(meant func(renaming) bool) {
	for i, r := range slices.Backward(d.journal) {
		if meant(r) {
			d.harden(i + 1)
			return
		}
	}
}

// harden makes so many entries of the journal durable.
func (d *Disk) harden(n int) {
	d.name = nil
	for _, r := range d.journal[:n] {
		r.happen(d.durable)
	}
	d.journal = slices.Clone(d.journal[n:])
}
