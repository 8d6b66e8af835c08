package diff

import (
	"cmp"
	"slices"
	"strings"

	"contend/model/foreign/dump"
	"contend/model/foreign/reach"
	"contend/model/wrapped"
)

// The dumps of states determine which fields make the states differ, and how much. Each line of a dump has a
// hash, and a state has the sum of its lines' hashes. Without a field, the sum is less by the hashes of the
// field. If two states are equal without a field, they differ in this field alone. Fields that change
// together, such as two counters of one thing, split nothing separately. So all hidden fields are also
// omitted together. A field is hidden if it differs between states with equal Views. The cost is a dump of
// each state.

// Splits has the hashes of the lines of states, by path with [] for elements.
type Splits struct {
	views []string
	lines []map[string]uint64
	sums  []uint64
}

// Add adds the dump of a state, with its View as text.
func (s *Splits) Add(state []dump.Line, view string) {
	lines, sum := map[string]uint64{}, uint64(0)
	for _, l := range state {
		hash := dump.Hash(l.Path + " " + l.Is)
		lines[general(l.Path)] += hash
		sum += hash
	}
	s.views, s.lines, s.sums = append(s.views, view), append(s.lines, lines), append(s.sums, sum)
}

// Compare returns the effect of each path. The paths that split most come first. See [wrapped.Splitter].
func (s *Splits) Compare() wrapped.Splits {
	out := wrapped.Splits{States: distinct(s.sums)}
	for path, column := range s.columns(rowOf) {
		if values := distinct(column); values > 1 {
			out.Parts = append(out.Parts, wrapped.Split{Path: path, Values: values, Without: distinct(less(s.sums, column)), Hidden: s.hides(column)})
		}
	}
	slices.SortFunc(out.Parts, func(a, b wrapped.Split) int {
		return cmp.Or(a.Without-b.Without, b.Values-a.Values, strings.Compare(a.Path, b.Path))
	})
	shown := s.sums
	for _, column := range s.columns(func(path string) (string, bool) { return path, false }) {
		if s.hides(column) {
			shown = less(shown, column)
		}
	}
	out.Shown = distinct(shown)
	return out
}

// columns returns, for each path, the hash in each state. It calls pathOf for each line; the result is the
// path, and whether the path includes all paths below it.
func (s *Splits) columns(pathOf func(string) (path string, whole bool)) map[string][]uint64 {
	all, wholes := map[string][]uint64{}, map[string]bool{}
	for _, lines := range s.lines {
		for l := range lines {
			path, whole := pathOf(l)
			all[path], wholes[path] = make([]uint64, len(s.lines)), wholes[path] || whole
		}
	}
	for i, lines := range s.lines {
		for l, hash := range lines {
			path, _ := pathOf(l)
			all[path][i] += hash
			for at, c := range path {
				if (c == '.' || c == '[') && wholes[path[:at]] {
					all[path[:at]][i] += hash
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
		if value, ok := first[view]; ok && value != column[i] {
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

// general returns the path of a line with [] for elements.
func general(path string) string {
	all := reach.Steps(path)
	for i, step := range all {
		if step[0] == '[' {
			all[i] = "[]"
		}
	}
	return strings.ReplaceAll(strings.Join(all, "."), ".[]", "[]")
}

// rowOf returns the path of a line in the form of Omit. A length or a type belongs to the whole value.
func rowOf(path string) (row string, whole bool) {
	for _, suffix := range []string{".len", ".(type)", ".(key)", ".(memory)"} {
		if row, whole = strings.CutSuffix(path, suffix); whole {
			return row, whole
		}
	}
	return path, false
}
