package ordering

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"

	"contend/impl/ordering/object"
	"contend/model"
	"contend/model/quorum"
)

// believing returns the configuration of a client that believes b+1 servers.
func believing(b int) *Config {
	n := quorum.Ordering.MinServers(b)
	return printed(make([]model.NodeID, n), 2, quorum.Ordering.Smallest(n, b), b)
}

// at returns one of several states of a version.
func at(version int, value string) State { return State{Version: version, Value: value} }

var a0, a1, b1, a2, b2, a3 = at(0, "a"), at(1, "a"), at(1, "b"), at(2, "a"), at(2, "b"), at(3, "a")

// from numbers the answers of servers.
func from(answers ...Got) map[model.NodeID]Got {
	by := map[model.NodeID]Got{}
	for u, a := range answers {
		by[model.NodeID(u)] = a
	}
	return by
}

// Lines 2.14–15: of the states that b+1 servers report as committed, the latest.
func TestCommitted(t *testing.T) {
	for _, c := range []struct {
		b        int
		reported []State
		want     []State
	}{
		{0, nil, nil},
		{0, []State{Undefined, Undefined}, nil},
		{0, []State{a0, a1, Undefined}, []State{a1}},
		{0, []State{a1, b1}, []State{a1, b1}},
		{1, []State{a0, a1}, nil},
		{1, []State{a0, a1, a0}, []State{a0}},
		{1, []State{a1, b1, a0, a0}, []State{a0}},
		{1, []State{a2, a1, a1, a0, a0}, []State{a1}},
		{1, []State{b1, a1, a1, a0, a0, b1}, []State{b1, a1}},
		{1, []State{Undefined, Undefined, a0, a0}, []State{a0}},
		{2, []State{a1, a1, a0, a0, a0}, []State{a0}},
	} {
		var answers []Got
		for _, s := range c.reported {
			answers = append(answers, Got{Committed: s, Proposed: Undefined})
		}
		assert.Equal(t, c.want, believing(c.b).mayBeCommitted(from(answers...)), "b = %d: %v", c.b, c.reported)
	}
}

// A proposal is a state with its proposer.
func proposal(s State, proposer Rank) Got { return Got{Proposed: s, Proposer: proposer} }

// Lines 2.33–48, choose.
func TestChoose(t *testing.T) {
	none := proposal(Undefined, 0)
	for _, c := range []struct {
		name string
		b    int
		S    []Got
		want []State
	}{
		{"nothing", 0, nil, nil},
		{"⊥ is not in S", 0, []Got{none, none}, nil},
		{"version before proposer", 0, []Got{proposal(a1, 9), proposal(a2, 1)}, []State{a2}},
		{"proposer within a version", 0, []Got{proposal(a1, 1), proposal(b1, 2)}, []State{b1}},
		{"a tie", 0, []Got{proposal(a1, 1), proposal(b1, 1)}, []State{a1, b1}},
		{"b are not enough", 1, []Got{proposal(a2, 9), proposal(a1, 1), none}, nil},
		{"b+1 below b", 1, []Got{proposal(a2, 9), proposal(a1, 1), proposal(a1, 1)}, []State{a1}},
		{"one state of several proposers", 1, []Got{proposal(a1, 1), proposal(b1, 2), proposal(a1, 3)}, []State{a1}},
		{"the first to have b+1", 1, []Got{proposal(a1, 4), proposal(b1, 3), proposal(b1, 2), proposal(a1, 1)}, []State{b1}},
		{"a tie for the first b+1", 1, []Got{proposal(a1, 2), proposal(b1, 1), proposal(a1, 1), proposal(b1, 2)}, []State{a1, b1}},
		{"a tie that only one of them gains from", 1, []Got{proposal(a1, 2), proposal(b1, 2), proposal(a1, 2)}, []State{a1}},
		{"equal values of other versions are other states", 1, []Got{proposal(a2, 1), proposal(a1, 1)}, nil},
		{"two liars and one more", 2, []Got{proposal(a3, 9), proposal(a3, 9), proposal(a2, 1), proposal(a2, 1), proposal(a2, 1)}, []State{a2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.ElementsMatch(t, c.want, (&Client{cfg: believing(c.b)}).mayBeChosen(from(c.S...)))
		})
	}
}

// choose, line by line, on S in one of the orders in which it may be sorted.
func choose(S []Got, b int) State {
	count := map[string]int{}
	for _, s := range S { // "repeat … until"
		if count[fmt.Sprint(s.Proposed)]++; count[fmt.Sprint(s.Proposed)] >= b+1 {
			return s.Proposed
		}
	}
	return Undefined
}

// mayBeChosen returns the states that the printed lines choose, over all orders of equals, for all answers of four
// servers.
func TestChooseIsAsPrinted(t *testing.T) {
	options := []Got{proposal(Undefined, 0)}
	for _, s := range []State{a1, b1, a2} {
		for proposer := range Rank(2) {
			options = append(options, proposal(s, proposer))
		}
	}
	for b := range 2 {
		for k := range len(options) * len(options) * len(options) * len(options) {
			var S []Got
			for range 4 {
				S = append(S, options[k%len(options)])
				k /= len(options)
			}
			got := []string{}
			for _, s := range (&Client{cfg: believing(b)}).mayBeChosen(from(S...)) {
				got = append(got, fmt.Sprint(s))
			}
			slices.Sort(got)
			if want := printedChoices(S, b); !slices.Equal(want, got) {
				t.Fatalf("b = %d, %v: %v may be chosen, not %v", b, S, want, got)
			}
		}
	}
}

func printedChoices(S []Got, b int) []string {
	S = slices.DeleteFunc(slices.Clone(S), func(g Got) bool { return !g.Proposed.Defined() })
	found := []string{}
	orders(S, func(S []Got) {
		for i := range max(len(S)-1, 0) {
			if precedes(S[i+1], S[i]) {
				return
			}
		}
		if s := choose(S, b); s.Defined() && !slices.Contains(found, fmt.Sprint(s)) {
			found = append(found, fmt.Sprint(s))
		}
	})
	slices.Sort(found)
	return found
}

// precedes implements lines 2.36–39, "in descending order".
func precedes(x, y Got) bool {
	return x.Proposed.Version > y.Proposed.Version ||
		x.Proposed.Version == y.Proposed.Version && x.Proposer > y.Proposer
}

// orders calls a function for every order of a list.
func orders[T any](list []T, visit func([]T)) {
	var place func(k int)
	place = func(k int) {
		if k == len(list) {
			visit(list)
			return
		}
		for i := k; i < len(list); i++ {
			list[k], list[i] = list[i], list[k]
			place(k + 1)
			list[k], list[i] = list[i], list[k]
		}
	}
	place(0)
}

// Line 2.18: the highest v such that b+1 servers report a proposal of a version above v.
func TestCompleted(t *testing.T) {
	for b := range 3 {
		for k := range 6 * 6 * 6 * 6 {
			var answers []Got
			for range 4 {
				answers = append(answers, proposal(State{Version: k%6 - 1}, 1)) // −1 is ⊥
				k /= 6
			}
			want := -1
			for v := range 6 {
				above := 0
				for _, a := range answers {
					if a.Proposed.Defined() && a.Proposed.Version > v {
						above++
					}
				}
				if above >= b+1 {
					want = v
				}
			}
			if got := (&Client{cfg: believing(b)}).completed(from(answers...)); got != want {
				t.Fatalf("b = %d: %d is complete, not %d, by %v", b, want, got, answers)
			}
		}
	}
}

// Line 2.24: the operations that b+1 servers have pending, in the order of labels. The
// same label with another call is another operation.
func TestPending(t *testing.T) {
	p, q := Label{7, 1}, Label{8, 1}
	x, y := object.Append{Entry: "x"}, object.Append{Entry: "y"}
	for _, c := range []struct {
		b       int
		reports []map[Label]any
		want    []Op
	}{
		{0, nil, nil},
		{0, []map[Label]any{{}, {}}, nil},
		{0, []map[Label]any{{q: y}, {p: x}, {p: x}}, []Op{{p, x}, {q, y}}},
		{0, []map[Label]any{{p: y}, {p: x}}, []Op{{p, x}, {p, y}}},
		{1, []map[Label]any{{q: y}, {p: x}, {p: x}}, []Op{{p, x}}},
		{1, []map[Label]any{{p: y}, {p: x}, {}}, nil},
		{1, []map[Label]any{{p: y, q: x}, {p: x, q: x}, {p: y}}, []Op{{p, y}, {q, x}}},
	} {
		var answers []Got
		for _, r := range c.reports {
			answers = append(answers, Got{Pending: r})
		}
		got := believing(c.b).pending(from(answers...))
		assert.Empty(t, cmp.Diff(c.want, got, cmpopts.EquateEmpty()), "b = %d: %v", c.b, c.reports)
	}
}
