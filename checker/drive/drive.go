// Package drive replays runs of a protocol on an implementation, and compares what the implementation shows with the
// protocol, after each step. The protocol is called the page.
//
//   - drive.go: the check, its options and its result
//   - adapter.go: implementations in Go
//   - process.go: implementations in any language, as a process that reads and answers JSON Lines
//   - input.go: a step of an implementation
//   - run.go: one run
//   - branches.go: the states in which the page may be
//   - find.go: the steps of a trace in a state of the page
//   - smaller.go: a shorter run with the same difference
//   - report.go: a result as text
//   - kept.go: runs of differences, in files
//   - testing.go: the check under go test
package drive

import (
	"errors"
	"time"

	"contend/checker/conform"
	"contend/checker/suite"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// Options has the options of a check.
type Options struct {
	// Suite has the options of the suite of runs.
	Suite suite.Options
	// First has runs that are replayed before those of the suite.
	First []*traces.Trace
	// StepTimeout is the time for an answer of the implementation; 0 means 10 seconds.
	StepTimeout time.Duration
	// Timeout is the time for the whole check; 0 means no bound.
	Timeout time.Duration
	// Stop, unless nil, ends the check when it is closed.
	Stop <-chan struct{}
	// Found, unless nil, is called with the run of a difference as soon as it is found, before it is made smaller.
	Found func(t *traces.Trace)
}

// usualStep is the default of Options.StepTimeout.
const usualStep = 10 * time.Second

// A Verdict is the result of a check.
type Verdict string

// The verdicts.
const (
	Agrees       Verdict = "agrees"
	Differs      Verdict = "differs"
	Inconclusive Verdict = "inconclusive"
)

// A Result is the result of a check.
type Result struct {
	Verdict Verdict
	// Limit is the limit that left a part of the state space out; "" if there is none.
	Limit string
	// Suite is the suite.
	Suite *suite.Suite
	// Runs and Steps are the numbers of runs that were replayed, and of their steps at nodes of the implementation.
	Runs, Steps int
	// Taken is the number of transitions of the state space that the implementation took.
	Taken int
	// Diverted is the number of runs in which the implementation took another branch than the run.
	Diverted int
	// Difference is the first difference, or nil.
	Difference *Difference
}

// A Difference is a difference between the implementation and the page, at the last step of a run.
type Difference struct {
	conform.Difference
	// Trace is the run. On the page it goes on with what the page shows in its last step. It is nil if the difference is
	// in what the nodes show at the start, or if the run has a value that no trace has.
	Trace *traces.Trace
	// Step is the step as text, and Shown what the implementation showed.
	Step, Shown string
	// Failed reports that the implementation did not answer: it crashed, or hung, or cannot take the step.
	Failed bool
	// Before is the number of steps of the run as it was found. It is as large as that of Trace if the run did not get
	// smaller.
	Before int
	// Unsteady reports that the run did not show the difference when it was replayed.
	Unsteady bool

	last traces.Step // the last step, for the comparison of runs
}

// errInterrupted is the error of a check that its caller stopped.
var errInterrupted = errors.New("interrupted")

// Drive computes a suite for a variant of a protocol, and replays it on an implementation, up to the first
// difference. The error is a sentence on bad input, such as an answer that cannot be read.
func Drive(p *model.Protocol, variant string, c model.Config, target Target, opt Options) (*Result, error) {
	if opt.StepTimeout == 0 {
		opt.StepTimeout = usualStep
	}
	if opt.Timeout > 0 {
		opt.Suite.Deadline = time.Now().Add(opt.Timeout)
	}
	opt.Suite.Stop = opt.Stop
	d, err := newDriver(p, variant, c, target, opt)
	if err != nil {
		return nil, err
	}
	defer d.implementation.close()
	r := &Result{Verdict: Agrees}
	if r.Suite, err = suite.New(p, variant, c, opt.Suite); err != nil {
		return nil, err
	}
	r.Limit = r.Suite.Limit
	err = d.all(r)
	if errors.Is(err, errInterrupted) {
		r.Verdict, err = Inconclusive, nil
	}
	return r, err
}

// all replays the runs up to the first difference.
func (d *driver) all(r *Result) error {
	taken := make([]bool, r.Suite.Transitions)
	runs := []suite.Run{}
	for _, t := range d.opt.First {
		runs = append(runs, suite.Run{Trace: t})
	}
	for _, run := range append(runs, r.Suite.Runs...) {
		if limit := d.over(); limit != "" {
			r.Limit = limit
			return errInterrupted
		}
		ran, err := d.run(run.Trace)
		r.Runs++
		r.Steps += ran.steps
		for i := range min(ran.planned, len(run.Edges)) {
			if e := run.Edges[i]; !taken[e] {
				taken[e] = true
				r.Taken++
			}
		}
		if ran.planned < len(run.Trace.Steps) && ran.difference == nil {
			r.Diverted++
		}
		if err != nil {
			return err
		}
		if ran.difference != nil {
			r.Verdict = Differs
			r.Difference = d.smaller(ran.difference)
			return nil
		}
	}
	if r.Limit != "" {
		r.Verdict = Inconclusive
	}
	return nil
}

// over returns the limit that ends the check now; "" if there is none.
func (d *driver) over() string {
	select {
	case <-d.opt.Stop:
		return "interrupted"
	default:
	}
	if end := d.opt.Suite.Deadline; !end.IsZero() && time.Now().After(end) {
		return "timeout"
	}
	return ""
}

// A driver replays runs.
type driver struct {
	protocol       *model.Protocol
	system         *model.System
	codec          *value.Codec
	setting        *world.Setting
	vocabulary     *conform.Vocabulary
	implementation implementation
	header         traces.Trace
	opt            Options
	runs           int // begun

	sent []transmission // by the handlers of the present step
}

// A transmission is a message that a handler sends.
type transmission struct {
	from, to model.NodeID
	value    any
}

func newDriver(p *model.Protocol, variant string, c model.Config, target Target, opt Options) (*driver, error) {
	s, err := p.System(variant, c)
	if err != nil {
		return nil, err
	}
	d := &driver{protocol: p, system: s, vocabulary: conform.NewVocabulary(s), header: traces.New(p, variant, s.Config, false, "", ""), opt: opt}
	if d.codec, err = value.New(s); err != nil {
		return nil, err
	}
	if d.setting, err = world.Prepare(s, d.codec, nil); err != nil {
		return nil, err
	}
	d.implementation = target.open(d)
	return d, nil
}
