// Package disks is a model of directories and files and of their states after a crash. It shares no code with
// the disk of programs, and compares it with the model on random sequences of operations.
package disks

import (
	"fmt"
	"slices"
	"strings"
)

// An object is a file or a directory.
type object struct {
	dir    bool
	kids   map[string]*object
	parent *object // nil without a name, and for the root
	text   string
}

// A tree is the live files with the history of operations.
type tree struct {
	root    *object
	size    int // capacity in bytes; 0 is unlimited
	time    int // number of events so far
	renames []rename
	writes  []write
	syncs   []syncEnd
}

// A spot is a name in a directory.
type spot struct {
	in   *object
	name string
}

// A rename moves an object. A creation has no from, a removal no to.
type rename struct {
	time     int
	object   *object
	from, to spot
}

// A write writes text at an offset of a file, or truncates the file there.
type write struct {
	time   int
	object *object
	at     int
	text   string
	cuts   bool
}

// A syncEnd is a completed sync.
type syncEnd struct {
	object *object
	began  int
	fails  bool
}

func newTree(size int) *tree {
	return &tree{root: &object{dir: true, kids: map[string]*object{}}, size: size}
}

// find follows a path. At is the spot of the last name. O is nil if the spot is empty.
func (t *tree) find(from *object, path string) (at spot, o *object, problem string) {
	o = from
	for part := range strings.SplitSeq(path, "/") {
		if o == nil {
			return spot{}, nil, "no such file"
		}
		if !o.dir {
			return spot{}, nil, "not a directory"
		}
		switch part {
		case ".":
		case "..":
			at = spot{}
			if o != t.root {
				o = o.parent
			}
		default:
			at = spot{o, part}
			o = o.kids[part]
		}
	}
	return at, o, ""
}

func (t *tree) named(o *object) bool { return o == t.root || o.parent != nil }

func (t *tree) make(from *object, path string, dir bool) (*object, string) {
	at, old, problem := t.find(from, path)
	switch {
	case problem != "":
		return nil, problem
	case old != nil || at.in == nil:
		return nil, "exists"
	case !t.named(at.in):
		return nil, "no such file"
	}
	o := &object{dir: dir, kids: map[string]*object{}}
	t.move(rename{object: o, to: at})
	return o, ""
}

func (t *tree) move(r rename) {
	t.time++
	r.time = t.time
	if r.from.in != nil {
		delete(r.from.in.kids, r.from.name)
		r.object.parent = nil
	}
	if r.to.in != nil {
		if old := r.to.in.kids[r.to.name]; old != nil {
			old.parent = nil
		}
		r.to.in.kids[r.to.name], r.object.parent = r.object, r.to.in
	}
	t.renames = append(t.renames, r)
}

func (t *tree) remove(from *object, path string, dir bool) string {
	at, o, problem := t.find(from, path)
	switch {
	case problem != "":
		return problem
	case o == nil:
		return "no such file"
	case !dir && o.dir:
		return "is a directory"
	case dir && !o.dir:
		return "not a directory"
	case o == t.root:
		return "busy"
	case at.in == nil:
		return "invalid"
	case dir && len(o.kids) > 0:
		return "not empty"
	}
	t.move(rename{object: o, from: at})
	return ""
}

func (t *tree) rename(from *object, path string, to *object, other string) string {
	a, o, problem := t.find(from, path)
	b, old, second := t.find(to, other)
	if problem == "" && o == nil {
		problem = "no such file"
	}
	switch {
	case problem != "" && problem != "no such file":
		return problem
	case problem != "" && a.in == nil:
		return problem
	case second != "":
		return second
	case problem != "":
		return problem
	case !t.named(b.in):
		return "no such file"
	case o == old:
		return ""
	case o.above(b.in):
		return "invalid"
	case old != nil && old.above(a.in):
		return "not empty"
	case old != nil && old.dir && !o.dir:
		return "is a directory"
	case old != nil && !old.dir && o.dir:
		return "not a directory"
	case old != nil && len(old.kids) > 0:
		return "not empty"
	}
	t.move(rename{object: o, from: a, to: b})
	return ""
}

// above reports whether an object is an ancestor of the other, or equal to it.
func (o *object) above(other *object) bool {
	return other != nil && (o == other || o.above(other.parent))
}

// objects returns the named objects below one, by path.
func (o *object) objects(path string) (all map[string]*object) {
	all = map[string]*object{}
	for name, kid := range o.kids {
		all[path+name] = kid
		for below, k := range kid.objects(path + name + "/") {
			all[below] = k
		}
	}
	return all
}

// usedSpace returns the total size of named and open files.
func (t *tree) usedSpace(open []*object) (n int) {
	for _, o := range t.root.objects("") {
		n += len(o.text)
	}
	for i, o := range open {
		if o.parent == nil && !slices.Contains(open[:i], o) {
			n += len(o.text)
		}
	}
	return n
}

// write returns the number of written bytes; -1 if there is no space.
func (t *tree) write(o *object, at int, text string, open []*object) int {
	if text == "" {
		return 0
	}
	if t.size > 0 {
		room := len(o.text) + max(0, t.size-t.usedSpace(open)) - at
		if room <= 0 {
			return -1
		}
		text = text[:min(len(text), room)]
	}
	t.apply(write{object: o, at: at, text: text})
	return len(text)
}

// cut truncates or extends a file, and reports whether there was space.
func (t *tree) cut(o *object, to int, open []*object) bool {
	if grows := to - len(o.text); t.size > 0 && grows > 0 && grows > t.size-t.usedSpace(open) {
		return false
	}
	t.apply(write{object: o, at: to, cuts: true})
	return true
}

func (t *tree) apply(w write) {
	t.time++
	w.time = t.time
	w.object.text = w.apply(w.object.text)
	t.writes = append(t.writes, w)
}

// apply returns a text after the write.
func (w write) apply(text string) string {
	if w.cuts {
		return (text + strings.Repeat("\x00", max(0, w.at-len(text))))[:w.at]
	}
	text += strings.Repeat("\x00", max(0, w.at-len(text)))
	return text[:w.at] + w.text + text[min(len(text), w.at+len(w.text)):]
}

// show returns a tree as one line, with the given contents of files.
func show(all map[string]*object, text func(*object) string) string {
	var lines []string
	for path, o := range all {
		if o.dir {
			lines = append(lines, path+"/")
		} else {
			lines = append(lines, fmt.Sprintf("%s=%q", path, text(o)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}
