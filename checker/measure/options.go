package measure

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"contend/checker/measure/simulate"
	"contend/model"
)

// Options say what to measure, and how.
type Options struct {
	// Contenders are the numbers t of clients, ascending; each 1 to [model.MostClients].
	Contenders []int
	// Faulty names what the b servers that may be faulty do: [Behaviours].
	Faulty []string
	Law    simulate.Law
	// Runs is how many independent runs each point rests on, 2 to [MostRuns].
	Runs int
	Seed uint64
	// Workers make runs side by side, ≥ 1. Their number changes nothing in the result.
	Workers int
	// MaxEvents ends a run in which somebody still waits, ≥ 1.
	MaxEvents int
	// Interrupt, unless nil, stops the measuring when it is closed.
	Interrupt <-chan struct{}
	// Progress, unless nil, is called every now and then.
	Progress func(Progress)
	// Each, unless nil, is given each point as soon as it is measured.
	Each func(Point) error
}

// Progress is how far measuring has come.
type Progress struct {
	Series  Series
	T       int // contenders
	Runs    int // of this point
	Planned int
	Points  int // done
	Of      int
	Elapsed time.Duration
}

// MostRuns is how many runs a point may rest on.
const MostRuns = 1_000_000

// Behaviours are what faulty servers may do, with a line on each.
var Behaviours = [][2]string{
	{"none", "no server is faulty; clients still tolerate b faulty ones"},
	{"silent", "the last b servers never answer, as if they had crashed before the run"},
	{"random", "each of them answers each message once, with any message that it may forge for that client then, drawn uniformly, at an instant drawn uniformly within a round trip"},
	{"worst", "each of them answers each message at once, always with the message at one position among those that it may forge: of the first 8 positions, the one that made 8 clients wait longest in 50 trial runs"},
}

// validate says in a sentence which option is out of range, or nil.
func (o *Options) validate(c model.Config) error {
	if len(o.Contenders) == 0 {
		return fmt.Errorf("contenders: there are none")
	}
	for i, t := range o.Contenders {
		if t < 1 || t > model.MostClients {
			return fmt.Errorf("contenders has %d, but each must be 1 to %d", t, model.MostClients)
		}
		if i > 0 && t <= o.Contenders[i-1] {
			return fmt.Errorf("contenders has %d after %d, but they must ascend", t, o.Contenders[i-1])
		}
	}
	if o.Runs < 2 || o.Runs > MostRuns {
		return fmt.Errorf("runs is %d, but must be 2 to %d", o.Runs, MostRuns)
	}
	if o.MaxEvents < 1 {
		return fmt.Errorf("max-events is %d, but must be 1 or more", o.MaxEvents)
	}
	for i, name := range o.Faulty {
		if !slices.ContainsFunc(Behaviours, func(b [2]string) bool { return b[0] == name }) {
			return fmt.Errorf("faulty has %q, but each must be one of %s", name, strings.Join(behaviourNames(), ", "))
		}
		if slices.Contains(o.Faulty[:i], name) {
			return fmt.Errorf("faulty has %s twice", name)
		}
		if name != "none" && c.B == 0 {
			return fmt.Errorf("faulty has %s, but b is 0: no server may be faulty", name)
		}
	}
	return nil
}

func behaviourNames() []string {
	var names []string
	for _, b := range Behaviours {
		names = append(names, b[0])
	}
	return names
}
