package traces

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"contend/model/world"
)

// instants matches instants that fit into 64 bits.
var instants = regexp.MustCompile(`^(0|[1-9][0-9]{0,17})(/[1-9][0-9]{0,6})?$`)

// maxParts is the largest number of parts of a tick in which the times of a trace are counted.
const maxParts = 1 << 20

// Latest is the last instant that a run may reach, in parts of a tick. Adding a window to it does not overflow.
const Latest = int64(1) << 61

// An Instant is an exact time in ticks.
type Instant struct{ num, den int64 }

// ParseInstant parses a time such as "3" or "3/2". The error names the accepted form.
func ParseInstant(s string) (Instant, error) {
	if !instants.MatchString(s) {
		return Instant{}, fmt.Errorf("at is %.40q, but must be digits or digits/digits, at most 18 and 7 of them, without leading zeros", s)
	}
	num, den, _ := strings.Cut(s, "/")
	if den == "" {
		den = "1"
	}
	n, _ := strconv.ParseInt(num, 10, 64) // cannot fail: at most 18 digits
	d, _ := strconv.ParseInt(den, 10, 64)
	return Instant{n, d}, nil
}

// Whole reports whether the instant is a whole number of parts of a tick, where a tick has the given number of
// parts.
func (i Instant) Whole(parts int64) bool { return parts%i.den == 0 }

// In returns the instant in parts of a tick. Whole(parts) must be true. A result later than [Latest] is an
// error.
func (i Instant) In(parts int64) (world.Time, error) {
	per := parts / i.den
	if i.num > Latest/per {
		return 0, fmt.Errorf("at is %d/%d, which is too late to count in parts of 1/%d tick", i.num, i.den, parts)
	}
	return world.Time(i.num * per), nil
}

// Ticks formats a time of a world in ticks, as a fraction in lowest terms such as "3/2". A tick has the given
// number of parts; 0 means 1.
func Ticks(t world.Time, parts int64) string {
	parts = max(parts, 1)
	g := gcd(int64(t), parts)
	if parts == g {
		return fmt.Sprint(int64(t) / g)
	}
	return fmt.Sprintf("%d/%d", int64(t)/g, parts/g)
}

// Finer returns the least common multiple of two numbers of parts of a tick.
func Finer(a, b int64) int64 { return a / gcd(a, b) * b }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// PartsOf returns the least number of parts of a tick in which every time of the steps is whole. It is an error
// if that is more than 2²⁰.
func PartsOf(steps []Step) (int64, error) {
	parts := int64(1)
	for i, s := range steps {
		if s.At == "" {
			continue
		}
		instant, err := ParseInstant(s.At)
		if err != nil {
			return 0, fmt.Errorf("step %d: %w", i+1, err)
		}
		if parts = Finer(parts, instant.den); parts > maxParts {
			return 0, fmt.Errorf("step %d: at is %s, but then the times have no common denominator up to %d", i+1, s.At, maxParts)
		}
	}
	return parts, nil
}
