// Maps tells in which order maps are that have pointers in their keys: alone, in structures, and in interfaces.
package main

import (
	"fmt"

	"contend/program/sim"
)

func init() { sim.Main(main) }

type link struct{ from, to *int }

type long struct {
	of [9]*int
	n  int
}

func main() {
	pointers, links, named, longs := map[*int]int{}, map[link]int{}, map[any]int{}, map[long]int{}
	for i := range 100 {
		a, b := new(int), new(int)
		pointers[a] = i
		links[link{a, b}] = i
		named[struct {
			at   *int
			name string
		}{a, "name"}] = i
		longs[long{of: [9]*int{1: b, 5: a}}] = i
	}
	for {
		sim.Invoked()
		sim.Return(fmt.Sprint(order(pointers), order(links), order(named), order(longs)))
	}
}

func order[K comparable](m map[K]int) (all []int) {
	for _, i := range m {
		all = append(all, i)
	}
	return all
}
