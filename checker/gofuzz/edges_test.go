package gofuzz

import "testing"

// Every number has its branch.
func TestEveryNumberIsTaken(t *testing.T) {
	for x := range branches {
		if got := takeBranch(x); got != x {
			t.Fatalf("%d takes the branch of %d", x, got)
		}
	}
}
