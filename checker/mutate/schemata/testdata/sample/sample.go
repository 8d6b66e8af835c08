// Package main has a function for each way in which a mutant is put into a program.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

type level uint8

type pair struct{ A, B int }

func (p pair) String() string { return fmt.Sprint(p.A+1, p.B+1) } // text: no edits

func main() {
	fmt.Print(min(compare(1, 2), compare(2, 2)), " ", compared(3), " ")
	fmt.Print(logic(true, false), logic(false, true), " ")
	n, err := results(3)
	fmt.Print(n, err == nil, " ")
	_, err = results(-1)
	fmt.Print(err == nil, " ", loops([]int{1, 2, 3}), " ")
	fmt.Print(clauses(1), clauses(2), clauses("x"), " ")
	fmt.Print(exchanged(1, 2), drops(2), " ", generic(3, 4), named(2), lines(4), " ", string(appended([]byte("a"), 'b')), shadowed(1), ends(1), recovers(nil))
	os.Exit(0)
}

func compare(a, b int) int {
	if a < b && b != 0 {
		return 1
	} else if a == b {
		return 2
	}
	return 3
}

func compared(a int) bool { return a >= 3 }

func logic(a, b bool) bool {
	ok := a || b // a mutant leaves out one side
	return ok && !(a && b)
}

func results(n int) (int, error) {
	if n < 0 {
		return 0, refused("%d is %s", n, "negative")
	}
	if n > 100 {
		panic("it is too much") // that it does not panic is no edit
	}
	return n*2 + 1, nil
}

func refused(format string, args ...any) error { return errors.New(fmt.Sprintf(format, args...)) }

func loops(list []int) (sum int) {
	for i, x := range list {
		if i == 1 {
			continue
		}
		sum += x
	}
outer:
	for i := 0; i < 2; i++ {
		for {
			tick()
			sum++
			if sum > 5 {
				break outer
			}
		}
	}
	return sum
}

var ticks int

// tick ends what would be endless.
func tick() {
	if ticks++; ticks > 100 {
		panic("endless")
	}
}

func clauses(x any) string {
	switch y := x.(type) {
	case string:
		return y
	case int:
		switch y {
		case 1:
			return "one"
		default:
			y++
		}
	}
	return "other"
}

func exchanged(a, b int) int {
	p := pair{a, b}
	return sub(p.A, p.B)
}

func sub(a, b int) int { return a - b }

func drops(n int) int {
	p := &pair{}
	defer func() { p.A = 0 }()
	p.A = n
	p.B++
	set(p, 4)
	const shift = 1 << 2
	return p.A + p.B<<1 + shift
}

func set(p *pair, n int) { p.B += n }

func generic[T int | level](a, b T) T { return max(a, b) - 1 }

func named(l level) level { return l | 4 }

func lines(n int) int {
	f := func(
		m int,
	) int {
		return m + 1
	}
	return f(
		n) + len(strings.Repeat("x",
		n))
}

func appended(text []byte, b byte) []byte { return append(text, b) }

// Some edits here are no Go: the name of the type is taken, and a return would be missing.
func shadowed(l level) level {
	level := l + 1
	return level + 2
}

func ends(n int) string {
	switch n {
	case 1:
		return "first"
	default:
		return "other"
	}
}

// A call of recover stays where it is: in a function of its own it would recover nothing.
func recovers(list []string) (first string) {
	defer func() {
		if recover() != nil {
			first = ""
		}
	}()
	return list[0]
}
