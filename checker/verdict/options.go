package verdict

import (
	"io"
	"time"

	"contend/checker/minimize"
	"contend/checker/sample/strategy"
	"contend/checker/watch"
	"contend/traces"
)

// Options bound and tune a check.
type Options struct {
	// Reduce lists the reductions to use; nil means all, an empty list none.
	Reduce []string
	// MaxStates, MaxMemory (bytes) and Timeout stop a search; 0 means no limit.
	MaxStates int64
	MaxMemory int64
	Timeout   time.Duration
	Seed      uint64
	// Strategy is the name of the one by which schedules are sampled; "" is [strategy.Default].
	Strategy string
	// Adversaries, unless empty, are the only ones that strike and lie in schedules: see
	// [adversary.Kinds].
	Adversaries []string
	// Share, unless 0, is how many sampled schedules in a row begin with the same opening, which is run once: see [model.System.Opening].
	Share int
	// Cover, unless nil, is what other schedules of the system covered: those of a strategy that is guided by it begin with it, and add to it.
	// The row then depends on it, and its Command does not lead to the same schedules.
	Cover   *strategy.Cover
	Profile bool
	// Beyond samples schedules where a limit stops a search (states, memory or the time), for the claims
	// that it leaves open and that a run can decide. The search then has three quarters of Timeout, and
	// sampling what is left of it; without a Timeout, [BeyondSchedules] are sampled, or [BeyondSteps]
	// taken. It has no effect with From, Checkpoints or Dot.
	Beyond bool
	// Steps, unless 0, ends a sampling after the schedule that reaches this total number of steps.
	Steps int64
	// Together is the number of states after which claims that need different graphs are searched apart; 0 means
	// a million.
	Together int64
	// Patience bounds how long a handler may run; the zero value is [watch.Usual].
	Patience watch.Patience
	// NoMinimize shows a run that was sampled as it was found.
	NoMinimize bool
	// Workers search or sample side by side; 0 means one for each processor. No count
	// and no counterexample depends on how many there are.
	Workers int
	// From, unless nil, is a run behind which searches begin.
	From *From
	// Pure says that handlers are known to be functions of what they are given, as those of random
	// systems in tests are: a search asks them again less often at its end.
	Pure bool
	// Fingerprints is how many bits of a state's fingerprint a search stores: 64 or,
	// for a smaller probability of omitting a state, 128; 0 means 64.
	Fingerprints int
	// Checkpoints, unless empty, is a directory in which checkpoints of searches are
	// kept. With Resume, searches go on from those there; one of which there is none
	// begins anew. A search that comes to its end removes its own. See [RefuseAll].
	Checkpoints string
	Resume      bool
	// Dot, unless nil, is given the state space of the search in the DOT language. All of it is kept in
	// memory meanwhile: MaxStates bounds it. See [RefuseDrawing].
	Dot io.Writer
	// Progress, unless nil, is called every now and then, at least a few times a
	// second, from the checking goroutine.
	Progress func(Progress)
	// Violated, unless nil, is told of each violation that is no recorded finding as soon as the
	// interpreter confirms it, while a search goes on, for other claims or for the run that it shows in the
	// end; the row is not filled yet. The run
	// that the row shows in the end may be another one of as many steps.
	Violated func(*Row, ClaimResult)
	// Stuck, unless nil, is told again and again of a handler that has run for seconds: which, and
	// for how long. It is not called from the goroutine that Progress is called from.
	Stuck func(handler string, since time.Duration)
	// Interrupt, unless nil, stops the check when it is closed: what is known is
	// reported.
	Interrupt <-chan struct{}
}

// Minimizing is how far the minimiser has come with a run that had From steps.
type Minimizing struct {
	minimize.Progress
	From int
}

// Progress is how far a check has come.
type Progress struct {
	Row         *Row
	Claims      []string // that are searched for; nil where schedules are sampled
	Generated   int64    // transitions so far
	Distinct    int64    // states so far
	Frontier    int64    // states to expand
	Depth       int
	Sampled     bool        // schedules are sampled: no states are counted
	Schedules   int64       // sampled so far
	Planned     int64       // schedules to sample; 0 if only the time limits them
	Minimizing  *Minimizing // a run that was sampled is made smaller; nothing else is counted then
	Elapsed     time.Duration
	MemoryBytes int64
	Growth      float64 // of the last layer over the one before
	Estimate    int64   // of states in all, once layers shrink; else 0
	Widths      []int64 // of the layers of a search so far, in states
}

// From is a run behind which a search begins. The first state of the search is the state after the run's steps: the budgets, the scripts,
// the monitors and the histories are as the run leaves them. Verdicts are about the runs that continue this one. A violation is one of the
// protocol: its counterexample is a whole run, these steps included. That a claim holds says nothing of other runs; that a goal is
// not reached says nothing of them either.
//
// The run must be untimed, and so must the search. It must be a run of the configuration that is searched, in which the claims that are
// searched are watched. None of them may be violated in it.
type From struct {
	Trace *traces.Trace
	Steps int    // of the trace, from the first; 0 to their number
	File  string // of the trace, for people
}

// watch makes the watch of a check that begins now.
func NewWatch(opt *Options, start time.Time) *watch.Watch {
	w := &watch.Watch{Interrupt: opt.Interrupt, Told: opt.Stuck, Patience: opt.Patience}
	if w.Patience == (watch.Patience{}) {
		w.Patience = watch.Usual
	}
	if opt.Timeout > 0 {
		w.Deadline = start.Add(opt.Timeout)
	}
	return w
}
