// Package abreast runs the checks of a verb, several at the same time.
//
// Many checks are small, and a search of few states has no work for a second processor. So where there are
// several checks, and no flag is about the resources of one search, as many run at the same time as there are
// processors, each on one. What a check comes to does not depend on its workers, nor on the checks beside it.
// The report is given them in order: the first that is not over is the one whose progress is shown, and
// violations of a later one wait until it is the first.
//
// Many large searches at once would need as much memory as all of them together. So one that comes to more than
// [tool.Tool].Beside states is given up, and is made anew when it is the first, on all processors; the others go on beside it.
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

	mu    sync.Mutex
	first int               // the first check that is not over
	found [][]func()        // of each check, the violations to tell of once it is the first
	told  []map[string]bool // of each check, the claims whose violation was found
}

// A sink is told what comes of checks, in their order.
type Sink struct {
	Violated func(row *checker.Row, c checker.ClaimResult) // before the check is over; may be nil
	Over     func(j *plan.Plan, rows []*checker.Row) error
}

// An outcome is what became of a check.
type outcome struct {
	rows    []*checker.Row
	err     error
	crashed any  // what it panicked with
	large   bool // it was given up, to be made alone
}

// AtOnce returns how many checks may run at the same time.
func AtOnce(limits *flags.Limits, opt checker.Options) int {
	switch {
	case limits.OneSearch():
		return 1
	case opt.Workers > 0:
		return opt.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Run runs checks, n at the same time or one after another, and returns how many did not begin because the user asked
// to stop.
func Run(t *tool.Tool, jobs []*plan.Plan, opt checker.Options, n int, to Sink) (skipped int, err error) {
	n = min(n, len(jobs))
	a := &abreast{t: t, jobs: jobs, opt: opt, to: to, n: n, quit: make(chan struct{}), found: make([][]func(), len(jobs))}
	for range jobs {
		a.outcome, a.told = append(a.outcome, make(chan outcome, 1)), append(a.told, map[string]bool{})
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

// either is closed when one of two channels is, unless it is stopped before.
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

// work runs one check after another, until none is left or the user asks to stop.
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

// run runs one check, beside others if any are.
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

// check makes a check, and tells of it when it is the first.
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
			a.t.Told(p)
		}
	}
	opt.Stuck = a.t.Status.Stuck
	return check.Decide(a.jobs[i], opt)
}

// inTurn does what tells of a claim's violation when the check is the first, and once, though the search may be made anew.
func (a *abreast) inTurn(i int, claim string, tell func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.told[i][claim] {
		return
	}
	a.told[i][claim] = true
	if i == a.first {
		tell()
		return
	}
	a.found[i] = append(a.found[i], tell)
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

// begin makes a check the first, and tells what was found in it so far.
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
