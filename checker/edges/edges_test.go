package edges

import "testing"

// Every number has its branch.
func TestEveryNumberIsTaken(t *testing.T) {
	for x := range Count {
		if got := Take(x); got != x {
			t.Fatalf("%d takes the branch of %d", x, got)
		}
	}
}
