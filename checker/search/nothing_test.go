package search

import (
	"fmt"
	"testing"

	"contend/model"
)

// A state of which nothing is left, since all nodes are down, nothing is pending and no
// fault may strike any more, has the fingerprint zero. It is a state like any other: it is
// counted once, and so is what comes after it, whether the search keeps the least parents of
// states or not.
func TestNothingIsAState(t *testing.T) {
	before := exactUntil
	defer func() { exactUntil = before }()
	for _, exactUntil = range []int64{before, 0} {
		for _, wide := range []bool{false, true} {
			t.Run(fmt.Sprintf("exact until %d/wide=%v", exactUntil, wide), func(t *testing.T) {
				s := system(peer("p", scripted{}), made("s", model.Server, scripted{}, nil))
				s.Faults = model.Faults{Crashes: 1, Restarts: 1}
				// The server has not crashed, is down, or is up again; the peer is up, or down.
				if r, want := explore(t, s, Options{Wide: wide}), (size{6, 7, 3}); r.size() != want || !r.Complete {
					t.Errorf("%+v, want %+v", r.size(), want)
				}
			})
		}
	}
}
