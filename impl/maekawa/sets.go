package maekawa

import (
	"fmt"
	"slices"

	"contend/model"
)

// Sets is the kind of voting sets.
var Sets = model.Param[int]{
	Name: "sets", Meaning: "the voting sets: 0 smallest, 1 rows and columns of a grid, 2 majorities, 3 halves, which do not all meet",
	Most: 3,
}

// The families of [Sets].
const (
	smallest = iota
	grid
	majorities
	halves
)

// mostProcesses is the largest number of processes for which the smallest family is listed.
const mostProcesses = 13

// plane are the voting sets of the lecture, for seven processes.
var plane = [][]model.NodeID{
	{0, 1, 2},
	{1, 3, 5},
	{2, 4, 5},
	{0, 3, 4},
	{1, 4, 6},
	{0, 5, 6},
	{2, 3, 6},
}

// bases are the sets S_0, by N. All other sets are turns of S_0: S_i = {i + s mod N: s in S_0}. The differences of two
// members of S_0 are all numbers modulo N, so any two turns meet. At 7 and 13 the turns are the lines of a projective
// plane.
var bases = [mostProcesses + 1][]int{
	1: {0}, 2: {0, 1}, 3: {0, 1}, 4: {0, 1, 2}, 5: {0, 1, 2}, 6: {0, 1, 3}, 7: {0, 1, 3},
	8: {0, 1, 2, 4}, 9: {0, 1, 2, 5}, 10: {0, 1, 2, 5}, 11: {0, 1, 2, 5}, 12: {0, 1, 3, 7}, 13: {0, 1, 3, 9},
}

// family returns the voting sets of a configuration.
func family(c model.Config) [][]model.NodeID {
	switch Sets.Of(c) {
	case grid:
		return crosses(c.N)
	case majorities:
		return turns(c.N, interval(c.N/2+1))
	case halves:
		return turns(c.N, interval(max(1, c.N/2)))
	}
	if c.N == len(plane) {
		return plane
	}
	return turns(c.N, bases[c.N])
}

// turns returns the n turns of a set.
func turns(n int, base []int) [][]model.NodeID {
	sets := make([][]model.NodeID, n)
	for i := range sets {
		for _, s := range base {
			sets[i] = append(sets[i], model.NodeID((i+s)%n))
		}
		slices.Sort(sets[i])
	}
	return sets
}

// interval returns the numbers 0 to k-1.
func interval(k int) []int {
	all := make([]int, k)
	for i := range all {
		all[i] = i
	}
	return all
}

// crosses returns, for each process, its row and column of a grid. The grid is as square as possible without an empty
// place.
func crosses(n int) [][]model.NodeID {
	columns := n
	for w := n; w*w >= n; w-- {
		if n%w == 0 {
			columns = w
		}
	}
	sets := make([][]model.NodeID, n)
	for i := range n {
		for j := range n {
			if i/columns == j/columns || i%columns == j%columns {
				sets[i] = append(sets[i], model.NodeID(j))
			}
		}
	}
	return sets
}

// check returns an error that names the first missing property of voting sets: "p_i in S_i", "all the voting sets have
// the same size K", "each process belongs to M sets", "intersection of any two voting sets is non-empty".
func check(sets [][]model.NodeID) error {
	in := make([]int, len(sets)) // by process: the number of its sets
	for i, set := range sets {
		if !slices.Contains(set, model.NodeID(i)) {
			return fmt.Errorf("the voting set of p%d is %v, but must contain %d", i, set, i)
		}
		if len(set) != len(sets[0]) {
			return fmt.Errorf("the voting sets of p0 and p%d have %d and %d members, but all must have the same number", i, len(sets[0]), len(set))
		}
		for _, id := range set {
			in[id]++
		}
	}
	for i, m := range in {
		if m != in[0] {
			return fmt.Errorf("p0 and p%d belong to %d and %d voting sets, but each must belong to the same number", i, in[0], m)
		}
	}
	for i := range sets {
		for j := range i {
			if shared(sets[j], sets[i]) == 0 {
				return fmt.Errorf("the voting sets of p%d and p%d are %v and %v, but any two must have a member in common", j, i, sets[j], sets[i])
			}
		}
	}
	return nil
}

// shared returns the number of common members of two sets.
func shared(a, b []model.NodeID) (n int) {
	for _, id := range a {
		if slices.Contains(b, id) {
			n++
		}
	}
	return n
}
