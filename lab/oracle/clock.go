package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/model"
	"contend/model/world"
)

// A Clock determines the instants of steps.
//
// Whole ticks suffice for reachability if no strict bound occurs. Then the times of a run can be rounded, all
// at one fraction of a tick, and every constraint t − t′ ≤ d with integer d still holds. With strict bounds
// this fails: between 0 and 1, both excluded, there is no whole tick.
//
// No finer grid suffices for all runs. In a run of k steps within an open interval, each step may have to
// precede the last one, so that the run needs k+1 steps a tick. Real time is therefore represented by regions
// (Alur and Dill, A theory of timed automata, 1994). The possible steps depend only on the remaining times of
// windows and holds: on their whole ticks and the order of their fractions. Two states that agree on these
// have the same steps to agreeing states, and are identified. One instant of each region is tried: each
// instant at which some fraction is 0, and the middle between two such neighbours. A tick has enough
// fractions to halve a gap 40 times. A state that needs more is too large.
type Clock int

// Clocks: untimed, whole ticks, and real time.
const (
	None Clock = iota
	Whole
	Real
)

// realParts is the number of fractions of a tick in real time.
const realParts = 1 << 40

func (c Clock) parts() int64 {
	if c == Real {
		return realParts
	}
	return 1
}

// left matches the remaining times in the text of [world.World.State]: until a window begins or ends, or a
// hold is over. The text omits past beginnings and holds.
var left = regexp.MustCompile(` (from|to|for) (-?\d+)(,? open (?:true|false))`)

// strictly reports whether a state's text contains a strict bound.
func strictly(lines []string) bool {
	for _, line := range lines {
		for _, m := range left.FindAllStringSubmatch(line, -1) {
			if m[1] == "for" || strings.HasSuffix(m[3], "true") {
				return true
			}
		}
	}
	return false
}

// times returns the times in a state's text.
func times(lines []string) []int64 {
	var all []int64
	for _, line := range lines {
		for _, m := range left.FindAllStringSubmatch(line, -1) {
			t, err := strconv.ParseInt(m[2], 10, 64)
			if err != nil {
				panic(err)
			}
			all = append(all, t)
		}
	}
	return all
}

// fraction returns a time modulo a tick.
func fraction(t int64) int64 { return (t%realParts + realParts) % realParts }

// fractions returns 0 and the distinct fractions of times, sorted.
func fractions(all []int64) []int64 {
	out := []int64{0}
	for _, t := range all {
		out = append(out, fraction(t))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// key replaces each time, in real time, by its whole ticks and the rank of its fraction.
func (c Clock) key(lines []string) []string {
	if c != Real {
		return lines
	}
	places := fractions(times(lines))
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = left.ReplaceAllStringFunc(line, func(text string) string {
			m := left.FindStringSubmatch(text)
			t, _ := strconv.ParseInt(m[2], 10, 64)
			place, _ := slices.BinarySearch(places, fraction(t))
			return fmt.Sprintf(" %s %d+%d%s", m[1], (t-fraction(t))/realParts, place, m[3])
		})
	}
	return ordered(out)
}

// ordered sorts lines again after their times changed. Messages in flight retain their order: it may be the channel's.
func ordered(lines []string) []string {
	inFlight := func(line string) bool { return strings.HasPrefix(line, model.Deliver.String()+" ") }
	slices.SortStableFunc(lines, func(a, b string) int {
		if inFlight(a) && inFlight(b) {
			return 0
		}
		return strings.Compare(a, b)
	})
	return lines
}

// instants returns the instants at which the next step is tried, until time has no further effect.
func (c Clock) instants(w *world.World) ([]world.Time, error) {
	if c == None {
		return []world.Time{w.Now}, nil
	}
	all := times(w.State())
	last := int64(0)
	for _, t := range all {
		last = max(last, t)
	}
	deadline, _ := w.Deadline()
	var at []world.Time
	if c == Whole {
		for t := w.Now; t <= min(deadline, w.Now+world.Time(last)+1); t++ {
			at = append(at, t)
		}
		return at, nil
	}
	var ends []int64
	for _, f := range fractions(all) {
		for ; f <= last+realParts; f += realParts {
			ends = append(ends, f)
		}
	}
	slices.Sort(ends)
	for i, t := range ends {
		if i > 0 {
			if t-ends[i-1] < 4 {
				return nil, ErrLarge
			}
			at = append(at, w.Now+world.Time((t+ends[i-1])/2))
		}
		at = append(at, w.Now+world.Time(t))
	}
	return slices.DeleteFunc(at, func(t world.Time) bool { return t > deadline }), nil
}
