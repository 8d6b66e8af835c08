//go:build !wasip1 && !contend_native

package concurrent

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/program/concurrent/litmus"
)

// seen is what the goroutines of a program see in a run.
type seen struct {
	program *litmus.Program
	saw     [][]int
}

func (s *seen) begins() { s.saw = make([][]int, len(s.program.Bodies)) }

func (s *seen) told(_ string, number int) {
	g, sees := number>>16, number&0xff
	s.saw[g] = append(s.saw[g], sees)
	if at := number >> 8 & 0xff; sees == litmus.Panicked {
		for last := len(s.program.Bodies[g]) - 2; at < last; at++ {
			s.saw[g] = append(s.saw[g], litmus.Nothing) // it is skipped
		}
	}
}

func (s *seen) outcome(end string) litmus.Outcome { return litmus.NewOutcome(end, s.saw) }

// comes runs a program's schedules, and returns what it comes to and what the report covers.
func comes(t *testing.T, p *litmus.Program, o Options) (*watched, *Report) {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(programVariable, string(text))
	w, r, failing := watch(t, &seen{program: p}, "TestOracle", o, false)
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

// An oracle holds programs of all families against what they can come to.
type oracle struct {
	some, many int  // programs, and with -full
	goroutines int  // at least
	races      bool // are looked for
	reduced    bool // schedules that come to a state of another are not followed
}

// What random programs come to in the schedules that are run, they can come to, and all of it where every schedule was run.
func TestOracle(t *testing.T) { oracle{some: 44, many: 5_500, goroutines: 2}.holds(t) }

// A data race is told of a program that has one in some schedule, and of no other.
func TestOracleRaces(t *testing.T) {
	oracle{some: 33, many: 3_300, goroutines: 2, races: true}.holds(t)
}

// Schedules that are left out, since they come to a state of another, lose neither an outcome nor a race, and none needs more preemptions without them.
func TestOracleReduced(t *testing.T) {
	oracle{some: 66, many: 5_500, goroutines: 3, races: true, reduced: true}.holds(t)
}

// holds draws programs: a few, or many with -full.
func (o oracle) holds(t *testing.T) {
	some, schedules := o.some, 100
	if flag.Lookup("full").Value.String() == "true" {
		some, schedules = o.many, 300
	}
	families := litmus.Families()
	for i := range families {
		f := &families[i]
		t.Run(f.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			all, level, raced := 0, 0, 0
			for n := 0; n < some/len(families) && !t.Failed(); n++ {
				report, has := o.program(t, f, r, schedules)
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

// options draws how many instructions a program has, and which of its schedules are run.
func (o oracle) options(r *rand.Rand, schedules int) (int, Options) {
	is := Options{Preemptions: 1 + r.IntN(2), Schedules: schedules, Seed: r.Uint64(), NoRaces: !o.races, NoReduction: !o.reduced}
	size := 3 + r.IntN(6)
	if o.reduced {
		size, is.Preemptions, is.Schedules = 3+r.IntN(4), 2+r.IntN(3), 3*schedules
	}
	if r.IntN(4) == 0 { // all schedules of a small program
		size, is.Preemptions, is.Schedules = 2+r.IntN(3), 20, 5*schedules
		if is.deepens = r.IntN(2) == 0; is.deepens {
			is.Preemptions = 1
		}
	}
	return size, is
}

// program draws a program of a family and holds it against what it can come to. It reports whether the program has a race.
func (o oracle) program(t *testing.T, f *litmus.Family, r *rand.Rand, schedules int) (*Report, bool) {
	t.Helper()
	for {
		size, options := o.options(r, schedules)
		p := f.Draw(r, size, o.races && !o.reduced || r.IntN(3) == 0)
		if len(p.Bodies) < o.goroutines {
			continue
		}
		if o.races {
			p.Define()
		}
		want, err := p.Everything(mostStates, o.races)
		_, raced := want[litmus.HasRaced]
		if err != nil || len(want) < 2 && !raced && r.IntN(30) > 0 || raced && r.IntN(2) > 0 {
			continue
		}
		if hangs(want) { // stacks are written in each run that does
			if r.IntN(6) > 0 {
				continue
			}
			options.Schedules = schedules / 5
		}
		met, report := comes(t, p, options)
		if bad := compared(met, want, report, f.Bounded); bad != "" {
			t.Errorf("%s\n%v%v\nmet  %v\nmade %v\nwant %v", bad, p, report, met.outcomes, met.made, want)
		}
		return report, raced
	}
}

// timed are programs with timers that the random ones rarely contain.
var timed = []struct {
	name    string
	program litmus.Program
	options Options
}{
	{"a timer is set while the goroutine at a point is preempted", litmus.Program{Counts: [litmus.Objects]int{0, 1}, Bodies: [][]litmus.Instruction{
		{{Op: litmus.Go, On: 1}, {Op: litmus.Read}, {Op: litmus.Sleep, Value: 1}, {Op: litmus.Wait, On: 1}},
		{{Op: litmus.Sleep, Value: 2}, {Op: litmus.Write}, {Op: litmus.AddAtomic}, {Op: litmus.Done, On: 1}},
	}}, Options{Preemptions: 2, Schedules: 300, NoRaces: true, NoReduction: true}},
	{"nothing orders two timers", litmus.Program{Counts: [litmus.Objects]int{0, 2}, Bodies: [][]litmus.Instruction{
		{{Op: litmus.Go, On: 1}, {Op: litmus.Select, Cases: litmus.Cases{After: 2}}, {Op: litmus.Write}, {Op: litmus.Wait, On: 1}},
		{{Op: litmus.Write}, {Op: litmus.Select, Cases: litmus.Cases{After: 1}}, {Op: litmus.Done, On: 1}},
	}}, Options{Preemptions: 1, Schedules: 100}},
}

// Programs with timers come to what they can come to.
func TestOracleTimers(t *testing.T) {
	for _, c := range timed {
		t.Run(c.name, func(t *testing.T) {
			want, err := c.program.Everything(mostStates, !c.options.NoRaces)
			if err != nil {
				t.Fatal(err)
			}
			met, report := comes(t, &c.program, c.options)
			if bad := compared(met, want, report, true); bad != "" {
				t.Errorf("%s\n%v%v\nmet  %v\nmade %v\nwant %v", bad, &c.program, report, met.outcomes, met.made, want)
			}
		})
	}
}

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
	if met.strays != "" {
		return met.strays
	}
	if _, raced := met.made[litmus.HasRaced]; raced {
		return "" // the search ended there
	}
	for is, need := range want {
		k, made := met.made[is]
		within := bounded && need <= r.Complete
		if !made && (r.All || within) {
			return fmt.Sprintf("%q is missing, and needs %d preemptions", is, need)
		}
		if within && k > need {
			return fmt.Sprintf("%q is made with %d preemptions, and needs %d", is, k, need)
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
