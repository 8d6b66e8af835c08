package ordering

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"contend/impl/ordering/object"
	"contend/model"
)

// forge returns the messages that a Byzantine server may send to a client. The checker calls it for each state of the
// client. A client evaluates the answers of a phase when they are enough, in any order. So the liars may answer last,
// and only messages among the last b needed answers are forged. Then the liars know the answers of all correct servers,
// and choose their own accordingly.
func (c *Config) forge(receiver model.Node, _, from model.NodeID) []any {
	at, ok := receiver.(chooser)
	if !ok {
		return nil
	}
	p := at.client()
	last := func(have, need int) bool { return have+c.Byzantine >= need }
	var out []any
	switch p.Phase {
	case Getting:
		if _, answered := p.Answers[from]; !answered && last(len(p.Answers), c.Get.Size) {
			out = c.forgeGot(at, from)
		}
	case Proposing:
		if last(len(p.Acks), c.Propose.Size) {
			out = append(out, Done{Proposing, p.Rank})
		}
	case Committing:
		if last(len(p.Acks), c.Commit.Size) {
			out = append(out, Done{Committing, p.Rank})
		}
	}
	if p.Phase >= Getting && last(len(p.Refusals), c.Least.Refusals) {
		told := highest(slices.Collect(maps.Values(p.Refusals)))
		for _, r := range append([]Rank{0, c.above(max(p.Rank, told), c.FirstClient)}, c.Lies.Ranks...) {
			out = append(out, RankException{p.Phase, p.Rank, r})
		}
	}
	if p.Waiting {
		out = append(out, c.forgeResponses(p)...)
	}
	return out
}

// A chooser is a client of any variant. Its methods are those of the variant.
type chooser interface {
	client() *Client
	mayBeChosen(answers map[model.NodeID]Got) []State
	completed(answers map[model.NodeID]Got) int
}

// The lies: a result of no operation, and the number of an operation that is never submitted.
const (
	lie   = -1
	never = 1000
)

func (c *Config) forgeResponses(p *Client) []any {
	votes := map[any]int{lie: 0}
	for _, ρ := range p.Results {
		votes[ρ]++
	}
	var out []any
	for _, ρ := range slices.SortedFunc(maps.Keys(votes), func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) {
		if votes[ρ]+c.Byzantine >= c.Least.Result {
			out = append(out, Response{p.Seq, ρ})
		}
	}
	return out
}

// forgeGot returns the answers to get that have different effects on the client. Each part of an answer counts only by
// its effect on lines 2.14–18 and 2.24.
func (c *Config) forgeGot(at chooser, from model.NodeID) []any {
	p := at.client()
	completes := len(p.Answers)+1 >= c.Get.Size
	answers := map[model.NodeID]Got{}
	maps.Copy(answers, p.Answers)
	with := func(a Got) map[model.NodeID]Got {
		answers[from] = a
		return answers
	}
	committed := distinguishable(c.states(p, func(a Got) State { return a.Committed }), completes, func(s State) []State {
		return c.mayBeCommitted(with(Got{Committed: s, Proposed: Undefined}))
	}, sameStates)
	type choice struct {
		states    []State
		completed int
	}
	proposed := distinguishable(c.proposals(p), completes, func(g Got) choice {
		return choice{at.mayBeChosen(with(g)), at.completed(with(g))}
	}, func(a, b choice) bool { return a.completed == b.completed && sameStates(a.states, b.states) })
	pending := distinguishable(c.pendings(p), completes, func(p map[Label]any) []Op { return c.pending(with(Got{Pending: p})) }, slices.Equal)
	var out []any
	for _, σᶜ := range committed {
		for _, g := range proposed {
			for _, o := range pending {
				out = append(out, Got{p.Rank, σᶜ, g.Proposed, g.Proposer, o})
			}
		}
	}
	return out
}

// distinguishable returns one lie of each kind that the client distinguishes. It calls tells for each lie, and same for
// pairs of results.
func distinguishable[T, R any](lies []T, apart bool, tells func(T) R, same func(a, b R) bool) []T {
	if !apart {
		return lies
	}
	var seen []R
	return slices.DeleteFunc(lies, func(l T) bool {
		told := tells(l)
		known := slices.ContainsFunc(seen, func(r R) bool { return same(r, told) })
		if !known {
			seen = append(seen, told)
		}
		return known
	})
}

func sameStates(a, b []State) bool { return slices.EqualFunc(a, b, State.Equal) }

// states returns the states that a liar may report: no state, the reports of correct servers, and states that never
// existed. The latter have each version up to one above the highest. It calls reported for each answer.
func (c *Config) states(p *Client, reported func(Got) State) []State {
	out := votes{{state: Undefined}}
	highest := 0
	for _, u := range servers(p.Answers) {
		for _, s := range []State{p.Answers[u].Committed, p.Answers[u].Proposed} {
			highest = max(highest, s.Version)
		}
		out.add(reported(p.Answers[u]))
	}
	for v := range highest + 2 {
		out.add(phantom(v))
	}
	for _, v := range c.Lies.Versions {
		out.add(phantom(v))
	}
	return out.agreed(0)
}

// phantom returns a state that no correct node makes: its value is not a value of the object.
func phantom(version int) State {
	return State{Version: version, Value: "phantom"}
}

// proposals returns states with ranks below, equal to, and above the reported ranks.
func (c *Config) proposals(p *Client) []Got {
	ranks := map[Rank]bool{0: true, c.above(p.Rank, c.FirstClient): true}
	for _, a := range p.Answers {
		ranks[a.Proposer] = true
	}
	for _, r := range c.Lies.Ranks {
		ranks[r] = true
	}
	var out []Got
	for _, s := range c.states(p, func(a Got) State { return a.Proposed }) {
		for _, r := range slices.Sorted(maps.Keys(ranks)) {
			out = append(out, Got{Proposed: s, Proposer: r})
		}
	}
	return out
}

// pendings returns subsets of the operations that correct servers report, and an operation that was never submitted.
func (c *Config) pendings(p *Client) []map[Label]any {
	all := map[Label]any{}
	for _, a := range p.Answers {
		maps.Copy(all, a.Pending)
	}
	var out []map[Label]any
	labels := slices.SortedFunc(maps.Keys(all), byLabel)
	for set := range 1 << len(labels) {
		some := map[Label]any{}
		for i, o := range labels {
			if set>>i&1 != 0 {
				some[o] = all[o]
			}
		}
		out = append(out, some)
	}
	return append(out, map[Label]any{{c.FirstClient, never}: object.Append{Entry: "never"}})
}
