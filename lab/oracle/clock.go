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

// A Clock says at which instants steps may be taken.
//
// Whole ticks are exact for whether something can happen when no bound that is met is
// strict: the times of a run can then be rounded, all at one fraction of a tick, and
// every constraint t − t′ ≤ d with d whole still holds. Strict bounds break it: between
// 0 and 1, both excluded, there is no whole tick.
//
// No finer grid will do for all runs: of k steps in an open interval each may have to
// come before the one taken last, so that a run of k steps needs k+1 steps a tick. Real
// time is therefore taken by regions (Alur and Dill, A theory of timed automata, 1994).
// What can happen depends on the time that is left of each window and hold, and there
// only on the whole ticks of it and on the order of the fractions: two states that agree
// on these can take the same steps, to states that agree again. So states are told apart
// no further, and of each region that time goes through one instant is tried: those at
// which some fraction is 0, and one half-way between any two neighbours. A tick has so
// many parts that a gap can be halved 40 times; a state that lies deeper is too large.
type Clock int

// Untimed, on whole ticks, and in real time.
const (
	None Clock = iota
	Whole
	Real
)

// realParts are the parts of a tick in real time.
const realParts = 1 << 40

func (c Clock) parts() int64 {
	if c == Real {
		return realParts
	}
	return 1
}

// A left is what [world.World.State] says of time: how long until a window begins or
// ends, or a hold is over. It says nothing of a beginning that is past, nor of a hold that
// is over.
var left = regexp.MustCompile(` (from|to|for) (-?\d+)(,? open (?:true|false))`)

// strictly reports whether a state's lines tell of a strict bound.
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

// times returns the times in a state's lines.
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

// fraction is what a time is above whole ticks.
func fraction(t int64) int64 { return (t%realParts + realParts) % realParts }

// fractions returns the distinct fractions of times, in order, with 0.
func fractions(all []int64) []int64 {
	out := []int64{0}
	for _, t := range all {
		out = append(out, fraction(t))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// key replaces, in real time, each time by its whole ticks and the place of its fraction.
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

// ordered sorts lines anew, since their times are others now: but for messages in flight,
// whose order may be that of their channel.
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

// instants returns the instants at which the next step may be taken, up to when nothing
// changes any more.
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
