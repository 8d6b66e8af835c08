package traces

import (
	"testing"

	"contend/model/world"
)

func TestEndsInWords(t *testing.T) {
	for _, c := range []struct {
		n     *NoReturn
		text  string
		after int
		ok    bool
	}{
		{nil, "", 0, false},
		{&NoReturn{After: 0}, "from here on the goal cannot be reached", 0, true},
		{&NoReturn{After: 3}, "from here on the goal cannot be reached", 3, true},
		{&NoReturn{After: 3, AtLatest: true}, "from here on, at the latest, the goal cannot be reached", 3, true},
		{&NoReturn{After: -1}, "the goal can be reached still, but the run does not go there", 0, false},
		{&NoReturn{Unknown: "cut"}, "it is not known from where on the goal cannot be reached: the limit is cut", 0, false},
	} {
		if after, ok := c.n.Point(); c.n.String() != c.text || after != c.after || ok != c.ok {
			t.Errorf("%+v: %q, point %d, %v", c.n, c.n.String(), after, ok)
		}
	}
	steps := make([]Step, 4)
	for loop, want := range []string{"", "steps 1 to 4 repeat for ever", "steps 2 to 4 repeat for ever", "steps 3 to 4 repeat for ever", "step 4 repeats for ever"} {
		if got := (&Trace{Loop: loop, Steps: steps}).Rounds(); got != want {
			t.Errorf("loop %d: %q, want %q", loop, got, want)
		}
	}
}

func TestTicksAreInLowestTerms(t *testing.T) {
	for _, c := range []struct {
		time, parts int64
		want        string
	}{{0, 1, "0"}, {7, 1, "7"}, {7, 0, "7"}, {6, 4, "3/2"}, {8, 4, "2"}, {3, 4, "3/4"}, {6, 12, "1/2"}, {0, 12, "0"}} {
		if got := Ticks(world.Time(c.time), c.parts); got != c.want {
			t.Errorf("%d parts of which %d are a tick: %s, want %s", c.time, c.parts, got, c.want)
		}
	}
}
