// Package disk models the disk of a program that runs as a node: a tree of files in memory. After a crash the
// synced changes survive, and of the other changes those that the disk happened to write.
//
// Operations act as described in Linux's manual pages. A sync covers the changes made before it began, and
// nothing is durable until it returns: [Disk.Begin] and [Disk.Sync] are its two ends.
//
// A write is durable once the file is synced. Of the later writes to a file a prefix survives a crash, whatever
// survives of other files. Creating, renaming and removing names is recorded in a journal. After a crash a
// prefix of the journal survives, at least up to the last change that a sync covered, as in ext4's ordered
// mode. A sync covers the changes of the names in a directory, or the changes of a file's own name.
//
// With [Options.StrictNames] there is no journal. A sync of a directory covers only the names in the
// directory, and the sync of a file covers no name. A crash may keep or lose each of the other changes, as
// POSIX permits. A rename is atomic, and changes of the same name happen in order.
package disk

import (
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
)

// Options are the properties of a disk.
type Options struct {
	// Size is the capacity for contents in bytes, including holes; 0 means no limit. A write that exceeds it
	// is truncated, and the next write fails with [ErrFull]. A removed file takes up its space until it is
	// closed.
	Size int64
	// StrictNames makes a name durable only by the sync of the directory that it is in.
	StrictNames bool
	// Torn permits a crash to lose a part of the first lost write: its second half, or its last byte.
	Torn bool
	// TornHeader permits a torn write to keep its first byte only, also less than a header of several bytes.
	TornHeader bool
	// Sector is the number of bytes that a disk writes at once: a torn write ends at a multiple of Sector in its file. 0 means
	// that it ends at any byte.
	Sector int64
	// Reordered permits a crash to lose any of the writes to a file since its last sync, not only the latest.
	Reordered bool
}

// The errors of operations.
var (
	ErrNotExist    = errors.New("disk: no such file")
	ErrExist       = errors.New("disk: the file exists")
	ErrNotDir      = errors.New("disk: not a directory")
	ErrIsDir       = errors.New("disk: is a directory")
	ErrNotEmpty    = errors.New("disk: the directory is not empty")
	ErrFull        = errors.New("disk: no space is left")
	ErrInvalid     = errors.New("disk: invalid argument")
	ErrBusy        = errors.New("disk: the root directory stays where it is")
	ErrTooLarge    = errors.New("disk: the file is too large")
	ErrNameTooLong = errors.New("disk: the name is too long")
	ErrIO          = errors.New("disk: input/output error")
)

// A File is the number of a file or a directory, independent of its paths; 0 means no file.
type File uint64

// Root is the directory that all else is in.
const Root File = 1

// A Mark is a moment in the life of a disk.
type Mark uint64

// A Disk is not safe for use by several goroutines.
type Disk struct {
	opt     Options
	names   map[place]File
	durable map[place]File // the names as a crash leaves them at least
	journal []change       // of the later changes
	files   map[File]*contents
	opens   map[File]int
	last    File
	past    Mark // of the last change or write
	now     int64
	used    int64
	full    bool               // regardless of its size
	failing int                // how many syncs will fail
	name    *[sha256.Size]byte // as Name returned it last; nil after a change
}

// New returns an empty disk.
func New(opt Options) *Disk {
	return &Disk{opt: opt, names: map[place]File{}, durable: map[place]File{}, opens: map[File]int{}, last: Root,
		files: map[File]*contents{Root: {dir: true}}}
}

// SetTime sets the wall clock that modification times are taken from, in nanoseconds since 1970.
func (d *Disk) SetTime(now int64) { d.now = now }

// Fill leaves no free space, or restores the free space.
func (d *Disk) Fill(full bool) { d.full, d.name = full, nil }

// Fail makes the next sync fail.
func (d *Disk) Fail() { d.failing, d.name = d.failing+1, nil }

// Clone returns an independent copy.
func (d *Disk) Clone() *Disk {
	c := *d
	c.names, c.durable, c.files, c.opens = maps.Clone(d.names), maps.Clone(d.durable), maps.Clone(d.files), maps.Clone(d.opens)
	c.journal = slices.Clip(d.journal)
	d.journal = slices.Clip(d.journal)
	for _, f := range d.files {
		f.of = nil // neither changes it any more
	}
	return &c
}

// writable returns the contents of a file, to be changed.
func (d *Disk) writable(f File) *contents {
	d.name = nil
	c := d.files[f]
	if c.of != d {
		mine := *c
		mine.of, mine.data, mine.pending = d, c.data.clone(), slices.Clone(c.pending)
		c = &mine
		d.files[f] = c
	}
	return c
}

// Open counts a descriptor of a file. The file exists until its last descriptor is closed, even if its name
// is removed.
func (d *Disk) Open(f File) { d.opens[f], d.name = d.opens[f]+1, nil }

// Close closes a descriptor.
func (d *Disk) Close(f File) {
	d.name = nil
	if d.opens[f]--; d.opens[f] == 0 {
		delete(d.opens, f)
		d.release(f)
		d.sweep()
	}
}

// release frees the space of a file that has no name and no descriptor.
func (d *Disk) release(f File) {
	if d.opens[f] == 0 && !d.Named(f) {
		d.used -= d.Len(f)
	}
}

// sweep forgets the files that no operation and no crash can lead to any more.
func (d *Disk) sweep() {
	kept := map[File]bool{Root: true}
	for f := range d.opens {
		kept[f] = true
	}
	for _, f := range d.names {
		kept[f] = true
	}
	for _, c := range d.journal {
		kept[c.file], kept[c.from.dir], kept[c.to.dir] = true, true, true
	}
	reach(kept, d.durable)
	maps.DeleteFunc(d.files, func(f File, _ *contents) bool { return !kept[f] })
	maps.DeleteFunc(d.durable, func(p place, _ File) bool { return !kept[p.dir] })
}

// reach adds to files the files that can be reached from them by names.
func reach(files map[File]bool, names map[place]File) {
	for more := true; more; {
		more = false
		for p, f := range names {
			if files[p.dir] && !files[f] {
				files[f], more = true, true
			}
		}
	}
}
