package group

import (
	"fmt"
	"strings"

	"contend/examples/etcdraft/member"
	"contend/model"
)

func voters(c model.Config) int {
	if v := Voters.Of(c); v > 0 {
		return v
	}
	return c.N
}

// simple adds the peers that are not voters yet, one by one, and then removes the others, beginning with the
// first.
func simple(c model.Config) []member.Change {
	var all []member.Change
	for id := voters(c) + 1; id <= c.N; id++ {
		all = append(all, member.Change{Changes: fmt.Sprintf("v%d", id)})
	}
	for id := 1; id <= voters(c); id++ {
		all = append(all, member.Change{Changes: fmt.Sprintf("r%d", id)})
	}
	return all
}

// learners makes those peers learners first, and then voters.
func learners(c model.Config) []member.Change {
	var all []member.Change
	for id := voters(c) + 1; id <= c.N; id++ {
		all = append(all, member.Change{Changes: fmt.Sprintf("l%d", id)}, member.Change{Changes: fmt.Sprintf("v%d", id)})
	}
	return append(all, simple(c)[c.N-voters(c):]...)
}

// joint adds all these peers at once, and removes the first. If explicit, a separate change leaves the joint
// configuration.
func joint(c model.Config) []member.Change {
	return []member.Change{{How: member.Auto, Changes: swap(c)}}
}

func explicit(c model.Config) []member.Change {
	return []member.Change{{How: member.Explicit, Changes: swap(c)}, {How: member.Explicit}}
}

// alone removes all peers but the first.
func alone(c model.Config) []member.Change {
	var words []string
	for id := 2; id <= c.N; id++ {
		words = append(words, fmt.Sprintf("r%d", id))
	}
	return []member.Change{{How: member.Auto, Changes: strings.Join(words, " ")}}
}

func swap(c model.Config) string {
	var words []string
	for id := voters(c) + 1; id <= c.N; id++ {
		words = append(words, fmt.Sprintf("v%d", id))
	}
	return strings.Join(append(words, "r1"), " ")
}

// changing makes the first candidate propose other changes.
func changing(changes func(model.Config) []member.Change) func(*model.System) {
	return func(s *model.System) {
		for i, script := range workload(s.Config, changes(s.Config)) {
			s.Nodes[i].Script = script
		}
	}
}
