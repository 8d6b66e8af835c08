package ordering

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/quorum"
)

// lied returns the configuration of a number of servers. The last b servers lie.
func lied(n, q, b int) *Config {
	servers := make([]model.NodeID, n)
	for i := range servers {
		servers[i] = model.NodeID(i)
	}
	return printed(servers, 2, quorum.Threshold{N: n, Size: q}, b)
}

// Liars send lies only to clients that wait for an answer.
func TestForgeForWhom(t *testing.T) {
	c := lied(3, 3, 1)
	for _, n := range []model.Node{&Server{cfg: c}, &departed{}, &Door{}, &Client{cfg: c}, &Client{cfg: c, Phase: Contending, Rank: 2}} {
		assert.Empty(t, c.forge(n, 0, 2), "%T", n)
	}
	waiting := Client{cfg: c, Waiting: true, Seq: 1, Results: map[model.NodeID]any{0: "ρ"}}
	assert.Equal(t, []any{Response{1, "ρ"}}, c.forge(&waiting, 3, 2))
	assert.Equal(t, []any{Response{1, "ρ"}}, c.forge(&EditedClient{Client: waiting}, 3, 2), "variants are clients")
}

// A lie is offered only if it may be among the last b answers that the client needs.
func TestForgeOnlyAtTheLast(t *testing.T) {
	for _, c := range []*Config{lied(7, 5, 1), lied(13, 9, 2)} {
		q, b, liar := c.Quorums.Size, c.Byzantine, model.NodeID(c.Quorums.N-1)
		for heard := range q {
			got := &Client{cfg: c, Phase: Getting, Rank: 4, Answers: map[model.NodeID]Got{}}
			done := &Client{cfg: c, Phase: Proposing, Rank: 4, Acks: map[model.NodeID]bool{}}
			for u := range model.NodeID(heard) {
				got.Answers[u], done.Acks[u] = Got{Rank: 4}, true
			}
			committed := *done
			committed.Phase = Committing
			last := heard >= q-b
			assert.Equal(t, last, offers[Got](c.forge(got, 0, liar)), "%d of %d have got", heard, q)
			assert.Equal(t, last, slices.Contains(c.forge(done, 0, liar), any(Done{Proposing, 4})), "%d of %d have proposed", heard, q)
			assert.Equal(t, last, slices.Contains(c.forge(&committed, 0, liar), any(Done{Committing, 4})), "%d of %d have committed", heard, q)
			got.Answers[liar] = Got{Rank: 4}
			assert.False(t, offers[Got](c.forge(got, 0, liar)), "it has answered")
		}
		for refused := range b + 1 {
			for p := Getting; p <= Committing; p++ {
				at := &Client{cfg: c, Phase: p, Rank: 4, Refusals: map[model.NodeID]Rank{}}
				for u := range model.NodeID(refused) {
					at.Refusals[u] = 11
				}
				told := slices.DeleteFunc(c.forge(at, 0, liar), func(m any) bool { _, is := m.(RankException); return !is })
				var want []any
				if refused >= 1 { // b+1 are needed
					want = []any{RankException{p, 4, 0}, RankException{p, 4, 12}}
				}
				assert.Equal(t, want, told, "b = %d: %d have refused %v", b, refused, p)
			}
		}
		for voted := range b + 1 {
			at := &Client{cfg: c, Waiting: true, Seq: 3, Results: map[model.NodeID]any{}}
			for u := range model.NodeID(voted) {
				at.Results[u] = "ρ"
			}
			assert.Equal(t, voted >= 1, slices.Contains(c.forge(at, 0, liar), any(Response{3, "ρ"})), "b = %d: %d have responded", b, voted)
			assert.Equal(t, false, slices.Contains(c.forge(at, 0, liar), any(Response{3, lie})), "b liars alone make no result")
		}
	}
}

func offers[M any](list []any) bool {
	return slices.ContainsFunc(list, func(m any) bool { _, is := m.(M); return is })
}

// A client evaluates answers to get by lines 2.14–18 and 2.24.
type made struct {
	committed, chosen []State
	completed         int
	pending           []Op
}

func (c *Config) makes(answers map[model.NodeID]Got) made {
	return made{c.mayBeCommitted(answers), (&Client{cfg: c}).mayBeChosen(answers), (&Client{cfg: c}).completed(answers), c.pending(answers)}
}

// outcomes returns the possible results of lines 2.19–25 for a client that knows a complete version: the state, whether
// it is extended, and the operations.
func (m made) outcomes(knows int) (out []string) {
	completed := max(knows, m.completed)
	for _, σᶜ := range orNone(m.committed) {
		for _, σᵖᶜ := range orNone(m.chosen) {
			σ, extend := (&Client{Completed: completed}).branch(σᶜ, σᵖᶜ)
			is := fmt.Sprint(σ, extend, completed)
			if extend {
				is += fmt.Sprint(m.pending)
			}
			out = append(out, is)
		}
	}
	return out
}

func orNone(states []State) []State {
	if len(states) == 0 {
		return []State{Undefined}
	}
	return states
}

// answered returns pairs of answers of correct servers.
func answered() [][]Got {
	op := func(labels ...Label) map[Label]any {
		pending := map[Label]any{}
		for _, l := range labels {
			pending[l] = x
		}
		return pending
	}
	all := []Got{
		{Pending: op()},
		{Pending: op(op1)},
		{Pending: op(op1, op2)},
		{Committed: a0, Proposed: a1, Proposer: 2, Pending: op(op2)},
		{Committed: a0, Proposed: b1, Proposer: 5},
		{Committed: a1, Proposed: a1, Proposer: 5, Pending: op(op1)},
		{Committed: a1, Proposed: a2, Proposer: 6, Pending: op(op2)},
		{Committed: a1, Proposed: b2, Proposer: 3, Pending: op()},
		{Committed: Undefined, Proposed: Undefined, Pending: op(op1)},
		{Committed: a2, Proposed: a3, Proposer: 6},
	}
	var pairs [][]Got
	for i := range all {
		for j := i; j < len(all); j++ {
			pairs = append(pairs, []Got{all[i], all[j]})
		}
	}
	return pairs
}

// asking returns a client that needs the answers of the liars.
func asking(c *Config, answers []Got) *Client {
	return &Client{cfg: c, Phase: Getting, Rank: 8, Answers: from(answers...)}
}

// completions calls a function for each set of answers that offers of the liars complete to a quorum.
func completions(p *Client, liars []model.NodeID, visit func(map[model.NodeID]Got)) {
	if len(liars) == 0 {
		visit(p.Answers)
		return
	}
	for _, m := range p.cfg.forge(p, 0, liars[0]) {
		if g, is := m.(Got); is {
			next := *p
			next.Answers = maps.Clone(p.Answers)
			next.Answers[liars[0]] = g
			completions(&next, liars[1:], visit)
		}
	}
}

// No two lies that complete a quorum have the same effect on the client.
func TestForgedAnswersAllTell(t *testing.T) {
	c := lied(3, 3, 1)
	for _, answers := range answered() {
		seen := map[string]bool{}
		completions(asking(c, answers), []model.NodeID{2}, func(all map[model.NodeID]Got) {
			is := fmt.Sprint(c.makes(all))
			assert.False(t, seen[is], "%v: %s twice", answers, is)
			seen[is] = true
			assert.Equal(t, Rank(8), all[2].Rank, "it is an answer to this get")
		})
		assert.NotEmpty(t, seen)
	}
}

// Lies that are not offered have no further effect. Liars may send any answers with states near the existing ones, with
// any ranks and operations. They have only the effects of the offered answers. One liar and two.
func TestForgeLeavesOutNothing(t *testing.T) {
	for _, c := range []struct {
		*Config
		pairs [][]Got
	}{
		{lied(3, 3, 1), answered()},
		{lied(4, 4, 2), answered()[18:24]},
	} {
		if len(c.Servers) > 3 && !*full {
			continue
		}
		liars := c.Servers[2:]
		for _, answers := range c.pairs {
			for knows := range 2 {
				offered := map[string]bool{}
				completions(asking(c.Config, answers), liars, func(all map[model.NodeID]Got) {
					for _, o := range c.makes(all).outcomes(knows) {
						offered[o] = true
					}
				})
				anything := c.anything(answers, liars, knows)
				if !assert.Equal(t, sorted(anything), sorted(offered), "b = %d, %v", c.Byzantine, answers) {
					return
				}
			}
		}
	}
}

func sorted(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), "\n")
}

// anything returns the effects of all answers that liars can make. The parts of an answer have separate effects: σᶜ,
// σᵖᶜ with its proposer, and pending. So each part varies alone.
func (c *Config) anything(answers []Got, liars []model.NodeID, knows int) map[string]bool {
	var committed, proposed, pending []Got
	for _, s := range nearby(answers) {
		committed = append(committed, Got{Committed: s, Proposed: Undefined})
		for r := range Rank(9) {
			proposed = append(proposed, Got{Committed: Undefined, Proposed: s, Proposer: r})
		}
	}
	for k := range 3 * 3 * 2 {
		o := map[Label]any{}
		for l, call := range map[Label]int{op1: k % 3, op2: k / 3 % 3, {p, never}: k / 9} {
			if call > 0 {
				o[l] = []any{nil, x, y}[call]
			}
		}
		pending = append(pending, Got{Committed: Undefined, Proposed: Undefined, Pending: o})
	}
	parts := map[string]made{}
	out := map[string]bool{}
	var c1, p1, o1 []made
	for _, part := range []struct {
		lies []Got
		made *[]made
	}{{committed, &c1}, {proposed, &p1}, {pending, &o1}} {
		clear(parts)
		c.completing(from(answers...), part.lies, liars, func(m made) { parts[fmt.Sprint(m)] = m })
		*part.made = slices.Collect(maps.Values(parts))
	}
	for _, σᶜ := range c1 {
		for _, σᵖᶜ := range p1 {
			for _, o := range o1 {
				for _, is := range (made{σᶜ.committed, σᵖᶜ.chosen, σᵖᶜ.completed, o.pending}).outcomes(knows) {
					out[is] = true
				}
			}
		}
	}
	return out
}

func (c *Config) completing(answers map[model.NodeID]Got, lies []Got, liars []model.NodeID, visit func(made)) {
	if len(liars) == 0 {
		visit(c.makes(answers))
		return
	}
	for _, l := range lies {
		answers[liars[0]] = l
		c.completing(answers, lies, liars[1:], visit)
	}
	delete(answers, liars[0])
}

// nearby returns the states of the answers, ⊥, and some states of each version that never existed.
func nearby(answers []Got) []State {
	all := []State{Undefined}
	for _, a := range answers {
		all = append(all, a.Committed, a.Proposed)
	}
	for v := range 6 {
		all = append(all, phantom(v), State{Version: v, Value: "another"})
	}
	return all
}

// Two liars of thirteen servers can report a third server's proposal. One liar could not. They cannot report a proposal
// of their own.
func TestCollusion(t *testing.T) {
	c := lied(13, 9, 2)
	answers := slices.Repeat([]Got{{}}, 7)
	answers[3] = Got{Proposed: a1, Proposer: 2}
	brings := func(answers []Got, liars ...model.NodeID) (found bool) {
		completions(asking(c, answers), liars, func(all map[model.NodeID]Got) {
			m := c.makes(all)
			for _, s := range slices.Concat(m.committed, m.chosen) {
				require.NotEqual(t, "phantom", s.Value)
				found = found || s.Equal(a1)
			}
			for _, o := range m.pending {
				require.NotEqual(t, never, o.Label.Seq)
			}
			require.Less(t, m.completed, 1)
		})
		return found
	}
	assert.True(t, brings(answers, 11, 12))
	assert.False(t, brings(append(answers, Got{}), 12))
}
