package disks

import (
	"maps"

	"contend/model/disk"
)

// images are all that a crash may leave, by definition: each set of renames that the syncs permit, with each contents of each file that they permit.
func (t *tree) images(opt disk.Options) map[string]bool {
	all := map[string]bool{}
	for kept := range t.surviving(opt.StrictNames) {
		files := t.after(kept)
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

// surviving gives the sets of renames that may survive, a bit for each.
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

// beginning reports whether a set has the renames up to some point, of those that are meant, and no later ones.
func (t *tree) beginning(set uint, meant func(rename) bool) bool {
	missing := false
	for i, r := range t.renames {
		if !meant(r) {
			continue
		}
		is := set>>i&1 == 1
		if is && missing {
			return false
		}
		missing = missing || !is
	}
	return true
}

// ordered reports whether a set is a beginning of the journal that goes to what each sync covers.
func (t *tree) ordered(set uint) bool {
	for _, s := range t.syncs {
		for i, r := range t.renames {
			concerned := r.is == s.is || r.from.in == s.is || r.to.in == s.is
			if !s.fails && r.time <= s.began && concerned && set>>i&1 == 0 {
				return false
			}
		}
	}
	return t.beginning(set, func(rename) bool { return true })
}

// strict reports whether a set has what syncs of directories cover, and of the renames of each name, and of those that take directories elsewhere, a beginning.
func (t *tree) strict(set uint) bool {
	names := map[spot]bool{}
	for i, r := range t.renames {
		for _, s := range t.syncs {
			if !s.fails && r.time <= s.began && (r.from.in == s.is || r.to.in == s.is) && set>>i&1 == 0 {
				return false
			}
		}
		names[r.from], names[r.to] = true, true
	}
	delete(names, spot{})
	for at := range names {
		if !t.beginning(set, func(r rename) bool { return r.from == at || r.to == at }) {
			return false
		}
	}
	return t.beginning(set, func(r rename) bool {
		return r.is.dir && r.from.in != nil && r.to.in != nil && r.from.in != r.to.in
	})
}

// after is what can be reached once a set of renames has happened.
func (t *tree) after(set uint) map[string]*object {
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
			kids[r.to.in][r.to.name] = r.is
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

// texts are what a crash may leave of a file's contents.
func (t *tree) texts(o *object, opt disk.Options) map[string]bool {
	all := map[string]bool{}
	var writes []write
	for _, w := range t.writes {
		if w.is == o {
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
			extend(w.on(text), rest, lost)
		}
		if first != nil && !first.fails {
			return
		}
		extend(text, rest, lost || !free)
		if n := len(w.text); opt.Torn && n > 1 && (free || !lost) {
			for _, part := range []int{n / 2, n - 1} {
				torn := w
				torn.text = w.text[:part]
				extend(torn.on(text), rest, lost || !free)
			}
		}
	}
	extend("", writes, false)
	return all
}

// first is the first sync to end that covers a write; nil is none.
func (t *tree) first(w write) *covered {
	for i, s := range t.syncs {
		if s.is == w.is && w.time <= s.began {
			return &t.syncs[i]
		}
	}
	return nil
}
