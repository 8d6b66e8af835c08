//go:build !wasip1

package concurrent

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"

	"contend/checker/concurrent/machine"
	"contend/checker/concurrent/schedule"
)

// Test tests a body. A schedule that fails fails the test. It is kept in testdata/contend, in a directory of the test's name, where it is run first
// from then on. It is an error if the tests of the package do not build for WebAssembly.
func (o Options) Test(t *testing.T, body func()) {
	t.Helper()
	p := o.prepared(t)
	if f := p.kept(t); f != nil {
		t.Errorf("%v\nkept in %s", f, f.By)
		return
	}
	r, err := p.search(o.bounded())
	if err != nil {
		t.Error(err)
	} else {
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

// subject is a test whose body is run.
type subject struct {
	program *machine.Program
	test    string
	pattern string // that runs this test alone
}

// built and raced build the tests of this package once, the latter to find data races.
var (
	built = sync.OnceValues(func() (*machine.Program, error) { return machine.Build(false) })
	raced = sync.OnceValues(func() (*machine.Program, error) { return machine.Build(true) })
)

// tested are the tests that have run a body.
var tested sync.Map

func (o Options) prepared(t *testing.T) *subject {
	t.Helper()
	if _, again := tested.LoadOrStore(t.Name(), true); again {
		t.Fatal("a test runs one body: use t.Run for another")
	}
	build := raced
	if o.NoRaces {
		build = built
	}
	p, err := build()
	if err != nil {
		t.Fatal(err)
	}
	elements := strings.Split(t.Name(), "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return &subject{p, t.Name(), strings.Join(elements, "/")}
}

// search runs schedules until one fails or the bounds are met.
func (p *subject) search(o Options) (*Report, error) {
	r := &Report{Complete: -1, Module: p.program.Size}
	failing, err := p.systematic(o, r)
	if err == nil && failing == nil && !r.All {
		failing, err = p.drawn(o, r)
	}
	if err != nil || failing == nil {
		return r, err
	}
	r.Failure, err = p.smallest(failing)
	r.Failure.After = r.Schedules
	return r, err
}

// systematic runs the schedules with few preemptions.
func (p *subject) systematic(o Options, r *Report) (*attempt, error) {
	e := schedule.NewExhaustive(o.Preemptions)
	most := max(o.Schedules*3/4, 1)
	var at *schedule.Branch
	var strays error
	failing, err := p.run(func() *attempt {
		if r.Schedules >= most || strays != nil {
			return nil
		}
		if at = e.Next(); at == nil {
			return nil
		}
		return newAttempt("systematic", at)
	}, func(a *attempt) {
		r.Schedules++
		strays = e.Learn(at, a.run)
	})
	r.Complete, r.All, r.GaveWay = e.Complete(), e.All(), e.GaveWay()
	for k := 0; k <= o.Preemptions; k++ {
		r.Made = append(r.Made, e.Made(k))
	}
	if err == nil && strays != nil {
		err = fmt.Errorf("the body does not do the same under the same choices: %v; something lives on from one run to the next, such as a package variable", strays)
	}
	return failing, err
}

// drawn runs schedules that are drawn, each way in turn.
func (p *subject) drawn(o Options, r *Report) (*attempt, error) {
	samplers := schedule.Samplers()
	for _, s := range samplers {
		r.Drawn = append(r.Drawn, Drawn{By: s.Name})
	}
	length := 16.0 // of a run, in choices, on the average
	drawn := 0
	return p.run(func() *attempt {
		if r.Schedules >= o.Schedules {
			return nil
		}
		way := drawn % len(samplers)
		r.Drawn[way].Count++
		s := samplers[way]
		return newAttempt(s.Name, s.New(rand.New(rand.NewPCG(o.Seed, uint64(drawn))), int(length)))
	}, func(a *attempt) {
		drawn++
		r.Schedules++
		length += (float64(len(a.run.Choices)) - length) / 16
	})
}

// single runs one schedule in a process of its own.
func (p *subject) single(s schedule.Scheduler, tells bool) (*attempt, error) {
	a := newAttempt("", s)
	a.tells = tells
	next := a
	_, err := p.run(func() *attempt {
		now := next
		next = nil
		return now
	}, nil)
	return a, err
}

// mostSmaller is how many schedules are run to make one smaller.
const mostSmaller = 400

// smallest makes a failing schedule smaller, and tells its steps. With an error the failure is the smallest schedule so far,
// or the failing one as it was found.
func (p *subject) smallest(failing *attempt) (*Failure, error) {
	var broken error
	fails := func(s schedule.Scheduler) *schedule.Run {
		a, err := p.single(s, false)
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
		return failing.failure(), errors.New("this schedule does not fail when it is run first: something lives on from one run to the next, such as a package variable")
	}
	if broken == nil {
		best = schedule.Minimize(best, mostSmaller, fails)
	}
	if broken != nil {
		return failing.failure(), fmt.Errorf("the schedule that fails could not be made smaller: %w", broken)
	}
	f, err := p.told(best.Deviations())
	if err != nil {
		return failing.failure(), fmt.Errorf("the schedule that fails could not be told: %w", err)
	}
	f.By = failing.by
	return f, nil
}

// told runs a schedule and notes its steps.
func (p *subject) told(deviations []schedule.Deviation) (*Failure, error) {
	a, err := p.single(schedule.Guided(deviations), true)
	if err != nil {
		return nil, err
	}
	return a.failure(), nil
}
