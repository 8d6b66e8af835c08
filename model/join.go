package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Made returns the claim without the assumptions that the variant waives.
func (v Variant) Made(c Claim) Claim {
	waived := v.Waives[c.Name]
	if len(waived) > 0 {
		c.Assumes = slices.DeleteFunc(slices.Clone(c.Assumes), func(a Assumption) bool { return slices.Contains(waived, a) })
	}
	return c
}

// join returns the combination of several options, such as "enqueue+safe". It applies their edits in order.
// It unites the claims that they do not make, and the assumptions that they waive.
func (p *Protocol) join(name string) (Variant, error) {
	all := Variant{Name: name, Joins: true, Waives: map[string][]Assumption{}}
	var titles []string
	var edits []func(*System)
	seen := map[string]bool{}
	for part := range strings.SplitSeq(name, "+") {
		v, err := p.Variant(part)
		if err != nil {
			return v, err
		}
		if !v.Joins || seen[part] {
			return v, fmt.Errorf("variant %q of protocol %s cannot be: %s is not joined with others, or is there twice", name, p.Name, part)
		}
		seen[part] = true
		titles, edits = append(titles, v.Title), append(edits, v.Edit)
		all.Unclaimed = append(all.Unclaimed, v.Unclaimed...)
		for _, claim := range slices.Sorted(maps.Keys(v.Waives)) {
			all.Waives[claim] = append(all.Waives[claim], v.Waives[claim]...)
		}
	}
	all.Title = strings.Join(titles, "; ")
	all.Edit = func(s *System) {
		for _, edit := range edits {
			edit(s)
		}
	}
	return all, nil
}
