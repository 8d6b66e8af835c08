package verdict

import (
	"io"
	"time"

	"contend/checker/minimize"
	"contend/checker/sample/strategy"
	"contend/checker/watch"
	"contend/traces"
)

// Options are the options of a check. The zero value has no limits.
type Options struct {
	// Reduce lists the reductions of a search, by the names of exhaustive.Reductions; nil is all of them.
	Reduce []string
	// MaxStates, MaxMemory (in bytes) and Timeout are the limits of a search; 0 is no limit. Timeout also limits a
	// sampling.
	MaxStates int64
	MaxMemory int64
	Timeout   time.Duration
	Seed      uint64 // of sampled schedules
	// Strategy is the name of the strategy of sampled schedules; "" is [strategy.Default].
	Strategy string
	// Adversaries are the names of the adversaries of sampled schedules: see adversary.Kinds. An empty list is all
	// of them.
	Adversaries []string
	// Share, unless 0, is the number of consecutive sampled schedules with the same opening, which runs once: see
	// [model.System.Opening].
	Share int
	// Cover, unless nil, is the coverage of earlier schedules of the system. A strategy that is guided by coverage
	// begins with it and adds to it. The row then depends on it, and the row's Command results in other schedules.
	Cover *strategy.Cover
	// Profile adds the profile of the state space to the row.
	Profile bool
	// Beyond samples schedules after a limit (states, memory or the timeout) stopped a search, for its undecided
	// claims that a run can decide. The search then has three quarters of Timeout, and the sampling has the rest.
	// Without a Timeout, check.BeyondSchedules are sampled, or check.BeyondSteps taken. Beyond has no effect with
	// From, Checkpoints or Dot.
	Beyond bool
	// Steps, unless 0, is the total number of steps after which a sampling begins no further schedule.
	Steps int64
	// Together is the number of states after which claims that need different graphs are searched apart; 0 is a
	// million.
	Together int64
	// Patience bounds the time of a handler; the zero value is [watch.Usual].
	Patience watch.Patience
	// NoMinimize leaves sampled counterexamples as they were found.
	NoMinimize bool
	// Workers is the number of goroutines that search or sample; 0 is the number of processors. No number and no
	// counterexample depends on it.
	Workers int
	// From, unless nil, is a run at whose end searches begin.
	From *From
	// Pure asserts that handlers are functions of their arguments. A search then calls fewer handlers again at its
	// end.
	Pure bool
	// Fingerprints is the number of stored bits of a state's fingerprint, 64 or 128; 0 is 64. More bits make the
	// omission of a state less probable.
	Fingerprints int
	// Checkpoints, unless "", is a directory for the checkpoints of searches. With Resume, searches continue from
	// their checkpoints there; a search without a checkpoint starts anew. A search that ends removes its checkpoint.
	// See exhaustive.RefuseAll.
	Checkpoints string
	Resume      bool
	// Dot, unless nil, receives the state space of the search in the DOT language. The state space is held in
	// memory; MaxStates bounds it. See exhaustive.RefuseDrawing.
	Dot io.Writer
	// Progress, unless nil, is called by the checking goroutine, at least several times a second.
	Progress func(Progress)
	// Violated, unless nil, is called for each violation as soon as the interpreter confirms it. Recorded findings
	// are no violations. The check continues, and the row is incomplete. The counterexample in the complete row may
	// be another run with the same number of steps.
	Violated func(*Row, ClaimResult)
	// Stuck, unless nil, is called repeatedly while a handler runs for seconds, with the handler and the time that
	// it has run. Another goroutine calls it than Progress.
	Stuck func(handler string, since time.Duration)
	// Interrupt, unless nil, stops the check when it is closed. The rows have the results until then.
	Interrupt <-chan struct{}
}

// A Progress is the progress of a check.
type Progress struct {
	Row         *Row
	Claims      []string // names of the claims of a search; nil for a sampling
	Generated   int64    // number of transitions
	Distinct    int64    // number of states
	Frontier    int64    // number of states to expand
	Depth       int
	Sampled     bool        // reports a sampling, without states
	Schedules   int64       // number of sampled schedules
	Planned     int64       // number of schedules to sample; 0 if only the time limits them
	Minimizing  *Minimizing // a minimization of a sampled run, without other numbers; else nil
	Elapsed     time.Duration
	MemoryBytes int64
	Growth      float64 // ratio of the last layer's states to the previous layer's
	Estimate    int64   // estimated total number of states, once layers shrink; else 0
	Widths      []int64 // number of states in each layer of a search
}

// A Minimizing is the progress of a minimization.
type Minimizing struct {
	minimize.Progress
	From int // number of steps of the original run
}

// A From is a run at whose end a search begins. The first state of the search is the state after the run's steps,
// with its budgets, scripts, monitors and histories. Verdicts are about the runs that continue this run. A violation
// is a violation of the protocol: its counterexample is a whole run. A claim that holds may be violated by other
// runs, and a goal that is not reached may be reached by them.
//
// The run and the search must be untimed. The run must be a run of the searched configuration in which the searched
// claims are watched, and must violate none of them.
type From struct {
	Trace *traces.Trace
	Steps int    // number of the trace's steps to take, from 0 to all of them
	File  string // the file of the trace, for messages
}

// NewWatch returns the watch of a check that starts at a time.
func NewWatch(opt *Options, start time.Time) *watch.Watch {
	w := &watch.Watch{Interrupt: opt.Interrupt, Notify: opt.Stuck, Patience: opt.Patience}
	if w.Patience == (watch.Patience{}) {
		w.Patience = watch.Usual
	}
	if opt.Timeout > 0 {
		w.Deadline = start.Add(opt.Timeout)
	}
	return w
}
