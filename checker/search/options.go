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
	Merge    bool // in dense time: keep classes that contain others, and merge those whose union is convex
	Symmetry bool // permute interchangeable servers
	Clients  bool // permute interchangeable clients
	Stale    bool // absorb messages that no longer matter
	// From, unless nil, is a run behind which the search begins; untimed.
	From *runs.Beginning
	// Draw keeps the whole state space for the result; not in dense time.
	Draw bool
	// NoCache is for measuring what the cache of handlers' results is worth: they
	// are computed anew each time.
	NoCache bool
	// Pure says that handlers are known to be functions of what they are given, as those of random
	// systems in tests are: the third round of asking again is left out: see package doubt.
	Pure      bool
	Workers   int   // at least 1; counts and counterexamples do not depend on it
	Wide      bool  // fingerprints of 128 bits; else 64
	Exact     bool  // keep exact parents from the beginning to the end; else it may take a second search
	MaxStates int64 // after which the search stops; 0: none
	MaxMemory int64 // bytes
	// Checkpoint, unless empty, is a directory of its own in which checkpoints of this
	// search are kept, and its files, until it comes to its end. With Resume the search goes on from the one that is there;
	// without, there must be none. Identity tells the check from others.
	Checkpoint string
	Resume     bool
	Identity   []checkpoint.Field
	every      time.Duration    // how often a checkpoint is written, at least; 0 is every minute
	files      storage.FS       // where files are; nil for those of the operating system
	table      int64            // bytes of MaxMemory that the table may take up; 0 for the usual share
	chunks     int64            // and the chunks of layers
	Deadline   time.Time        // when the search stops; zero: never
	Now        func() time.Time // the clock that Deadline is on
	Interrupt  <-chan struct{}  // gives something, or is closed, when the search is to stop
	Progress   func(Progress)   // unless nil, is told from time to time
	// Violated, unless nil, is told of claims that are violated, again and again, while the search goes on
	// for others, or begins again.
	Violated func(claim int)
	Running  *guard.Cell // unless nil, shows the handler that runs
	// Confirm is asked about each candidate for a violation or a witness: whether the
	// independent interpreter, taking the same way, breaks the same claim, or reaches its
	// goal. Without it every candidate counts.
	Confirm func(c Candidate) (Confirmation, error)
	// MaxSpurious is how many candidates that only the grid's closing of strict
	// bounds made are tried for each claim before it is left undecided.
	MaxSpurious int
	// Histories is how many final histories are handed to Judge, which returns what is wrong
	// with one.
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

// Progress is how far a search has come.
type Progress struct {
	Generated, Distinct, Frontier int64   // states, all and different, and those of the present layer
	Depth                         int     // layers that are done
	Bytes                         int64   // of memory
	Widths                        []int64 // of the layers so far, in states: of the present one, and those that are done
	// Growth is how many times as wide the last layer is as the one before. Once layers
	// shrink, Estimate is how many states there will be in all if they go on so; else 0.
	Growth   float64
	Estimate int64
}

// A Candidate is a way to a state that seems to break a claim, or to be the witness of a
// Sometimes claim.
type Candidate struct {
	Claim int         // its index
	Text  string      // what seems wrong
	Boot  []runs.Pick // the answers that Start was given as the run began
	Steps []runs.Step // the way
	Nodes [][]byte    // the nodes' states at the end
	// Alone says that the search was for this claim alone: no other monitor watched.
	Alone bool
	// InFlight lists the messages that are pending at the start and after each step.
	// Those that stale absorption deleted are not among them.
	InFlight [][]runs.Message
	Loop     int // for a lasso, the step to which the end returns; else -1
	// NoReturn says from where on the goal of the claim cannot be reached any more; nil where the
	// claim is of no kind that is judged on the graph of all states.
	NoReturn *graph.NoReturn
	// Pinned says that what was found holds only if the run is real at the very times of the
	// search: Delay counts Parts to the tick.
	Pinned bool
	Parts  int64
	// Number is what the run of a cost comes to.
	Number int
}

// A Confirmation is what the interpreter says of a candidate.
type Confirmation int

// Real: the claim is broken. StrictBound: no real times make the run; only the
// grid's closing of a strict bound allowed it. Unknown: the interpreter disagrees.
const (
	Real Confirmation = iota
	StrictBound
	Unknown
)
