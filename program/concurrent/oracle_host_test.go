//go:build !wasip1

package concurrent

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/program/concurrent/litmus"
	"contend/program/concurrent/machine"
	"contend/program/concurrent/schedule"
)

// watcher notes what a program comes to in each run, and has a search go on when that is a failure.
type watcher struct {
	*session
	of *watched
}

// watched is what a program came to, with the least number of preemptions.
type watched struct {
	runner
	program  *litmus.Program
	saw      [][]int
	outcomes map[litmus.Outcome]int
	made     map[litmus.Outcome]bool // by systematic schedules
}

func (w *watched) Run(test, pattern string, d machine.Driver) machine.Exit {
	return w.runner.Run(test, pattern, &watcher{d.(*session), w})
}

func (w *watcher) Next() machine.Next {
	w.of.saw = make([][]int, len(w.of.program.Bodies))
	return w.session.Next()
}

func (w *watcher) Where(function, _ string, line int) {
	if function != litmusMark {
		return // of a schedule that is told
	}
	g, sees := line>>16, line&0xff
	w.of.saw[g] = append(w.of.saw[g], sees)
	if at := line >> 8 & 0xff; sees == litmus.Panicked {
		for last := len(w.of.program.Bodies[g]) - 2; at < last; at++ {
			w.of.saw[g] = append(w.of.saw[g], litmus.Nothing) // it is skipped
		}
	}
}

func (w *watched) notes(end string, a *attempt) {
	is, preemptions := litmus.NewOutcome(end, w.saw), a.run.Preemptions
	w.made[is] = w.made[is] || a.by == systematic
	if was, known := w.outcomes[is]; !known || preemptions < was {
		w.outcomes[is] = preemptions
	}
}

func (w *watcher) Ended(outcome uint32, text string, notes uint32) {
	w.of.notes(Outcome(outcome).String(), w.at)
	if is := Outcome(outcome); is == Deadlock || is == Leak {
		outcome = uint32(Passed)
	}
	w.session.Ended(outcome, text, notes)
}

func (w *watcher) Raced(text string) {
	w.of.notes(litmus.HasRaced, w.at)
	w.session.Raced(text)
}

// comes runs a program's schedules, and returns what it comes to and what the report covers.
func comes(t *testing.T, p *litmus.Program, build func() (*machine.Program, error), o Options) (*watched, *Report) {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(programVariable, string(text))
	w := &watched{runner: program, program: p, outcomes: map[litmus.Outcome]int{}, made: map[litmus.Outcome]bool{}}
	s := &subject{program: program, runner: w, test: "TestOracle", pattern: "^TestOracle$"}
	r, e := &Report{}, schedule.NewExhaustive(o.Preemptions)
	failing, _, err := s.several(o, r, e)
	if err != nil {
		t.Fatalf("%v\n%v", err, p)
	}
	r.covers(e)
	switch {
	case failing == nil || failing.outcome == Race:
	case failing.outcome == Endless:
		w.notes(litmus.Spins, failing)
	default:
		t.Errorf("%v: %s\n%v", failing.outcome, failing.text, p)
	}
	return w, r
}

// mostStates is how many states a program has at most.
const mostStates = 20_000

// What random programs come to in the schedules that are run, they can come to, and all of it where every schedule was run.
func TestOracle(t *testing.T) { oracle(t, 66, 7_700, false) }

// A data race is told of a program that has one in some schedule, and of no other.
func TestOracleRaces(t *testing.T) { oracle(t, 33, 3_300, true) }

// oracle holds programs of all families against what they can come to: a few, or many with -full.
func oracle(t *testing.T, some, many int, races bool) {
	schedules := 100
	if flag.Lookup("full").Value.String() == "true" {
		some, schedules = many, 300
	}
	families := litmus.Families()
	for i := range families {
		f := &families[i]
		t.Run(f.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			all, level, raced := 0, 0, 0
			for n := 0; n < some/len(families) && !t.Failed(); n++ {
				report, has := holds(t, f, r, races, schedules)
				switch {
				case report.All:
					all++
				case report.Complete >= 0:
					level++
				}
				if has {
					raced++
				}
			}
			t.Logf("of %d programs %d with all schedules, %d up to a number of preemptions, %d with a race", some/len(families), all, level, raced)
			if all+level+raced == 0 {
				t.Error("nothing was complete")
			}
		})
	}
}

// holds draws a program of a family and holds it against what it can come to. It reports whether the program has a race.
func holds(t *testing.T, f *litmus.Family, r *rand.Rand, races bool, schedules int) (*Report, bool) {
	t.Helper()
	for {
		o := Options{Preemptions: 1 + r.IntN(2), Schedules: schedules, Seed: r.Uint64()}
		size := 3 + r.IntN(6)
		if r.IntN(4) == 0 { // all schedules of a small program
			size, o.Preemptions, o.Schedules = 2+r.IntN(3), 20, 5*schedules
		}
		p := f.Draw(r, size, races || r.IntN(3) == 0)
		want, err := p.Everything(mostStates, races)
		_, raced := want[litmus.HasRaced]
		if err != nil || len(want) < 2 && !raced && r.IntN(30) > 0 || raced && r.IntN(2) > 0 {
			continue
		}
		if hangs(want) { // stacks are written in each run that does
			if r.IntN(6) > 0 {
				continue
			}
			o.Schedules = schedules / 5
		}
		build := built
		if races {
			build = raceBuilt
		}
		met, report := comes(t, p, build, o)
		if bad := compared(met, want, report, f.Bounded); bad != "" {
			t.Errorf("%s\n%v%v\nmet  %v\nwant %v", bad, p, report, met.outcomes, want)
		}
		return report, raced
	}
}

// raceBuilt builds with data races looked for.
var raceBuilt = raced

// compared says how what was met and what there is differ.
func compared(met *watched, want map[litmus.Outcome]int, r *Report, bounded bool) string {
	for is, k := range met.outcomes {
		need, can := want[is]
		if !can {
			return fmt.Sprintf("%q cannot be", is)
		}
		if bounded && r.GaveWay == 0 && k < need {
			return fmt.Sprintf("%q with %d preemptions, and needs %d", is, k, need)
		}
	}
	if _, raced := met.outcomes[litmus.HasRaced]; raced {
		return "" // the search ended there
	}
	for is, k := range want {
		if !met.made[is] && (r.All || bounded && k <= r.Complete) {
			return fmt.Sprintf("%q is missing, and needs %d preemptions", is, k)
		}
	}
	return ""
}

// hangs reports whether a program may wait for ever.
func hangs(want map[litmus.Outcome]int) bool {
	for is := range want {
		if !strings.HasPrefix(string(is), litmus.Returns) && is != litmus.HasRaced {
			return true
		}
	}
	return false
}
