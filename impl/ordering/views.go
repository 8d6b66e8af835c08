package ordering

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"contend/model"
)

// What a client makes of the answers to get: lines 2.14–18 and 2.24. Where the paper
// takes any of several states, all are returned.

// A votes list counts equal states.
type votes []vote

type vote struct {
	state State
	count int
}

func (v *votes) add(s State) {
	for i := range *v {
		if (*v)[i].state.Equal(s) {
			(*v)[i].count++
			return
		}
	}
	*v = append(*v, vote{s, 1})
}

// with returns the states that so many servers agree on.
func (v votes) with(least int) []State {
	var out []State
	for _, is := range v {
		if is.count >= least {
			out = append(out, is.state)
		}
	}
	return out
}

// servers returns those who answered, in order.
func servers(answers map[model.NodeID]Got) []model.NodeID {
	return slices.Sorted(maps.Keys(answers))
}

// mayBeCommitted is σᶜ: "Σᶜ ← {σ′ : |{u : σ′ = σᶜ_u}| ≥ b+1}; σᶜ ← σ : σ.version =
// max_{σ′∈Σᶜ}{σ′.version}". It is none when Σᶜ is empty.
func (c *Config) mayBeCommitted(answers map[model.NodeID]Got) []State {
	var v votes
	for _, u := range servers(answers) {
		if s := answers[u].Committed; s.Defined() {
			v.add(s)
		}
	}
	Σᶜ := v.with(c.Least.Committed)
	if len(Σᶜ) == 0 {
		return nil
	}
	latest := slices.MaxFunc(Σᶜ, func(a, b State) int { return cmp.Compare(a.Version, b.Version) }).Version
	return slices.DeleteFunc(Σᶜ, func(s State) bool { return s.Version != latest })
}

// mayBeChosen is choose, lines 2.33–48: of the states proposed, in descending order
// of version and proposer, the first that reaches b+1 servers.
func (c *Config) mayBeChosen(answers map[model.NodeID]Got) []State {
	var S []Got
	for _, u := range servers(answers) {
		if answers[u].Proposed.Defined() { // "σᵖᶜ_u ≠ ⊥"
			S = append(S, answers[u])
		}
	}
	S = c.Pairs(S)
	slices.SortStableFunc(S, func(a, b Got) int { return c.Order(b, a) })
	var count votes
	for i, s := range S {
		c.Count(&count, s.Proposed)
		if i+1 < len(S) && c.Order(s, S[i+1]) == 0 {
			continue // equals may stand in any order
		}
		if found := count.with(c.Least.Proposed); len(found) > 0 { // "until (∃σ : count[σ] ≥ b+1"
			return found
		}
	}
	return nil // "return ⊥"
}

// byProposer is the order of lines 2.36–39.
func byProposer(a, b Got) int {
	return cmp.Or(cmp.Compare(a.Proposed.Version, b.Proposed.Version), cmp.Compare(a.Proposer, b.Proposer))
}

// completed is line 2.18: "max{v : |{u : σᵖᶜ_u.version > v}| ≥ b+1}". With no such v
// it is below any version.
func (c *Config) completed(answers map[model.NodeID]Got) int {
	var versions []int
	for _, a := range answers {
		if a.Proposed.Defined() {
			versions = append(versions, a.Proposed.Version)
		}
	}
	if len(versions) < c.Least.Completed {
		return -1
	}
	slices.SortFunc(versions, func(a, b int) int { return cmp.Compare(b, a) })
	return c.Below(versions[c.Least.Completed-1])
}

// pending is line 2.24: "{o : |{u : o ∈ pending_u}| ≥ b+1}", by label.
func (c *Config) pending(answers map[model.NodeID]Got) []Op {
	count := map[Op]int{}
	for _, a := range answers {
		for label, call := range a.Pending {
			count[Op{label, call}]++
		}
	}
	maps.DeleteFunc(count, func(_ Op, n int) bool { return n < c.Least.Pending })
	return slices.SortedFunc(maps.Keys(count), func(a, b Op) int {
		return cmp.Or(byLabel(a.Label, b.Label), cmp.Compare(fmt.Sprint(a.Call), fmt.Sprint(b.Call)))
	})
}
