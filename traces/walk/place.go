package walk

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"contend/traces"
)

// A Place is a position in the state space: the choices that lead there from the initial state. Its meaning
// depends only on the protocol, the variant and the configuration.
//
// The text of a place joins its choices by dots. 3 is the third entry of the moves, and f2 the second of the
// forgeries; 3@5/2 takes it at that instant in ticks, and 3:0,1 with these answers. The earliest instant is
// omitted. The initial state is "".
type Place []Choice

// A Choice is one step of a walk.
type Choice struct {
	Forged  bool   // Number is an index of forgeries
	Number  int    // from 1: the index in [contend/model/world.World.Moves] or Forgeries
	At      string // the instant in ticks; "" for the earliest, if the window includes it
	Answers []int  // the results of the choices of handlers
}

// MaxPlace is the largest length of the text of a place, in bytes.
const MaxPlace = 1 << 20

// choices matches the text of a choice, with numbers that fit into an int.
var choices = regexp.MustCompile(`^(f?)([1-9][0-9]{0,5})(?:@([0-9/]{1,26}))?(?::([0-9]{1,7}(?:,[0-9]{1,7})*))?$`)

// ParsePlace parses the text of a place. The error names the invalid choice.
func ParsePlace(text string) (Place, error) {
	if len(text) > MaxPlace {
		return nil, fmt.Errorf("place has %d bytes, but at most %d are allowed", len(text), MaxPlace)
	}
	if text == "" {
		return nil, nil
	}
	words := strings.Split(text, ".")
	place := make(Place, len(words))
	for i, word := range words {
		c, err := parseChoice(word)
		if err != nil {
			return nil, fmt.Errorf("place: choice %d is %.40q, but %w", i+1, word, err)
		}
		place[i] = c
	}
	return place, nil
}

func parseChoice(word string) (c Choice, err error) {
	if n, err := strconv.ParseUint(word, 10, 16); err == nil && n > 0 && word[0] != '0' { // the usual case
		return Choice{Number: int(n)}, nil
	}
	m := choices.FindStringSubmatch(word)
	if m == nil {
		return c, fmt.Errorf("must be a number from 1 such as 3, f2, 3@5/2 or 3:0,1")
	}
	c.Forged, c.At = m[1] != "", m[3]
	c.Number, _ = strconv.Atoi(m[2]) // cannot fail: at most six digits
	if c.At != "" {
		if _, err := traces.ParseInstant(c.At); err != nil {
			return c, err
		}
	}
	if m[4] == "" {
		return c, nil
	}
	for word := range strings.SplitSeq(m[4], ",") {
		a, _ := strconv.Atoi(word)
		c.Answers = append(c.Answers, a)
	}
	return c, nil
}

// String returns the text of the place. [ParsePlace] parses it.
func (p Place) String() string {
	var b strings.Builder
	for i, c := range p {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(c.String())
	}
	return b.String()
}

// String returns the text of the choice.
func (c Choice) String() string {
	var b strings.Builder
	if c.Forged {
		b.WriteByte('f')
	}
	b.WriteString(strconv.Itoa(c.Number))
	if c.At != "" {
		b.WriteByte('@')
		b.WriteString(c.At)
	}
	for i, a := range c.Answers {
		b.WriteByte(":,"[min(i, 1)])
		b.WriteString(strconv.Itoa(a))
	}
	return b.String()
}

// Parts returns the least number of parts of a tick in which every instant of the place is whole.
func (p Place) Parts() (int64, error) {
	var steps []traces.Step
	for _, c := range p {
		steps = append(steps, traces.Step{At: c.At})
	}
	return traces.PartsOf(steps)
}

// finest divides the number of parts of a tick of every walk.
const finest = 60
