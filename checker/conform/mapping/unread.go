package mapping

import "strconv"

// A branch has the fields that templates read, by their names.
type branch struct {
	next    map[string]*branch
	line    int64 // the last line of which the field was read
	ignored bool
}

// at returns the branch of a path, and adds it if it is new.
func (b *branch) at(path []string) *branch {
	for _, name := range path {
		if b.next == nil {
			b.next = map[string]*branch{}
		}
		if b.next[name] == nil {
			b.next[name] = &branch{}
		}
		b = b.next[name]
	}
	return b
}

// unread returns the path of a field of the present line that no template has read and that is not ignored, or "". An
// object or list without elements needs no reader.
func (t *Table) unread(v any, b *branch, path string) string {
	if b != nil && (b.ignored || b.line == t.line) {
		return ""
	}
	under := func(name string) (*branch, string) {
		below := name
		if path != "" {
			below = path + "." + name
		}
		if b == nil {
			return nil, below
		}
		return b.next[name], below
	}
	switch v := v.(type) {
	case map[string]any:
		least := ""
		for name, e := range v {
			if b != nil && b.next[name] != nil && (b.next[name].ignored || b.next[name].line == t.line) {
				continue // as most fields
			}
			next, below := under(name)
			if found := t.unread(e, next, below); found != "" && (least == "" || found < least) {
				least = found
			}
		}
		return least
	case []any:
		for i, e := range v {
			next, below := under(strconv.Itoa(i))
			if found := t.unread(e, next, below); found != "" {
				return found
			}
		}
		return ""
	}
	return path
}
