package disk

import (
	"slices"
	"strings"
)

// mostName is the maximum length of a name in bytes.
const mostName = 255

// A place is a name in a directory.
type place struct {
	dir  File
	name string
}

// A change takes a name from a file, gives the file a name, or both.
type change struct {
	at       Mark
	time     int64
	file     File
	from, to place // zero where there is none
	dir      bool  // the file is a directory
}

// walk follows a path to its last name. The place has no name where the path ends in a directory by a dot or two.
func (d *Disk) walk(dir File, name string) (place, error) {
	at := place{dir: dir}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." {
			continue
		}
		if at.name != "" {
			at = place{dir: d.names[at]}
		}
		switch {
		case at.dir == 0:
			return at, ErrNotExist
		case !d.files[at.dir].dir:
			return at, ErrNotDir
		case len(part) > mostName:
			return at, ErrNameTooLong
		case part == "..":
			at.dir = d.placeOf(at.dir).dir
		default:
			at.name = part
		}
	}
	return at, nil
}

// placeOf returns the place of a file. The root is in itself. A file without a place is in directory 0.
func (d *Disk) placeOf(f File) place {
	if f == Root {
		return place{dir: Root}
	}
	for p, is := range d.names {
		if is == f {
			return p
		}
	}
	return place{}
}

// Named reports whether a file has a name.
func (d *Disk) Named(f File) bool { return d.placeOf(f).dir != 0 }

// Lookup finds the file at a path from a directory. The error is ErrNotExist, ErrNotDir or ErrNameTooLong.
func (d *Disk) Lookup(dir File, name string) (File, error) {
	at, err := d.walk(dir, name)
	switch {
	case err != nil:
		return 0, err
	case at.name == "":
		return at.dir, nil
	case d.names[at] == 0:
		return 0, ErrNotExist
	}
	return d.names[at], nil
}

// IsDir reports whether a file is a directory.
func (d *Disk) IsDir(f File) bool { return d.files[f].dir }

// Time returns when a file was last written to, or a name in a directory changed, in nanoseconds since 1970.
func (d *Disk) Time(f File) int64 { return d.files[f].time }

// Make makes a file or a directory at a path from a directory.
func (d *Disk) Make(dir File, name string, isDir bool) (File, error) {
	at, err := d.walk(dir, name)
	switch {
	case err != nil:
		return 0, err
	case at.name == "" || d.names[at] != 0:
		return 0, ErrExist
	case !d.Named(at.dir):
		return 0, ErrNotExist
	}
	d.last++
	d.files[d.last] = &contents{of: d, dir: isDir, time: d.now, first: d.now}
	d.change(change{file: d.last, to: at, dir: isDir})
	return d.last, nil
}

// Remove removes the name of a file, or of an empty directory.
func (d *Disk) Remove(dir File, name string, isDir bool) error {
	at, err := d.walk(dir, name)
	if err != nil {
		return err
	}
	f := d.names[at]
	switch {
	case at.name == "" && !isDir:
		return ErrIsDir
	case at.dir == Root && at.name == "":
		return ErrBusy
	case at.name == "":
		return ErrInvalid
	case f == 0:
		return ErrNotExist
	case isDir && !d.files[f].dir:
		return ErrNotDir
	case !isDir && d.files[f].dir:
		return ErrIsDir
	case isDir && len(d.List(f)) > 0:
		return ErrNotEmpty
	}
	d.change(change{file: f, from: at, dir: isDir})
	d.release(f)
	return nil
}

// Rename changes the name of a file. A file that already has the new name loses it. Paths begin at the
// directories.
func (d *Disk) Rename(fromDir File, from string, toDir File, to string) error {
	was, err := d.walk(fromDir, from)
	if err != nil {
		return err
	}
	at, err := d.walk(toDir, to)
	if err != nil {
		return err
	}
	f, old := d.names[was], d.names[at]
	if err := d.mayRename(was, at); err != nil || f == old {
		return err
	}
	d.change(change{file: f, from: was, to: at, dir: d.files[f].dir})
	if old != 0 {
		d.release(old)
	}
	return nil
}

func (d *Disk) mayRename(from, to place) error {
	f, old := d.names[from], d.names[to]
	switch {
	case from.name == "" || to.name == "":
		return ErrBusy
	case f == 0:
		return ErrNotExist
	case !d.Named(to.dir):
		return ErrNotExist
	case d.within(to.dir, f):
		return ErrInvalid
	case f == old || old == 0:
		return nil
	case d.within(from.dir, old):
		return ErrNotEmpty
	case d.files[old].dir && !d.files[f].dir:
		return ErrIsDir
	case !d.files[old].dir && d.files[f].dir:
		return ErrNotDir
	case d.files[old].dir && len(d.List(old)) > 0:
		return ErrNotEmpty
	}
	return nil
}

// within reports whether a directory is equal to another directory or below it.
func (d *Disk) within(dir, other File) bool {
	for dir != other && dir != Root && dir != 0 {
		dir = d.placeOf(dir).dir
	}
	return dir == other
}

// change applies a change. No sync covers it yet.
func (d *Disk) change(c change) {
	d.past++
	c.at, c.time = d.past, d.now
	d.name = nil
	c.happen(d.names)
	for _, p := range []place{c.from, c.to} {
		if p.dir != 0 {
			d.writable(p.dir).time = c.time
		}
	}
	d.journal = append(d.journal, c)
}

func (c change) happen(names map[place]File) {
	if c.from.dir != 0 {
		delete(names, c.from)
	}
	if c.to.dir != 0 {
		names[c.to] = c.file
	}
}

// inDirectory reports whether a change is one of the names in a directory.
func (c change) inDirectory(dir File) bool { return c.from.dir == dir || c.to.dir == dir }

// dependsOn reports whether a change must not happen without an earlier change: they change the same name, or
// both move directories, and no directory may become its own descendant.
func (c change) dependsOn(earlier change) bool {
	for _, p := range []place{c.from, c.to} {
		if p.dir != 0 && (p == earlier.from || p == earlier.to) {
			return true
		}
	}
	return c.moves() && earlier.moves()
}

// moves reports whether a change takes a directory from one directory to another.
func (c change) moves() bool {
	return c.dir && c.from.dir != 0 && c.to.dir != 0 && c.from.dir != c.to.dir
}

// List returns the names in a directory, sorted.
func (d *Disk) List(dir File) (all []string) {
	for p := range d.names {
		if p.dir == dir {
			all = append(all, p.name)
		}
	}
	slices.Sort(all)
	return all
}
