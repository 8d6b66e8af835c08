// Package gofuzz is the interface between a fuzz target and go test -fuzz: the states of a run, the flag for
// minimizing inputs, and the stored inputs.
package gofuzz

// The fuzzer only observes the branches of the program that a run takes. Here each number of a range has a
// branch. A run takes one for each state of its nodes, so a new state is new to the fuzzer.

// branches is the number of branches.
const branches = 1 << 12

// takeBranch takes the branch of a number in [0, branches), and returns the number.
func takeBranch(x int) int {
	groups := [...]func(int) int{
		group[[0]byte], group[[1]byte], group[[2]byte], group[[3]byte],
		group[[4]byte], group[[5]byte], group[[6]byte], group[[7]byte],
		group[[8]byte], group[[9]byte], group[[10]byte], group[[11]byte],
		group[[12]byte], group[[13]byte], group[[14]byte], group[[15]byte],
	}
	return groups[x>>8](x&255) | x&^255
}

// group has 256 branches. The compiler instantiates it with separate counters for each size of T.
//
//go:noinline
func group[T any](x int) int {
	rows := [...]func(int) int{
		row[pair[T, [0]byte]], row[pair[T, [1]byte]], row[pair[T, [2]byte]], row[pair[T, [3]byte]],
		row[pair[T, [4]byte]], row[pair[T, [5]byte]], row[pair[T, [6]byte]], row[pair[T, [7]byte]],
		row[pair[T, [8]byte]], row[pair[T, [9]byte]], row[pair[T, [10]byte]], row[pair[T, [11]byte]],
		row[pair[T, [12]byte]], row[pair[T, [13]byte]], row[pair[T, [14]byte]], row[pair[T, [15]byte]],
	}
	return rows[x>>4](x&15) | x&^15
}

// A pair has a distinct type for each two types.
type pair[A, B any] struct {
	_ A
	_ B
}

//go:noinline
func row[T any](x int) int {
	switch x {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return 2
	case 3:
		return 3
	case 4:
		return 4
	case 5:
		return 5
	case 6:
		return 6
	case 7:
		return 7
	case 8:
		return 8
	case 9:
		return 9
	case 10:
		return 10
	case 11:
		return 11
	case 12:
		return 12
	case 13:
		return 13
	case 14:
		return 14
	}
	return 15
}
