package disks

import (
	"maps"

	"contend/model/disk"
)

// images returns all states that a crash may leave: each permitted set of renames, with all permitted
// contents of each file.
func (t *tree) images(opt disk.Options) map[string]bool {
	all := map[string]bool{}
	for set := range t.surviving(opt.StrictNames) {
		files := t.applyRenames(set)
		images := []map[*object]string{{}}
		for _, o := range files {
			if o.dir {
				continue
			}
			var more []map[*object]string
			for text := range t.texts(o, opt) {
				for _, image := range images {
					image = maps.Clone(image)
					image[o] = text
					more = append(more, image)
				}
			}
			images = more
		}
		for _, image := range images {
			all[show(files, func(o *object) string { return image[o] })] = true
		}
	}
	return all
}

// surviving yields the sets of renames that may survive, as bits.
func (t *tree) surviving(strict bool) func(func(uint) bool) {
	return func(yield func(uint) bool) {
		for set := range uint(1) << len(t.renames) {
			permitted := t.ordered(set)
			if strict {
				permitted = t.strict(set)
			}
			if permitted && !yield(set) {
				return
			}
		}
	}
}

// isPrefix reports whether a set contains a prefix of the selected renames.
func (t *tree) isPrefix(set uint, meant func(rename) bool) bool {
	missing := false
	for i, r := range t.renames {
		if !meant(r) {
			continue
		}
		has := set>>i&1 == 1
		if has && missing {
			return false
		}
		missing = missing || !has
	}
	return true
}

// ordered reports whether a set is a prefix of the journal that contains what each sync covers.
func (t *tree) ordered(set uint) bool {
	for _, s := range t.syncs {
		for i, r := range t.renames {
			concerned := r.object == s.object || r.from.in == s.object || r.to.in == s.object
			if !s.fails && r.time <= s.began && concerned && set>>i&1 == 0 {
				return false
			}
		}
	}
	return t.isPrefix(set, func(rename) bool { return true })
}

// strict reports whether a set of renames is permitted with strict names. It must contain the renames that syncs of directories cover. Of the renames of each name, and of the moves of directories, it must contain a prefix.
func (t *tree) strict(set uint) bool {
	names := map[spot]bool{}
	for i, r := range t.renames {
		for _, s := range t.syncs {
			if !s.fails && r.time <= s.began && (r.from.in == s.object || r.to.in == s.object) && set>>i&1 == 0 {
				return false
			}
		}
		names[r.from], names[r.to] = true, true
	}
	delete(names, spot{})
	for at := range names {
		if !t.isPrefix(set, func(r rename) bool { return r.from == at || r.to == at }) {
			return false
		}
	}
	return t.isPrefix(set, func(r rename) bool {
		return r.object.dir && r.from.in != nil && r.to.in != nil && r.from.in != r.to.in
	})
}

// applyRenames returns the reachable objects after a set of renames, by path.
func (t *tree) applyRenames(set uint) map[string]*object {
	kids := map[*object]map[string]*object{}
	for i, r := range t.renames {
		if set>>i&1 == 0 {
			continue
		}
		delete(kids[r.from.in], r.from.name)
		if r.to.in != nil {
			if kids[r.to.in] == nil {
				kids[r.to.in] = map[string]*object{}
			}
			kids[r.to.in][r.to.name] = r.object
		}
	}
	all := map[string]*object{}
	var visit func(in *object, path string)
	visit = func(in *object, path string) {
		for name, o := range kids[in] {
			all[path+name] = o
			visit(o, path+name+"/")
		}
	}
	visit(t.root, "")
	return all
}

// texts returns the contents of a file that a crash may leave.
func (t *tree) texts(o *object, opt disk.Options) map[string]bool {
	all := map[string]bool{}
	var writes []write
	for _, w := range t.writes {
		if w.object == o {
			writes = append(writes, w)
		}
	}
	var extend func(text string, rest []write, lost bool)
	extend = func(text string, rest []write, lost bool) {
		if len(rest) == 0 {
			all[text] = true
			return
		}
		w, rest := rest[0], rest[1:]
		first := t.first(w)
		free := opt.Reordered || first != nil && first.fails
		if first != nil && !first.fails || free || !lost {
			extend(w.apply(text), rest, lost)
		}
		if first != nil && !first.fails {
			return
		}
		extend(text, rest, lost || !free)
		if n := len(w.text); opt.Torn && n > 1 && (free || !lost) {
			for _, part := range []int{n / 2, n - 1} {
				torn := w
				torn.text = w.text[:part]
				extend(torn.apply(text), rest, lost || !free)
			}
		}
	}
	extend("", writes, false)
	return all
}

// first returns the first completed sync that covers a write, or nil.
func (t *tree) first(w write) *syncEnd {
	for i, s := range t.syncs {
		if s.object == w.object && w.time <= s.began {
			return &t.syncs[i]
		}
	}
	return nil
}
