// Package abreast runs the checks of a verb, several at the same time.
//
// Many checks are small, and a search of few states has no work for a second processor. So if there are several
// checks, and no flag is about the resources of one search, each processor runs one. The result of a check depends
// neither on its workers nor on other checks. The report gets the results in order. The progress of the first
// unfinished check is shown. Violations of later checks wait until theirs is the first.
//
// Many large searches at once would need the sum of their memories. So a check with more than [tool.Tool].Beside
// states is given up. It starts again on all processors when it is the first, while the others continue.
package abreast

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"contend/checker"
	"contend/checker/check"
	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
)

// beside is the default of [tool.Tool].Beside.
const beside = 2_000_000

// abreast runs checks at the same time.
type abreast struct {
	t    *tool.Tool
	jobs []*plan.Plan
	opt  checker.Options
	to   Sink
	n    int // how many run at the same time

	next    atomic.Int64 // the check to begin next
	quit    chan struct{}
	outcome []chan outcome // of each check, closed without one if it never began

	mu       sync.Mutex
	first    int               // the first check that is not over
	found    [][]func()        // of each check, the violations to tell of once it is the first
	reported []map[string]bool // of each check, the claims whose violation was found
}

// A Sink receives the results of checks in order.
type Sink struct {
	Violated func(row *checker.Row, c checker.ClaimResult) // before the check is over; may be nil
	Over     func(j *plan.Plan, rows []*checker.Row) error
}

// An outcome is the result of a check.
type outcome struct {
	rows    []*checker.Row
	err     error
	crashed any  // what it panicked with
	large   bool // it was given up, to be made alone
}

// Width returns how many checks may run at the same time.
func Width(limits *flags.Limits, opt checker.Options) int {
	switch {
	case limits.OneSearch():
		return 1
	case opt.Workers > 0:
		return opt.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Run runs checks, n at the same time. It returns the number of checks that did not start because the user
// interrupted.
func Run(t *tool.Tool, jobs []*plan.Plan, opt checker.Options, n int, to Sink) (skipped int, err error) {
	n = min(n, len(jobs))
	a := &abreast{t: t, jobs: jobs, opt: opt, to: to, n: n, quit: make(chan struct{}), found: make([][]func(), len(jobs))}
	for range jobs {
		a.outcome, a.reported = append(a.outcome, make(chan outcome, 1)), append(a.reported, map[string]bool{})
	}
	interrupted, stop := either(t.Interrupt, a.quit)
	defer stop()
	a.opt.Interrupt = interrupted
	var running sync.WaitGroup
	for range n {
		running.Go(a.work)
	}
	defer running.Wait()
	defer close(a.quit)
	go func() {
		running.Wait()
		for _, c := range a.outcome {
			close(c)
		}
	}()
	return a.gather()
}

// either returns a channel that is closed when one of two channels is, unless stop is called before.
func either(a, b <-chan struct{}) (closed <-chan struct{}, stop func()) {
	out, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		select {
		case <-a:
			close(out)
		case <-b:
			close(out)
		case <-stopped:
		}
	}()
	return out, sync.OnceFunc(func() { close(stopped) })
}

// work runs checks until none is left or the user interrupts.
func (a *abreast) work() {
	for {
		i := int(a.next.Add(1)) - 1
		select {
		case <-a.t.Interrupt: // at once: the other comes of it
			return
		case <-a.opt.Interrupt:
			return
		default:
		}
		if i >= len(a.jobs) {
			return
		}
		a.outcome[i] <- a.run(i)
	}
}

// run runs one check, perhaps beside others.
func (a *abreast) run(i int) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o.crashed = p
		}
	}()
	opt, bounded, most := a.opt, false, cmp.Or(a.t.Beside, beside)
	if a.n > 1 {
		opt.Workers, bounded = 1, opt.MaxStates == 0 || opt.MaxStates > most
	}
	if bounded {
		opt.MaxStates, opt.Beyond = most, false
	}
	o.rows, o.err = a.check(i, opt)
	o.large = bounded && slices.ContainsFunc(o.rows, func(r *checker.Row) bool { return r.Limit.Code == search.States })
	return o
}

// check runs a check, and reports it when it is the first.
func (a *abreast) check(i int, opt checker.Options) ([]*checker.Row, error) {
	opt.Violated = func(row *checker.Row, c checker.ClaimResult) {
		if a.to.Violated != nil {
			a.inTurn(i, c.Name, func() { a.to.Violated(row, c) })
		}
	}
	opt.Progress = func(p checker.Progress) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if i == a.first {
			a.t.Update(p)
		}
	}
	opt.Stuck = a.t.Status.Stuck
	return check.Decide(a.jobs[i], opt)
}

// inTurn calls report for a violated claim when its check is the first: once, even if the search starts again.
func (a *abreast) inTurn(i int, claim string, report func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reported[i][claim] {
		return
	}
	a.reported[i][claim] = true
	if i == a.first {
		report()
		return
	}
	a.found[i] = append(a.found[i], report)
}

// gather reports on the checks as they end, in order.
func (a *abreast) gather() (skipped int, err error) {
	for i, j := range a.jobs {
		a.begin(i)
		o, began := <-a.outcome[i]
		if !began {
			return len(a.jobs) - i, nil
		}
		if o.crashed != nil {
			panic(o.crashed)
		}
		if o.large {
			o.rows, o.err = a.check(i, a.opt)
		}
		rows, err := over(a.t, j, o.rows, o.err)
		if err != nil {
			return 0, err
		}
		if err := a.to.Over(j, rows); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// begin makes a check the first, and reports the violations that it has found so far.
func (a *abreast) begin(i int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.first = i
	a.t.Status.Begin(i, len(a.jobs))
	for _, tell := range a.found[i] {
		tell()
	}
	a.found[i] = nil
}
