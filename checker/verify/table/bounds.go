package table

import (
	"cmp"
	"slices"
	"strings"
)

// A setting is a flag of a command, with its value if any.
type setting struct{ flag, value string }

func (s setting) String() string { return strings.TrimSpace(s.flag + " " + s.value) }

// bound is the bounds of a cell, in parts: the protocol, perhaps with a variant, and the flags.
type bound struct {
	name     string
	settings []setting
}

// parsed takes bounds apart.
func parsed(bounds string) bound {
	words := strings.Fields(bounds)
	b := bound{name: words[0]}
	for _, word := range words[1:] {
		if last := len(b.settings) - 1; strings.HasPrefix(word, "-") {
			b.settings = append(b.settings, setting{flag: word})
		} else {
			b.settings[last].value = strings.TrimSpace(b.settings[last].value + " " + word)
		}
	}
	return b
}

func (b bound) String() string {
	words := []string{b.name}
	for _, s := range b.settings {
		words = append(words, s.String())
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// without leaves out settings.
func (b bound) without(settings []setting) bound {
	b.settings = slices.DeleteFunc(slices.Clone(b.settings), func(s setting) bool { return slices.Contains(settings, s) })
	return b
}

// usual returns the most common name of some bounds, and the most common value of each flag that all have.
// Appending the other settings of a bound gives a command line for it, since a repeated flag overrides.
func usual(all []bound) bound {
	most := bound{name: frequent(all, func(b bound) string { return b.name })}
	for _, s := range all[0].settings {
		if slices.ContainsFunc(all, func(b bound) bool { return b.value(s.flag) == nil }) {
			continue
		}
		most.settings = append(most.settings, setting{s.flag, frequent(all, func(b bound) string { return *b.value(s.flag) })})
	}
	return most
}

// value returns the value of a flag; nil if it is not set.
func (b bound) value(flag string) *string {
	for _, s := range b.settings {
		if s.flag == flag {
			return &s.value
		}
	}
	return nil
}

// frequent is the string that most have, the first of several.
func frequent(all []bound, of func(bound) string) string {
	times := map[string]int{}
	var each []string
	for _, b := range all {
		times[of(b)]++
		each = append(each, of(b))
	}
	return slices.MaxFunc(unique(each), func(a, b string) int { return cmp.Compare(times[a], times[b]) })
}

// shared are the settings that all bounds have.
func shared(all []bound) []setting {
	return slices.DeleteFunc(slices.Clone(all[0].settings), func(s setting) bool {
		return slices.ContainsFunc(all, func(b bound) bool { return !slices.Contains(b.settings, s) })
	})
}

// changes returns the usual bounds, and the changes of each.
func changes(bounds []string) (base string, changed []string) {
	var all []bound
	for _, b := range bounds {
		all = append(all, parsed(b))
	}
	most := usual(all)
	for _, b := range all {
		if b = b.without(most.settings); b.name == most.name {
			b.name = ""
		}
		changed = append(changed, b.String())
	}
	return most.String(), changed
}

// parts are settings of flags with some names, and the others.
func (b bound) parts(names []string) (in, others bound) {
	has := func(s setting) bool { return slices.Contains(names, s.flag) }
	in.settings = slices.DeleteFunc(slices.Clone(b.settings), func(s setting) bool { return !has(s) })
	others = bound{b.name, slices.DeleteFunc(slices.Clone(b.settings), has)}
	return in, others
}

// varying returns the flags of sizes in which the bounds of a group differ, in any group.
func varying(groups [][]bound) []string {
	var names []string
	for _, all := range groups {
		common := shared(all)
		for _, b := range all {
			for _, s := range b.without(common).settings {
				names = append(names, s.flag)
			}
		}
	}
	return unique(names)
}

// begin are the strings that all lists begin with.
func begin(lists [][]string) []string {
	first := lists[0]
	for _, list := range lists {
		for i := range first {
			if i == len(list) || list[i] != first[i] {
				first = first[:i]
				break
			}
		}
	}
	return first
}

// quoted is code in Markdown.
func quoted(all []string) string { return "`" + strings.Join(all, "`, `") + "`" }
