// Package checker decides claims: it takes a protocol at a configuration and
// returns, for every claim, one of three verdicts with the bounds within which it
// was reached. The explorers are in the packages below it; [Check] runs the one a
// check asks for, and [Test] is the same for go test.
//
// A check has a row for each search (check.go, searches.go, result.go). A row is searched (exhaustive.go; behind a run: from.go; over
// processes: partitions.go; with files: checkpoints.go; for a cost: cost.go), sampled (sampled.go), or both (beyond.go). Sampling also
// finds good runs (good.go), and what is found is made smaller (minimized.go, anywhere.go). For go test there are checks (test.go,
// hurry.go) and fuzz targets (fuzz.go, fuzzrun.go), with what they say of a run that fails (broken.go, ready.go).
//
// All this is one package because all of it reads [Options] and fills in a [Row], which users do too: a package below that searches
// would need both types, and each of their fields, under a second name. What does without them has a package of its own, such as
// checker/plan, checker/record, checker/watch and checker/merging.
package checker

import (
	"io"
	"time"

	"contend/checker/merging"
	"contend/checker/minimize"
	"contend/checker/sample/strategy"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/model"
	"contend/traces"
)

// A Verdict is what is known of a claim.
type Verdict string

// The three verdicts, and the remark that a row does not meet what a claim assumes.
const (
	Holds        Verdict = "holds"        // within the row's bounds, in every run
	Violated     Verdict = "violated"     // by a run that the interpreter replayed
	Inconclusive Verdict = "inconclusive" // a limit was hit, which the row names
	NotClaimed   Verdict = "not claimed"  // the row does not meet what the claim assumes
)

// Internal is the code of the limit of a claim that has no verdict because of a bug of the checker:
// two of its implementations of the semantics disagree about it.
const Internal = search.Internal

// NothingClaimed is the code of the limit of a row that put no claim to the test: it does not meet what they
// assume, or its variant does not make them.
const NothingClaimed = "nothing claimed"

// Stuck is the code of the limit of a check that was given up because a handler did not return.
const Stuck = "handler"

// Untested is the code of the limit of a claim that a complete search did not put to the test, though
// nothing says that it could not: see [model.Claim].
const Untested = "not put to the test"

// NoStep is the code of the limit of a row, and of its claims, of which every schedule ended before its first step.
const NoStep = "no step"

// A Row is what one configuration came to. Its JSON is a stable contract.
type Row struct {
	Schema   int          `json:"schema"`
	Protocol string       `json:"protocol"`
	Variant  string       `json:"variant"`
	Config   ConfigJSON   `json:"config"`
	Faults   model.Faults `json:"faults"`
	Assumes  []string     `json:"assumes"` // what the network gives: "synchronous" or "stable from the start"
	Command  string       `json:"command"` // the command line that checks this row
	Seed     string       `json:"seed"`
	// Cut gives, for each declared cut, the number of states (of schedules, when
	// sampled) from which a step beyond it was not taken.
	Cut         map[string]int64 `json:"cut"`
	Time        string           `json:"time"`     // untimed, grid or dense
	Strategy    string           `json:"strategy"` // exhaustive, or a name of strategy.All
	Verdict     Verdict          `json:"verdict"`
	Complete    bool             `json:"complete"`
	States      int64            `json:"states"` // distinct, as stored, after reductions
	Transitions int64            `json:"transitions"`
	Schedules   int64            `json:"schedules,omitempty"` // sampled to their end
	// Then is the strategy by which the schedules were sampled after a search that a limit stopped:
	// see [Options.Beyond]. Times are then real-valued unless the row is untimed.
	Then         string       `json:"then,omitempty"`
	Depth        int          `json:"depth"` // steps
	HandlerCalls int64        `json:"handlerCalls"`
	Seconds      float64      `json:"seconds"`
	BytesPer     float64      `json:"bytesPerState"`
	Reductions   []string     `json:"reductions"`
	Omission     float64      `json:"omission"` // expected number of states lost to equal fingerprints
	Limit        decide.Limit `json:"limit"`    // what stopped an incomplete search
	// From is where the search began, unless at the beginning: then the verdicts are about the runs
	// that continue this one, and the depth counts from there. See [From].
	From *FromJSON `json:"from,omitempty"`
	// Claims are those checked. When a handler fails there is one more, the last, which every
	// protocol makes: model.NoHandlerFails.
	Claims []ClaimResult `json:"claims"`

	// Merged says, of a complete search of nodes over foreign objects, how the merging of their states
	// was put to the test.
	Merged *merging.Report `json:"merged,omitempty"`
	// Handlers are those of the system's nodes, by type and name such as lock.Server.Receive, and whether any run of
	// the search calls them. A search that is not complete gives only those that ran, and none are given of sampled runs,
	// and of searches that were resumed, began midway, or had parts.
	Handlers map[string]bool `json:"-"`
	// Profile, when asked for, is the state-space profile as text.
	Profile string `json:"profile,omitempty"`
	// Notes are remarks for people, such as a refused reduction.
	Notes []string `json:"notes,omitempty"`
}

// A ClaimResult is the verdict on one claim.
type ClaimResult struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`
	Against   string  `json:"against,omitempty"` // the adversary of an almost-sure claim
	Source    string  `json:"source"`
	Verdict   Verdict `json:"verdict"`
	Witnessed bool    `json:"witnessed"` // some run put the claim to the test
	// Tested counts the schedules of a sampling that put the claim to the test: those in which something happened that it is
	// about; of an eventually claim those that ended.
	Tested int64 `json:"tested,omitempty"`
	// Vacuous is why no run of the row can put a claim to the test that holds unwitnessed.
	Vacuous string `json:"vacuous,omitempty"`
	Finding string `json:"finding"` // the recorded finding that this violation is
	// Unrecorded names a finding that is on record for this claim, when the violation is met under
	// conditions that the record does not cover.
	Unrecorded string       `json:"unrecorded,omitempty"`
	excused    string       // a finding that would excuse a violation here, though the claim holds
	Trace      string       `json:"trace"` // the file the counterexample was written to
	Limit      decide.Limit `json:"limit,omitzero"`
	Text       string       `json:"text,omitempty"`  // how it was violated, or why it is not claimed
	Steps      int          `json:"steps,omitempty"` // of the counterexample
	// Found says which sampled schedule violates the claim.
	Found *Found `json:"found,omitempty"`
	// Why says in sentences made from the counterexample why it breaks the claim.
	Why []string `json:"why,omitempty"`
	// Minimized is of a counterexample that was sampled, unless it was not to be minimised.
	Minimized *Minimized `json:"minimized,omitempty"`
	// Unmet is what the claim assumes and the row does not meet, though it was put to the test:
	// see [model.Check.AssumeAnyway].
	Unmet []string `json:"unmet,omitempty"`

	Counterexample *traces.Trace `json:"-"`
}

// Found is a schedule of a sampling: the same seed and strategy make it again.
type Found struct {
	Schedule int    `json:"schedule"` // from 1
	Strategy string `json:"strategy"` // that made it: in a portfolio, one of its members
}

// Internal reports whether a bug of the checker left the claim without a verdict.
func (c *ClaimResult) Internal() bool { return c.Limit.Code == Internal }

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
	steps  int64 // unless 0, sampling ends behind the schedule with which so many are taken
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
