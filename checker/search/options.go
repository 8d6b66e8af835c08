package search

import (
	"cmp"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/graph"
	"contend/checker/search/runs"
	"contend/checker/search/storage"
	"contend/model/guard"
)

// Options bound and tune a search.
type Options struct {
	Timed    bool // the grid reading, or the dense one; else untimed
	Dense    bool // time is real: states are classes of them
	Merge    bool // in dense time: drop classes within others, and merge classes whose union is convex
	Symmetry bool // permute interchangeable servers
	Clients  bool // permute interchangeable clients
	Stale    bool // absorb messages that no longer matter
	// From, unless nil, is a run behind which the search begins. The search must be untimed.
	From *runs.Beginning
	// Draw records the whole state space in the result. Not in dense time.
	Draw bool
	// NoCache computes the results of handlers anew each time, to measure the cache.
	NoCache bool
	// Pure means that handlers are known to be pure functions, as in random systems of tests. It omits the third
	// round of package doubt.
	Pure      bool
	Workers   int   // at least 1; counts and counterexamples do not depend on it
	Wide      bool  // fingerprints of 128 bits; else of 64
	Exact     bool  // note exact parents from the start; else a second search may be needed
	MaxStates int64 // after which the search stops; 0: none
	MaxMemory int64 // bytes
	// Checkpoint, unless empty, is a directory for checkpoints and files of this search, until it ends. With
	// Resume the search continues from the checkpoint there; without, there must be none. Identity identifies the
	// check.
	Checkpoint string
	Resume     bool
	Identity   []checkpoint.Field
	every      time.Duration    // the shortest time between checkpoints; 0: a minute
	files      storage.FS       // where files are; nil for those of the operating system
	table      int64            // bytes of MaxMemory that the table may take up; 0 for the usual share
	chunks     int64            // and the chunks of layers
	Deadline   time.Time        // when the search stops; zero: never
	Now        func() time.Time // the clock that Deadline is on
	Interrupt  <-chan struct{}  // receives a value, or is closed, when the search must stop
	Progress   func(Progress)   // unless nil, is called from time to time
	// Violated, unless nil, is called for each violated claim, repeatedly, while the search continues for others
	// or starts again.
	Violated func(claim int)
	Running  *guard.Cell // unless nil, has the running handler
	// Confirm, unless nil, passes a candidate for a violation or a witness to the interpreter. It reports whether
	// the same run violates the same claim there, or reaches its goal. Without it every candidate is real.
	Confirm func(c Candidate) (Confirmation, error)
	// MaxSpurious is the number of spurious candidates that are tried for each claim before it is left open; 0:
	// 20. They exist only because the grid closes strict bounds.
	MaxSpurious int
	// Histories is the number of final histories that are passed to Judge. Judge returns what is wrong with a
	// history, or nil.
	Histories int
	Judge     func(run Candidate) error
	patient   bool // what a search finds can wait until the search has begun again: nobody listens, and nothing stops it before
}

// usualSpurious is the default of MaxSpurious.
const usualSpurious = 20

// withDefaults returns the options with defaults for those that are not set.
func (o Options) withDefaults() Options {
	o.patient = o.Violated == nil && o.Interrupt == nil && o.Deadline.IsZero()
	if o.Violated == nil {
		o.Violated = func(int) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Confirm == nil {
		o.Confirm = func(Candidate) (Confirmation, error) { return Real, nil }
	}
	if o.Judge == nil {
		o.Histories = 0
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.files == nil {
		o.files = storage.OS{}
	}
	o.every = cmp.Or(o.every, checkpointEvery)
	o.MaxSpurious = cmp.Or(o.MaxSpurious, usualSpurious)
	return o
}

// Progress is the progress of a search.
type Progress struct {
	Generated, Distinct, Frontier int64   // states: generated, distinct, and of the present layer
	Depth                         int     // complete layers
	Bytes                         int64   // of memory
	Widths                        []int64 // of the layers so far, in states; the present layer is the last
	// Growth is the ratio of the last two layers' widths. Estimate is the number of states if the layers continue
	// to shrink; 0 while they do not.
	Growth   float64
	Estimate int64
}

// A Candidate is a run to a state that seems to violate a claim, or to be the witness of a Sometimes claim.
type Candidate struct {
	Claim int         // its index
	Text  string      // what seems wrong
	Boot  []runs.Pick // the answers that Start got
	Steps []runs.Step // the run
	Nodes [][]byte    // the final states of the nodes
	// Alone means that the search was for this claim alone, with no other monitor.
	Alone bool
	// InFlight has the pending messages at the start and after each step, without those that stale absorption
	// deleted.
	InFlight [][]runs.Message
	Loop     int // for a lasso, the step to which the end returns; else -1
	// NoReturn is the point from which the goal of the claim cannot be reached any more. It is nil unless the
	// claim is judged on the graph of all states.
	NoReturn *graph.NoReturn
	// Pinned means that the candidate is valid only if the run is real at the very times of the search. Delays
	// have Parts parts to the tick.
	Pinned bool
	Parts  int64
	// Number is the value of a cost.
	Number int
}

// A Confirmation is the interpreter's answer to a candidate.
type Confirmation int

// Real: the run violates the claim. StrictBound: the run has no real times, and exists only because the grid closes a
// strict bound. Unknown: the interpreter disagrees.
const (
	Real Confirmation = iota
	StrictBound
	Unknown
)
