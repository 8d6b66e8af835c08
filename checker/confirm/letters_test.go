package confirm

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"contend/checker/search"
	"contend/lab/random"
	"contend/model"
)

// lettersSeeds is how many random systems are tried; LETTERS in the environment gives
// another number.
func lettersSeeds() uint64 {
	n, err := strconv.ParseUint(os.Getenv("LETTERS"), 10, 32)
	if err == nil {
		return n
	}
	return few(400)
}

// lettered are the claims about letters: of monitors with alarms, and that all ends well.
func lettered(r *rand.Rand, t random.Timing) []model.Claim {
	return append(t.Paced(r)[:1], claims...)
}

// Equal messages that are under way side by side, that are lost, doubled, absorbed and late,
// alarms of monitors that ring meanwhile, messages that cannot come in time: whatever is
// found, the interpreter takes the same steps, and absorption changes no verdict.
func TestLettersAreConfirmed(t *testing.T) {
	found, compared := map[string]int{}, map[string]int{}
	for seed := range lettersSeeds() {
		timing := random.Timing{Open: seed%3 == 0, Holds: seed%2 == 0}
		s := random.Letters(rand.New(rand.NewPCG(seed, 8)), timing)
		claims := lettered(rand.New(rand.NewPCG(seed, 9)), timing)
		for _, reading := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
			if reading == model.Dense && search.RefuseUndense(s) != nil {
				continue
			}
			violated, decides := [2]map[int]bool{}, true
			for i, stale := range []bool{false, true} {
				if stale && reading != model.Untimed && s.Network.Channel == model.FIFO && s.Network.Messages != nil {
					decides = false // what is behind a slow message waits for it
					continue
				}
				r, err := confirmed(t, s, claims, search.Options{
					Timed: reading != model.Untimed, Dense: reading == model.Dense, Merge: true, Stale: stale, MaxStates: 1500,
				})
				if err != nil {
					t.Errorf("seed %d, %v, stale %v, %v, %+v: %v", seed, reading, stale, s.Network.Channel, s.Faults, err)
					continue
				}
				violated[i] = map[int]bool{}
				for _, claim := range r.Violated() {
					violated[i][claim] = true
					found[fmt.Sprintf("%v, claim %d", reading, claim)]++
				}
				decides = decides && r.Limit.None() && len(spurious(r)) == 0
			}
			if !decides {
				continue
			}
			compared[reading.String()]++
			if !maps.Equal(violated[0], violated[1]) {
				t.Errorf("seed %d, %v: violated %v, with absorption %v", seed, reading, violated[0], violated[1])
			}
		}
	}
	t.Logf("confirmed %v, compared %v", found, compared)
	for _, reading := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
		if compared[reading.String()] < 10 || found[fmt.Sprintf("%v, claim 0", reading)] == 0 || found[fmt.Sprintf("%v, claim 2", reading)] == 0 {
			t.Errorf("too little was found %v for the test to mean much", reading)
		}
	}
}
