package diff

import (
	"cmp"
	"slices"
	"strings"

	"contend/model/foreign/dump"
	"contend/model/foreign/reach"
	"contend/model/wrapped"
)

// Which fields make the states of an object different, and how much, is found by its dumps. Each line of a dump has a hash, and a state is
// the sum of its lines: without a field it is the sum less those of the field. If two states are equal without a field, they differ
// in that field alone. Fields that go together, such as two counters of one thing, split nothing by themselves; so all that no View
// shows are left out together, too. A field is not shown if it differs between states with equal Views. It costs a dump for each state.

// Splits are the dumps of some states, each as the hashes of its lines by their paths with [] for elements.
type Splits struct {
	views []string
	lines []map[string]uint64
	sums  []uint64
}

// Add adds the dump of a state, with its View as a text.
func (s *Splits) Add(state []dump.Line, view string) {
	lines, sum := map[string]uint64{}, uint64(0)
	for _, l := range state {
		hash := dump.Hash(l.Path + " " + l.Is)
		lines[general(l.Path)] += hash
		sum += hash
	}
	s.views, s.lines, s.sums = append(s.views, view), append(s.lines, lines), append(s.sums, sum)
}

// Compare says what each path splits, those that split most first. See [wrapped.Splitter].
func (s *Splits) Compare() wrapped.Splits {
	out := wrapped.Splits{States: distinct(s.sums)}
	for path, is := range s.columns(rowOf) {
		if values := distinct(is); values > 1 {
			out.Parts = append(out.Parts, wrapped.Split{Path: path, Values: values, Without: distinct(less(s.sums, is)), Hidden: s.hides(is)})
		}
	}
	slices.SortFunc(out.Parts, func(a, b wrapped.Split) int {
		return cmp.Or(a.Without-b.Without, b.Values-a.Values, strings.Compare(a.Path, b.Path))
	})
	shown := s.sums
	for _, is := range s.columns(func(path string) (string, bool) { return path, false }) {
		if s.hides(is) {
			shown = less(shown, is)
		}
	}
	out.Shown = distinct(shown)
	return out
}

// columns give for each path what is there in each state. The path of a line is given by a function, which also says whether it is that of
// a whole, to which all below it belongs.
func (s *Splits) columns(pathOf func(string) (path string, whole bool)) map[string][]uint64 {
	all, wholes := map[string][]uint64{}, map[string]bool{}
	for _, lines := range s.lines {
		for l := range lines {
			path, whole := pathOf(l)
			all[path], wholes[path] = make([]uint64, len(s.lines)), wholes[path] || whole
		}
	}
	for i, lines := range s.lines {
		for l, is := range lines {
			path, _ := pathOf(l)
			all[path][i] += is
			for at, c := range path {
				if (c == '.' || c == '[') && wholes[path[:at]] {
					all[path[:at]][i] += is
				}
			}
		}
	}
	return all
}

// hides reports whether a column differs between states with equal Views.
func (s *Splits) hides(column []uint64) bool {
	first := map[string]uint64{}
	for i, view := range s.views {
		if is, met := first[view]; met && is != column[i] {
			return true
		}
		first[view] = column[i]
	}
	return false
}

func less(sums, column []uint64) []uint64 {
	out := slices.Clone(sums)
	for i := range out {
		out[i] -= column[i]
	}
	return out
}

func distinct(column []uint64) int {
	return len(slices.Compact(slices.Sorted(slices.Values(column))))
}

// general is the path of a line with [] for elements.
func general(path string) string {
	all := reach.Steps(path)
	for i, step := range all {
		if step[0] == '[' {
			all[i] = "[]"
		}
	}
	return strings.ReplaceAll(strings.Join(all, "."), ".[]", "[]")
}

// rowOf is the path that Omit would have for a line. A length or a type belongs to the whole.
func rowOf(path string) (row string, whole bool) {
	for _, of := range []string{".len", ".(type)", ".(key)", ".(memory)"} {
		if row, whole = strings.CutSuffix(path, of); whole {
			return row, whole
		}
	}
	return path, false
}
