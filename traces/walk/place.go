package walk

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"contend/traces"
)

// A Place is where a walk is: what was taken from the beginning on. With the protocol, its variant and
// the configuration it says all, in any run of the tool.
//
// Its text has the choices one after the other, with dots between them: 3 is the third of what
// might happen next, f2 the second of what might be forged; 3@5/2 takes it at that instant, in ticks,
// and 3:0,1 with these answers. Of an instant that is the earliest, and of answers that nobody asks
// for, nothing is said. The beginning is the empty text.
type Place []Choice

// A Choice is what a walk takes in a step.
type Choice struct {
	Forged  bool   // it is among what may be forged
	Number  int    // from 1: its place in [contend/model/world.World.Moves], or in Forgeries
	At      string // the instant in ticks; "" for the earliest, where that belongs to the window
	Answers []int  // to what its handlers ask
}

// MaxPlace is how many bytes the text of a place has at most.
const MaxPlace = 1 << 20

// choices bounds what a choice may look like before anything is computed with it.
var choices = regexp.MustCompile(`^(f?)([1-9][0-9]{0,5})(?:@([0-9/]{1,26}))?(?::([0-9]{1,7}(?:,[0-9]{1,7})*))?$`)

// ParsePlace reads the text of a place. The error names the choice that is none.
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
	if n, err := strconv.ParseUint(word, 10, 16); err == nil && n > 0 && word[0] != '0' { // as most are
		return Choice{Number: int(n)}, nil
	}
	m := choices.FindStringSubmatch(word)
	if m == nil {
		return c, fmt.Errorf("must be a number from 1 such as 3, f2, 3@5/2 or 3:0,1")
	}
	c.Forged, c.At = m[1] != "", m[3]
	c.Number, _ = strconv.Atoi(m[2]) // of six digits at most, as answers are of seven
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

// String is the text that [ParsePlace] reads.
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

// String is the text of the choice in that of a place.
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

// Parts is the least number of parts of a tick in which a walk can count that comes to the place.
func (p Place) Parts() (int64, error) {
	var steps []traces.Step
	for _, c := range p {
		steps = append(steps, traces.Step{At: c.At})
	}
	return traces.PartsOf(steps)
}

// finest are the parts of a tick in which a walk may name an instant, at the least.
const finest = 60
