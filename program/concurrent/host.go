//go:build !wasip1 && !contend_native

package concurrent

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"contend/program/concurrent/machine"
	"contend/program/concurrent/schedule"
)

// Test tests a body. A failing schedule fails the test. It is stored in testdata/contend, in a directory with the
// test's name, and later runs execute it first. It is an error if the package's tests do not build for
// the guest.
func (o Options) Test(t *testing.T, body func()) {
	t.Helper()
	p := o.prepared(t)
	if f := p.kept(t); f != nil {
		t.Errorf("%v\nkept in %s", f, f.By)
		return
	}
	r, err := p.search(o.bounded())
	switch {
	case err != nil:
		t.Error(err)
	case r.Skipped == r.Schedules:
		t.Skip("the body skips the test")
	default:
		t.Log(r)
	}
	if r.Failure != nil {
		t.Errorf("%v\n%s", r.Failure, p.keep(r.Failure))
	}
}

// Search looks for a schedule of the body that fails, and fails the test only if that cannot be done. It neither reads nor writes testdata/contend.
// With an error the report may have a failure too: one whose schedule could not be run again.
func (o Options) Search(t *testing.T, body func()) (*Report, error) {
	t.Helper()
	return o.prepared(t).search(o.bounded())
}

// A subject is a test whose body is run.
type subject struct {
	fresh   bool // each run begins as the first one did
	program *machine.Program
	runner  runner
	test    string
	pattern string // that runs this test alone
}

// runner runs tests, as a [machine.Program] does.
type runner interface {
	Run(test, pattern string, d machine.Driver) machine.Exit
}

// A built is the tests of this package, as one guest, to find data races or not. They are built once.
type built struct {
	guest Guest
	races bool
}

var programs sync.Map // functions by built

func (b built) program() (*machine.Program, error) {
	build, _ := programs.LoadOrStore(b, sync.OnceValues(func() (*machine.Program, error) { return machine.Build(machine.Guest(b.guest), b.races) }))
	return build.(func() (*machine.Program, error))()
}

// tested has the tests that have run a body.
var tested sync.Map

func (o Options) prepared(t *testing.T) *subject {
	t.Helper()
	if _, again := tested.LoadOrStore(t.Name(), true); again {
		t.Fatal("a test runs one body: use t.Run for another")
	}
	g, err := o.guest()
	if err != nil {
		t.Fatal(err)
	}
	p, err := built{g, !o.NoRaces}.program()
	if err != nil {
		t.Fatal(err)
	}
	return &subject{program: p, runner: p, test: t.Name(), pattern: pattern(t.Name())}
}

// pattern returns the value of -test.run for one test.
func pattern(test string) string {
	elements := strings.Split(test, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// search runs schedules until one fails or the bounds are reached. If state survives from one run to the next, so
// that the body behaves differently, it searches again with a fresh start for each run.
func (p *subject) search(o Options) (*Report, error) {
	r, err := p.searchOnce(o)
	if errors.As(err, new(*strays)) && !p.fresh {
		p.fresh = true
		return p.searchOnce(o)
	}
	return r, err
}

// strays is the error of a body that behaves differently with the same choices.
type strays struct{ text string }

func (e *strays) Error() string { return e.text }

func (p *subject) searchOnce(o Options) (*Report, error) {
	r := &Report{Complete: -1, Guest: Guest(p.program.Guest), NotNative: p.program.Why, Module: p.program.Size, Fresh: p.fresh}
	e := o.systematic()
	failing, refused, err := p.several(o, r, e)
	if err == nil && failing != nil {
		r.Failure, err = p.smallest(failing)
		r.Failure.After = r.Schedules
		if err == nil && r.Failure.By != systematic {
			p.fewer(r, e)
		}
	}
	r.covers(e)
	if err == nil && r.Failure == nil && refused != "" {
		err = &refusal{refused}
	}
	return r, err
}

// systematic makes the systematic schedules.
func (o Options) systematic() *schedule.Exhaustive {
	if o.NoReduction || o.NoRaces {
		return schedule.NewExhaustive(o.Preemptions)
	}
	return schedule.NewReduced(o.Preemptions)
}

// covers notes which systematic schedules were run.
func (r *Report) covers(e *schedule.Exhaustive) {
	r.Complete, r.All, r.GaveWay = e.Complete(), e.All() && r.Chance == 0 && r.Cut == 0, e.GaveWay()
	r.Joined = e.Joined()
	for k := 0; k <= e.Most(); k++ {
		r.Systematic = append(r.Systematic, e.Count(k))
	}
}

// systematic is the name of schedules that are not drawn.
const systematic = "systematic"

// mostFewer is how many systematic schedules are run to find one with fewer preemptions than one that was drawn, and for how long at most.
const (
	mostFewer    = 1_000
	longestFewer = 5 * time.Second
)

// fewer looks for a schedule that fails as a drawn one does, with fewer preemptions. Where there is none the drawn one stays.
func (p *subject) fewer(r *Report, e *schedule.Exhaustive) {
	var at *schedule.Branch
	left, until := mostFewer, time.Now().Add(longestFewer)
	for {
		failing, err := p.run(func() *attempt {
			if left--; left < 0 || time.Now().After(until) || e.Least() < 0 || e.Least() >= r.Failure.Preemptions {
				return nil
			}
			at = e.Next()
			return newAttempt(systematic, at)
		}, func(a *attempt) {
			r.Schedules++
			if e.Learn(at, a.run) != nil {
				left = 0
			}
		})
		if err != nil || failing == nil {
			return
		}
		if failing.outcome != r.Failure.Outcome {
			continue
		}
		if f, err := p.smallest(failing); err == nil && f.Preemptions < r.Failure.Preemptions {
			f.After, r.Failure = r.Failure.After, f
		}
		return
	}
}

// mix is the number of systematic schedules for each drawn one, while there are systematic ones.
const mix = 3

// turn reports whether a systematic schedule is next after some, while there are such. Beyond the usual bound each second one is.
func turn(after int, beyond bool) bool {
	if beyond {
		return after%2 == 0
	}
	return after < mix || after%(mix+1) != mix
}

// several runs schedules, and returns one that fails, or what the body must not do. Systematic schedules, with few
// preemptions first, alternate with drawn ones. Some bugs need few preemptions, and drawing finds others sooner.
func (p *subject) several(o Options, r *Report, e *schedule.Exhaustive) (failing *attempt, refused string, err error) {
	drawn := newDrawing(o, r)
	var at *schedule.Branch
	var stray error
	ends := false
	goesOn := p.lasts(o, r)
	failing, err = p.run(func() *attempt {
		if at = nil; r.Schedules >= o.Schedules || r.Schedules > 0 && r.Skipped == r.Schedules || stray != nil || !goesOn() {
			return nil
		}
		for !ends && turn(r.Schedules, e.Most() > o.Preemptions) {
			if at = e.Next(); at != nil {
				return newAttempt(systematic, at)
			}
			if e.All() && r.Chance == 0 {
				return nil
			}
			ends = !o.deepens || !e.Deepen()
		}
		return drawn.next()
	}, func(a *attempt) {
		r.Schedules++
		refused = cmp.Or(refused, a.refused)
		if a.skipped {
			r.Skipped++
		}
		r.Chance |= Chance(a.notes) & (RandomNumbers | MapOrder | PoolContents)
		r.Unseen = r.Unseen || a.notes&unseen != 0
		if a.cut {
			r.Cut++
		}
		if at == nil {
			drawn.done(a)
		} else if err := e.Learn(at, a.run); err != nil {
			stray = err
		}
	})
	if err == nil && stray != nil {
		err = &strays{fmt.Sprintf("the body does not do the same under the same choices: %v; something lives on from one run to the next, such as a package variable", stray)}
	}
	return failing, refused, err
}

// toldEvery is the time between two progress reports of a long search on standard error.
const toldEvery = 30 * time.Second

// lasts returns a function that reports whether the time is not up, and sometimes prints the progress.
func (p *subject) lasts(o Options, r *Report) func() bool {
	began := time.Now()
	next := began.Add(toldEvery)
	return func() bool {
		now := time.Now()
		if now.After(next) {
			next = now.Add(toldEvery)
			fmt.Fprintf(os.Stderr, "%s: %d of at most %d schedules, %v\n", p.test, r.Schedules, o.Schedules, now.Sub(began).Round(time.Second))
		}
		r.Stopped = r.Schedules > 0 && o.Timeout > 0 && now.Sub(began) >= o.Timeout
		return !r.Stopped
	}
}

// drawing draws schedules, each way in turn.
type drawing struct {
	options  Options
	report   *Report
	samplers []schedule.Sampler
	count    int
	length   float64 // of a run, in choices, on the average
}

func newDrawing(o Options, r *Report) *drawing {
	d := &drawing{options: o, report: r, samplers: schedule.Samplers(), length: 16}
	for _, s := range d.samplers {
		r.Drawn = append(r.Drawn, Drawn{By: s.Name})
	}
	return d
}

func (d *drawing) next() *attempt {
	way := d.count % len(d.samplers)
	d.report.Drawn[way].Count++
	s := d.samplers[way]
	a := newAttempt(s.Name, s.New(rand.New(rand.NewPCG(d.options.Seed, uint64(d.count))), int(d.length)))
	d.count++
	a.seed = uint64(d.count)
	return a
}

func (d *drawing) done(a *attempt) { d.length += (float64(len(a.run.Choices)) - d.length) / 16 }

// single runs one schedule in a process of its own.
func (p *subject) single(s schedule.Scheduler, seed uint64, tells bool) (*attempt, error) {
	a := newAttempt("", s)
	a.tells, a.seed = tells, seed
	next := a
	_, err := p.run(func() *attempt {
		now := next
		next = nil
		return now
	}, nil)
	return a, err
}

// mostSmaller is how many schedules are run to make one smaller, and for how long at most.
const (
	mostSmaller = 400
	longest     = 10 * time.Second
)

// smallest makes a failing schedule smaller, and records its steps. With an error, the failure is the smallest
// schedule so far, or the original.
func (p *subject) smallest(failing *attempt) (*Failure, error) {
	var broken error
	until := time.Now().Add(longest)
	fails := func(s schedule.Scheduler) *schedule.Run {
		if time.Now().After(until) {
			return nil
		}
		a, err := p.single(s, failing.seed, false)
		if err != nil {
			broken = err
		}
		if err != nil || a.outcome != failing.outcome {
			return nil
		}
		failing.run, failing.text, failing.output = a.run, a.text, a.output
		return a.run
	}
	best := fails(schedule.Guided(failing.run.Deviations()))
	if best == nil && broken == nil {
		return failing.failure(), &strays{"this schedule does not fail when it is run first: something lives on from one run to the next, such as a package variable"}
	}
	if broken == nil {
		best = schedule.Minimize(best, mostSmaller, fails)
	}
	if broken != nil {
		return failing.failure(), fmt.Errorf("the schedule that fails could not be made smaller: %w", broken)
	}
	f, err := p.told(best.Deviations(), failing.seed)
	if err != nil {
		return failing.failure(), fmt.Errorf("the schedule that fails could not be told: %w", err)
	}
	f.By = failing.by
	return f, nil
}

// told runs a schedule and records its steps.
func (p *subject) told(deviations []schedule.Deviation, seed uint64) (*Failure, error) {
	a, err := p.single(schedule.Guided(deviations), seed, true)
	if err != nil {
		return nil, err
	}
	return a.failure(), nil
}
