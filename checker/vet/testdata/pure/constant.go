package pure

import "contend/model"

// Package-level variables that functions read only, by whatever name.
var (
	ranks  = map[string]int{"a": 1}
	grid   = [][]int{{1, 2}, {3}}
	origin = &place{at: map[string]int{"a": 1}}
	square = func(n int) int { m := n; m *= n; return m }
	double = times(2)
)

type place struct {
	N  int
	at map[string]int
}

func (p *place) rank(name string) int { return p.at[name] }

// moved changes a copy.
func (p place) moved() place { p.N++; return p }

// set changes what it is called on.
func (p *place) set(name string) { p.at[name]++ }

func times(k int) func(int) int { return func(n int) int { return k * n } }

// fresh writes to a map of its own, which it has from another function than its parameter.
func fresh(in map[string]int) map[string]int {
	out := in
	out = map[string]int{}
	out["a"] = in["a"]
	return out
}

// last changes a local slice that begins as a part of another.
func last(in [][]int) int {
	row := in[0]
	row = []int{row[0]}
	row[0]++
	return row[0]
}

// Constant uses them.
type Constant struct{ N int }

// Receive writes to a place of its own.
func (s *Constant) Receive(env model.Env, from model.NodeID, _ any) {
	here := &place{at: fresh(ranks)}
	here.set("a")
	s.N = here.rank("a") + origin.rank("a") + origin.moved().N + last(grid) + square(2) + double(3)
	env.Send(from, s.N)
}
