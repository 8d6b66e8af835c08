package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/model"
)

// A toy is an object of the kind that model/foreign makes nodes of. It has shared and cyclic pointers, maps
// with pointers in keys, slices of one array, interior pointers, and interfaces. A random program determines
// its reaction to a word.
type toy struct {
	regs  [3]*cell
	ints  [2][]int
	at    [2]*int
	held  [2]any
	keys  map[any]int
	pairs map[[2]*cell]bool
	bad   bool

	program map[string][]action // constant

	// The dump omits the following fields, or states do.
	hidden struct {
		count int
		words string
	}
	note func() int
}

type cell struct {
	n    int
	next *cell
	of   map[*cell]int
	list []*cell
}

// sealed returns values of two types with the same name and structure. The field dumps of the two types are
// equal.
func sealed(signed bool) any {
	if signed {
		type seal struct{ is int64 }
		return &seal{is: 0}
	}
	type seal struct{ is uint64 }
	return &seal{is: 0}
}

// An action is an operation of a toy with operands.
type action struct{ op, i, j, k int }

// Numbers of operations. The effects of tame operations are functions of the dump.
const (
	tame = 22
	wild = 26
)

func drawAction(r *rand.Rand, ops int) action {
	return action{r.IntN(ops), r.IntN(3), r.IntN(3), r.IntN(4)}
}

// drawProgram draws a toy's program. Some words end in tests that make the toy bad.
func drawProgram(r *rand.Rand, words []string, ops int) map[string][]action {
	p := map[string][]action{}
	for _, word := range words {
		for range 2 + r.IntN(4) {
			p[word] = append(p[word], drawAction(r, ops))
		}
	}
	for range 1 + r.IntN(3) {
		word := words[r.IntN(len(words))]
		p[word] = append(p[word], action{wild, r.IntN(3), r.IntN(3), r.IntN(tests(ops))})
	}
	return p
}

// addEmptySlices adds empty slices with or without capacity to a program. They have no effect. But if the program
// copies slices, two slices may share the capacity, and a dump shows this: emptied reports whether the
// program does so.
func addEmptySlices(p map[string][]action, words []string, r *rand.Rand) (shares bool) {
	for _, word := range words {
		if r.IntN(2) == 0 {
			p[word] = append([]action{{op: empty, i: r.IntN(2), k: r.IntN(2)}}, p[word]...)
		}
		shares = shares || slices.ContainsFunc(p[word], func(a action) bool { return a.op == copied })
	}
	return shares
}

const (
	empty  = -1
	copied = 12
)

func (t *toy) Receive(_ model.Env, _ model.NodeID, m any) { t.hear(m.(string)) }

func (t *toy) hear(word string) {
	t.hidden.words += word
	for _, a := range t.program[word] {
		switch {
		case a.op == empty:
			t.ints[a.i] = make([]int, 0, a.k)
		case a.op < 11:
			t.link(a)
		case a.op < wild:
			t.write(a)
		default:
			t.bad = t.bad || t.test(a)
		}
	}
}

// link changes pointers.
func (t *toy) link(a action) {
	c, other := t.regs[a.i], t.regs[a.j]
	switch a.op {
	case 0:
		t.regs[a.i] = &cell{n: a.k % 2}
	case 1:
		t.regs[a.i] = other
	case 2:
		if c != nil {
			c.next = other
		}
	case 3:
		if c != nil && c.next != nil {
			t.regs[a.j] = c.next
		}
	case 4:
		if c != nil {
			if c.of == nil {
				c.of = map[*cell]int{}
			}
			c.of[other] = a.k % 2
		}
	case 5:
		t.keys[c] = a.k % 2
	case 6:
		t.keys[[2]*cell{c, other}] = a.k % 2
	case 7:
		delete(t.keys, any(c))
	case 8:
		t.pairs[[2]*cell{c, other}] = a.k > 1
	case 9:
		if c != nil && len(c.list) < 3 {
			c.list = append(c.list[:len(c.list):len(c.list)], other)
		}
	case 10:
		t.held[a.i%2] = []any{c, a.k, sealed(true), sealed(false)}[a.k]
	}
}

// write changes values.
func (t *toy) write(a action) {
	c, s := t.regs[a.i], &t.ints[a.i%2]
	switch a.op {
	case 11:
		if c != nil {
			c.n = 1 - c.n
		}
	case copied:
		*s = t.ints[1-a.i%2]
	case 13:
		*s = []int{a.k % 2, 0}
	case 14:
		if len(*s) > 1 {
			*s = (*s)[1:]
		}
	case 15, 16:
		if len(*s) > 0 {
			(*s)[0] ^= 1
		}
	case 17:
		if c != nil {
			t.at[a.j%2] = &c.n
		}
	case 18:
		if len(*s) > 0 {
			t.at[a.j%2] = &(*s)[len(*s)-1]
		}
	case 19, 20:
		if at := t.at[a.j%2]; at != nil {
			*at ^= 1
		}
	case 21:
		t.held[a.i%2] = t.at[a.j%2]
	case 22:
		t.hidden.count++
	case 23:
		if n := 0; t.note == nil {
			t.note = func() int { n++; return n }
		}
	case 24:
		if len(*s) < 4 {
			*s = append(*s, a.k%2) // possibly in the array of another slice
		}
	case 25:
		if len(*s) > 0 {
			*s = (*s)[:1]
		}
	}
}

// tests returns the number of tests for tame or for all operations.
func tests(ops int) int {
	if ops == tame {
		return 9
	}
	return 12
}

// test evaluates a condition on a toy.
func (t *toy) test(a action) bool {
	c, other, s := t.regs[a.i], t.regs[a.j], t.ints[a.i%2]
	switch a.k {
	case 0:
		return c != nil && c == other && a.i != a.j
	case 1:
		return c != nil && c.of[other] == 1
	case 2:
		return t.keys[c] == 1
	case 3:
		return t.keys[[2]*cell{c, other}] == 1
	case 4:
		return t.pairs[[2]*cell{other, c}]
	case 5:
		return len(s) > 0 && len(t.ints[1-a.i%2]) > 0 && &s[0] == &t.ints[1-a.i%2][0] && s[0] == 1
	case 6:
		return t.at[0] != nil && *t.at[0] == 1 && (t.held[0] == any(t.at[0]) || t.at[0] == t.at[1] || c != nil && t.at[0] == &c.n)
	case 7:
		return fmt.Sprintf("%T", t.held[0]) == "*compare.seal" && fmt.Sprintf("%#v", t.held[0]) == fmt.Sprintf("%#v", sealed(false))
	case 8:
		return c != nil && c.next != nil && c.next.next == c && c.next != c
	case 9:
		return t.hidden.count == 3
	case 10:
		return t.note != nil && t.note() == 3
	}
	return len(t.hidden.words) == 5 && t.hidden.words[4] > t.hidden.words[0] && t.hidden.words[1] > t.hidden.words[2]
}
