package measure

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"contend/checker/measure/simulate"
	"contend/model"
)

// Options configure a measurement.
type Options struct {
	// Contenders lists the numbers t of clients, ascending, each 1 to [model.MostClients].
	Contenders []int
	// Faulty lists names of [Behaviours] for the b faulty servers.
	Faulty []string
	Law    simulate.Law
	// Runs is the number of independent runs of each point, 2 to [MostRuns].
	Runs int
	Seed uint64
	// Workers is the number of concurrent runs, ≥ 1. The result does not depend on it.
	Workers int
	// MaxEvents bounds the events of a run, ≥ 1.
	MaxEvents int
	// Interrupt, unless nil, stops the measurement once it is closed.
	Interrupt <-chan struct{}
	// Progress, unless nil, is called about ten times a second, from the goroutine of [Measure].
	Progress func(Progress)
	// Each, unless nil, is called with each measured point. An error ends the measurement.
	Each func(Point) error
}

// Progress is the progress of a measurement.
type Progress struct {
	Series        Series
	T             int // contenders
	Runs          int // of this point
	Planned       int
	Points        int // measured
	PlannedPoints int
	Elapsed       time.Duration
}

// MostRuns is the maximum number of runs of a point.
const MostRuns = 1_000_000

// Behaviours lists the behaviours of faulty servers, with a description each.
var Behaviours = [][2]string{
	{"none", "no server is faulty; clients still tolerate b faulty ones"},
	{"silent", "the last b servers never answer, as if they had crashed before the run"},
	{"random", "each of them answers each message once, with any message that it may forge for that client then, drawn uniformly, at an instant drawn uniformly within a round trip"},
	{"worst", "each of them answers each message at once, always with the message at one position among those that it may forge: of the first 8 positions, the one that made 8 clients wait longest in 50 trial runs"},
}

// validate returns an error for the first option that is out of range, or nil.
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
