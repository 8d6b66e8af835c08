package step

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"contend/checker/internal/random"
	"contend/checker/oracle"
	"contend/model"
)

var (
	windows = regexp.MustCompile(` from (\d+) open (true|false)(?: to (\d+) open (true|false))?`)
	holds   = regexp.MustCompile(` for (\d+), open (true|false)`)
)

// inTicks reads the bounds of a text on whole ticks: an open one is a tick further in.
func inTicks(text string) string {
	number := func(t, open string, in int) int {
		n, err := strconv.Atoi(t)
		if err != nil {
			panic(err)
		}
		if open == "true" {
			n += in
		}
		return n
	}
	text = windows.ReplaceAllStringFunc(text, func(s string) string {
		m := windows.FindStringSubmatch(s)
		if m[3] == "" {
			return fmt.Sprintf(" from %d", number(m[1], m[2], 1))
		}
		return fmt.Sprintf(" from %d to %d", number(m[1], m[2], 1), number(m[3], m[4], -1))
	})
	return holds.ReplaceAllStringFunc(text, func(s string) string {
		m := holds.FindStringSubmatch(s)
		return fmt.Sprintf(" for %d", number(m[1], m[2], -1))
	})
}

// watched are the claims that monitors decide.
func watched(claims []model.Claim) []model.Claim {
	return monitored(oracle.Watched(claims))
}

// seeds are those of small random systems of every kind.
func seeds(t *testing.T) (all []uint64) {
	t.Helper()
	text, err := os.ReadFile("../../oracle/compare/testdata/seeds")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(text)) {
		seed, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, seed)
	}
	return all
}

// most states of a system that is compared.
const most = 60

// A worker takes the steps that brute force takes, from the states and to the states that it has, in random systems
// of every kind; and claims are broken, and costs are measured, on the way to the same states.
func TestStepsOfBruteForce(t *testing.T) {
	compared := map[model.Reading]int{}
	for _, seed := range seeds(t) {
		it := random.Draw(seed)
		if it.Reading == model.Dense || it.Reading == model.Grid && it.System.Forge != nil {
			continue // in time brute force also waits for what is forged and makes no difference
		}
		all := [][]model.Claim{watched(it.Claims)}
		for _, c := range it.Costs {
			if !c.AtEnd { // a search looks for ends
				all = append(all, []model.Claim{c.Claim()})
			}
		}
		for _, claims := range all {
			if d, small := differs(t, it, claims); d != "" {
				t.Fatalf("seed %d (%v): %s", seed, it, d)
			} else if small {
				compared[it.Reading]++
			}
		}
	}
	if compared[model.Untimed] < 100 || compared[model.Grid] < 60 {
		t.Errorf("only so many systems are compared: %v", compared)
	}
}

// differs tells in what the pictures of a worker and of brute force differ, unless both find the system too large.
func differs(t *testing.T, it random.Case, claims []model.Claim) (how string, small bool) {
	t.Helper()
	clock, r := oracle.None, untimed
	if it.Reading == model.Grid {
		clock, r = oracle.Whole, exact
	}
	var got *picture
	if how := FailureOf(func() { got = paint(t, working(t, it.System, r, claims...), most) }); how != "" {
		return how, true
	}
	want, err := brute(it.System, claims, clock, most)
	switch {
	case errors.Is(err, oracle.ErrLarge) && got == nil:
		return "", false
	case err != nil || got == nil:
		return fmt.Sprintf("the worker has too many states: %v, and brute force: %v", got == nil, err), true
	}
	return got.differ(want), true
}
