package model

import (
	"reflect"
	"slices"
	"strings"
)

// A Kind is the kind of a claim, by its quantifiers over runs: Always, Sometimes, Eventually,
// PossibleFromEverywhere, Linearizable, Refines or AlmostSurely. A cost has the kind Measured. go doc
// contend/model.Always describes each.
type Kind int

// The kinds of claims.
const (
	// Always: in every reachable state the invariant holds, and the monitor has reported no violation.
	Always Kind = iota
	// Sometimes: some run reaches the goal. It is a witness.
	Sometimes
	// Eventually: every fair run reaches the goal, and reaches it again whenever it was lost. Fairness is weak.
	// It covers deliveries, alarms and applications, and never the adversary.
	Eventually
	// PossibleFromEverywhere: the goal can be reached from every reachable state without the help of the
	// adversary. There is no doomed state.
	PossibleFromEverywhere
	// Linearizable: a sequential run of the object explains every history of invocations and returns.
	Linearizable
	// Refines: each run shows what some run of another protocol, the page, shows: see [Refinement].
	Refines
	// AlmostSurely: from every reachable state the goal is reached with probability one, against every
	// adversary of the claim's class. It needs a reading with time, and has its own search: see [Adversary].
	AlmostSurely
	// Measured is the kind of a [Cost], not of a claim. A check computes the minimum and the maximum of a
	// cost.
	Measured
)

var claimKinds = [...]string{"always", "sometimes", "eventually", "possible from everywhere", "linearizable", "refines", "almost surely", "measured"}

func (k Kind) String() string { return claimKinds[k] }

// A Claim is a statement about every run of a protocol, under its name in the paper. Exactly one of Monitor,
// Invariant, Done, Object and Refinement is set.
type Claim struct {
	Name   string
	Kind   Kind
	Source string // paper and section
	Proof  string // file and anchor in docs/proofs, or ""
	// Assumes lists the assumptions of the claim. A check that does not meet them reports "not claimed".
	Assumes []Assumption
	// Monitor makes the monitor of a run. For Sometimes, Eventually, PossibleFromEverywhere and AlmostSurely
	// the monitor is also a [Goal].
	Monitor func(s *System) Monitor
	// Invariant returns an error if a state violates an Always claim. Nodes that are down or Byzantine are nil.
	// The engines call it in every state, so it must be a pure function.
	Invariant func(nodes []Node) error
	// Done claims progress. For Always, no run stops before every script is done (deadlock freedom). For
	// Sometimes, some run completes all scripts. For PossibleFromEverywhere, Eventually and AlmostSurely, the
	// goal is that all scripts are done.
	Done bool
	// Against is the class of adversaries, for AlmostSurely.
	Against Adversary
	// Object is the sequential specification, for Linearizable.
	Object Object
	// Refinement is the relation to the page, for Refines.
	Refinement Refinement
	// Apart, if not nil, returns the check of the claim's own search, given the check of the row. The search
	// may have its own bounds and reading. So the states of the claim's monitor do not multiply the states of
	// other claims. It is not needed for claims that need different reductions or a graph of all states: the
	// checker searches these separately if they make a search large.
	Apart func(c Check) Check
	// Causal, unless nil, selects the observations that causal pasts count: see [Observation.Past]. Only claims
	// with the same Causal share a search.
	Causal func(o Observation) bool
	// Vacuous, unless nil, returns the reason that no run of a system can test the claim, or "" if a run may. A
	// complete search that does not test the claim is inconclusive without a reason, and the claim holds with
	// one. A Sometimes claim that a complete search does not reach is not claimed with a reason, and violated
	// without one. The claim is checked in any case.
	Vacuous func(s *System) string
	// Cost is the cost of a claim of the kind Measured; nil for others. Such a claim has its own search.
	Cost *Cost
}

// MustNotBeGoal panics with a [Misuse] if the claim is violated by its goal alone, so that its monitor cannot
// report a violation.
func (c Claim) MustNotBeGoal() {
	if c.HasGoal() {
		Misused("the monitor of claim %s calls Violate, but a claim of kind %v is violated by its goal alone", c.Name, c.Kind)
	}
}

// HasGoal reports whether the claim is of a kind whose monitor is a [Goal].
func (c Claim) HasGoal() bool {
	return c.Kind == Sometimes || c.Kind == Eventually || c.Kind == PossibleFromEverywhere || c.Kind == AlmostSurely
}

// Safety reports whether every run that violates the claim has a finite prefix that does.
func (c Claim) Safety() bool {
	return c.Kind == Always || c.Kind == Linearizable || c.Kind == Refines
}

// An Assumption is a condition on checks under which a claim is made.
type Assumption string

// The assumptions.
const (
	Timed           Assumption = "timed"                 // the reading has time
	Stable          Assumption = "stable"                // runs are stable or become stable: [System.Stable]
	StableFromStart Assumption = "stable from the start" // [System.StableFromStart], or synchronous; and no message is lost
	Synchronous     Assumption = "synchronous"           // messages arrive within δ, and none is lost
	NoLoss          Assumption = "no loss"               // no message is lost, nor cut off by a partition
	NoPartition     Assumption = "no partition"          // the network is not partitioned
	NoCrash         Assumption = "no crash"              // no node crashes for good
	NoMemoryLoss    Assumption = "no memory loss"        // no node crashes and restarts, with or without stable fields
	NoSuspicion     Assumption = "no false suspicion"    // the failure detector suspects no node that is up
	AtMostOnce      Assumption = "at most once"          // no message is delivered twice
	NoCut           Assumption = "no cut"                // no declared cut bounds the search
)

var assumptions = []Assumption{Timed, Stable, StableFromStart, Synchronous, NoLoss, NoPartition, NoCrash, NoMemoryLoss, NoSuspicion, AtMostOnce, NoCut}

// Unmet returns the assumptions that a system does not meet in a reading.
func (c Claim) Unmet(s *System, r Reading) []Assumption {
	noLoss := s.Faults.Loss == 0 && s.Faults.Partitions == 0
	timely := r != Untimed && noLoss
	met := map[Assumption]bool{
		Timed:           r != Untimed,
		Synchronous:     timely && s.Synchronous(),
		StableFromStart: timely && (s.StableFromStart || s.Synchronous()),
		Stable:          s.Stable,
		NoLoss:          noLoss,
		NoPartition:     s.Faults.Partitions == 0,
		NoCrash:         s.Faults.Crashes == 0,
		NoMemoryLoss:    s.Faults.Restarts == 0,
		NoSuspicion:     s.Faults.Suspicions == 0,
		AtMostOnce:      s.Faults.Duplication == 0,
		NoCut:           len(s.Cuts) == 0,
	}
	var unmet []Assumption
	for _, a := range c.assumes() {
		if !met[a] {
			unmet = append(unmet, a)
		}
	}
	return unmet
}

// assumes returns the assumptions of the claim. AlmostSurely always assumes time, since coins are drawn in
// time.
func (c Claim) assumes() []Assumption {
	if c.Kind == AlmostSurely && !slices.Contains(c.Assumes, Timed) {
		return append([]Assumption{Timed}, c.Assumes...)
	}
	return c.Assumes
}

// A Reading is an interpretation of the windows of pending events: Untimed, Grid or Dense. go doc
// contend/model.Untimed describes each.
type Reading int

const (
	// Untimed: a pending event may fire at any time, and windows are ignored.
	Untimed Reading = iota
	// Grid: time advances in whole ticks, and strict bounds are closed. With open bounds that is an
	// over-approximation.
	Grid
	// Dense: time is real.
	Dense
)

func (r Reading) String() string { return [...]string{"untimed", "grid", "dense"}[r] }

// An Observation is the input of a monitor.
type Observation struct {
	Kind  ObservationKind
	Node  NodeID
	Op    int // the index in the node's script, from 0; -1 if there is none
	Value any // the call, result, release, label, or delivered or sent value
	// Past has, for a causal claim, the number of selected observations of each node in the causal past of
	// this observation, including itself. It is nil for other claims.
	Past []int32
	// To is the receiver of a message that is sent.
	To NodeID
	// Chain is the length of the longest chain of messages that began with the last invocation of the node, or
	// with the last observation that [Cost.Since] selects. It is 0 for a cost without Chains. A return has the
	// chain that had arrived when the node returned, and not when the application saw it. See [Chain].
	Chain int
}

// Note returns the rest of a note that is a string with a prefix. It returns false for every other observation.
func (o Observation) Note(prefix string) (rest string, ok bool) {
	text, is := o.Value.(string)
	if o.Kind != Noted || !is {
		return "", false
	}
	return strings.CutPrefix(text, prefix)
}

// An ObservationKind is the kind of an observation: Invoked, Returned, Released, Noted, Crashed, Recovered,
// Delivered or Sent. go doc contend/model.Invoked describes each.
type ObservationKind int

// The kinds of observations. The application invoked an operation, saw it return, or released the critical
// section. A node noted a label, crashed, or restarted. A restart is observed just before Start. A node
// delivered a value to its application. A node sent a message: only the meter of a [Cost] with Sends observes
// that.
const (
	Invoked ObservationKind = iota
	Returned
	Released
	Noted
	Crashed
	Recovered
	Delivered
	Sent
)

func (k ObservationKind) String() string {
	return [...]string{"invoked", "returned", "released", "noted", "crashed", "recovered", "delivered", "sent"}[k]
}

// A Monitor observes one run. Like a node it is a pointer to a struct whose exported fields are its state. A
// field of type Monitor is a monitor within it. Such a field must be set from the beginning and keep its
// dynamic type, and its exported fields are state too. Engines call Observe after each observation; it must be
// deterministic.
type Monitor interface {
	Observe(w Watch, o Observation)
}

// A Goal is a monitor of a Sometimes, Eventually, PossibleFromEverywhere or
// AlmostSurely claim.
type Goal interface {
	// Reached reports whether the monitor's present state is at the goal: the goal is reached, or nothing is
	// required.
	Reached() bool
}

// An Expirer is a monitor that sets alarms. Engines call Expire when an alarm fires.
type Expirer interface{ Expire(w Watch, key any) }

// A Watch is the environment of a monitor. Holds and alarms are the monitor's own, and work as in [Env].
type Watch interface {
	Hold(key any, d Bound)
	Held(key any) bool
	After(key any, w Window)
	Cancel(key any)
	// Violate reports that the claim is violated. The text describes the violation.
	Violate(format string, args ...any)
	// Witness reports that the run tests the claim: a run without a witness could not have violated it.
	Witness()
	// Measure reports the number n ≥ 0 of a [Cost], at most once for each observation.
	Measure(n int)
}

// An Object is a sequential specification.
type Object struct {
	Name string
	// Init is the initial state, a plain value.
	Init any
	// Step returns the possible effects of an operation in a state; none if the operation is not allowed. It
	// must be a pure function.
	Step func(state any, client NodeID, op any) []Effect
	// Types has a value of each type of the object's states.
	Types []any
	// Unknown, unless nil, is the result of an operation whose effect is not known, for example because its
	// answer was lost. Like an operation that has not returned, it may take effect at any later time or never.
	// Step does not return it.
	Unknown any
}

// Knows reports whether a result is other than Unknown and [NoResult].
func (o *Object) Knows(result any) bool {
	return result != any(NoResult{}) && (o.Unknown == nil || !reflect.DeepEqual(o.Unknown, result))
}

// A NoResult is the result of an operation whose node has ended before it returned. The operation may take effect
// at any later time or never.
type NoResult struct{}

func (NoResult) String() string { return "no result" }

// An Effect is a next state of an [Object], with the result of the operation.
type Effect struct{ State, Result any }

// An Orderer is the monitor of a claim of kind [Linearizable] that can compute an order of the operations for
// people.
type Orderer interface {
	// Order returns the longest order of operations that explains their results, as the indexes of their calls
	// or releases in the history. It may include operations that have not returned. It is nil if none was
	// computed, and empty if no operation can be first.
	Order(history []Observation) []int
}

// An Explainer is the monitor of a goal that can describe what it waits for.
type Explainer interface {
	// Misses returns what is missing if the goal is not reached, as clauses that name nodes: "p2 has not
	// delivered message 1 of p1".
	Misses(name func(NodeID) string) []string
}
