package model

import (
	"reflect"
	"slices"
)

// A Kind says how a claim quantifies over runs: Always, Sometimes, Eventually, PossibleFromEverywhere, Linearizable, Refines or AlmostSurely. The
// kind Measured is that of a cost. go doc contend/model.Always describes each.
type Kind int

// The seven kinds of claims.
const (
	// Always: the monitor finds no violation, the invariant holds, in every
	// reachable state.
	Always Kind = iota
	// Sometimes: the goal is reached in some run. It is a witness.
	Sometimes
	// Eventually: in every fair run, the goal is reached, and reached again whenever
	// it was lost. Fairness is weak, of deliveries, alarms and the application, and
	// never covers the adversary.
	Eventually
	// PossibleFromEverywhere: from every reachable state the goal can be reached,
	// with no help from the adversary. There is no doomed state.
	PossibleFromEverywhere
	// Linearizable: every history of invocations and returns is explained by a
	// sequential run of the object.
	Linearizable
	// Refines: what a run shows is what some run of another protocol shows, the page: see
	// [Refinement].
	Refines
	// AlmostSurely: from every reachable state, whatever an adversary of the claim's
	// class does, the goal is reached with probability one. It needs a reading that
	// keeps time, and is searched by itself: see [Adversary].
	AlmostSurely
	// Measured: not a claim, but the number of a [Cost], of which the least and the most are
	// found.
	Measured
)

var claimKinds = [...]string{"always", "sometimes", "eventually", "possible from everywhere", "linearizable", "refines", "almost surely", "measured"}

func (k Kind) String() string { return claimKinds[k] }

// A Claim is a statement about every run of a protocol, under the name its paper
// gives it. Exactly one of Monitor, Invariant, Done, Object and Refinement says what is
// claimed.
type Claim struct {
	Name   string
	Kind   Kind
	Source string // paper and place
	Proof  string // file and anchor in docs/proofs, or ""
	// Assumes lists what the claim rests on. A check that does not meet it reports
	// "not claimed".
	Assumes []Assumption
	// Monitor makes the watcher of a run. For Sometimes, Eventually,
	// PossibleFromEverywhere and AlmostSurely the monitor is also a [Goal].
	Monitor func(s *System) Monitor
	// Invariant judges one state, for Always; crashed and Byzantine nodes are nil.
	Invariant func(nodes []Node) error
	// Done claims progress: for Always, that no run stops before every script is
	// done (deadlock freedom); for Sometimes, that in some run all scripts get done;
	// for PossibleFromEverywhere, Eventually and AlmostSurely, that they all do.
	Done bool
	// Against is whom an AlmostSurely claim stands up to.
	Against Adversary
	// Object is the sequential specification, for Linearizable.
	Object Object
	// Refinement says what the protocol is held to, for Refines.
	Refinement Refinement
	// Apart, unless nil, makes the claim's check from the row's: the claim has a search with bounds and
	// a reading of its own, or with those of the row, so that what its monitor remembers does not multiply
	// the states of others from the first state on. Claims that need different reductions, or a graph of all
	// states, need no Apart: when they make a search large, the checker searches them apart by itself.
	Apart func(c Check) Check
	// Causal, unless nil, selects the observations that causal pasts count: see
	// [Observation.Past]. Only claims with the same Causal are searched together.
	Causal func(o Observation) bool
	// Vacuous, unless nil, says in a few words why no run of a system can put the claim to the
	// test, or "" where one may. A claim that a complete search does not put to the test holds
	// only with such a reason, and is inconclusive without one. A goal of the kind Sometimes that a
	// complete search does not reach is then not claimed, and violated without a reason. The claim is judged all the same.
	Vacuous func(s *System) string
	// Cost, unless nil, is what a claim of the kind Measured is made from; its search is for
	// that alone.
	Cost *Cost
}

// MustNotBeGoal panics with a [Misuse] when the claim's monitor is there to say
// whether a goal is reached: then it cannot report a violation.
func (c Claim) MustNotBeGoal() {
	if c.HasGoal() {
		Misused("the monitor of claim %s calls Violate, but a claim of kind %v is violated by its goal alone", c.Name, c.Kind)
	}
}

// HasGoal reports whether the claim is of a kind whose monitor says when a goal is reached: see [Goal].
func (c Claim) HasGoal() bool {
	return c.Kind == Sometimes || c.Kind == Eventually || c.Kind == PossibleFromEverywhere || c.Kind == AlmostSurely
}

// Safety reports whether a run that violates the claim does so by a beginning of it, at which it can
// be watched.
func (c Claim) Safety() bool {
	return c.Kind == Always || c.Kind == Linearizable || c.Kind == Refines
}

// An Assumption is something a claim rests on.
type Assumption string

// The assumptions a check can meet or not.
const (
	Timed           Assumption = "timed"                 // the reading keeps time
	Stable          Assumption = "stable"                // runs are stable or become so: [System.Stable]
	StableFromStart Assumption = "stable from the start" // [System.StableFromStart], or synchronous; and no message is lost
	Synchronous     Assumption = "synchronous"           // messages arrive within δ, and none is lost
	NoLoss          Assumption = "no loss"               // no message is lost, to a partition neither
	NoPartition     Assumption = "no partition"          // the network is never cut
	NoCrash         Assumption = "no crash"              // no node crashes for good
	NoMemoryLoss    Assumption = "no memory loss"        // no node crashes and comes back, with stable fields or without
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

// assumes lists what a claim rests on: one of probability always on time, in which
// coins are drawn.
func (c Claim) assumes() []Assumption {
	if c.Kind == AlmostSurely && !slices.Contains(c.Assumes, Timed) {
		return append([]Assumption{Timed}, c.Assumes...)
	}
	return c.Assumes
}

// A Reading is one way to read the windows of pending events: Untimed, Grid or Dense. go doc contend/model.Untimed describes each.
type Reading int

const (
	// Untimed: a pending event may fire whenever it likes; windows say nothing.
	Untimed Reading = iota
	// Grid: time moves in whole ticks, and every strict bound is closed, an
	// over-approximation where bounds are open.
	Grid
	// Dense: time is real.
	Dense
)

func (r Reading) String() string { return [...]string{"untimed", "grid", "dense"}[r] }

// An Observation is what a monitor sees.
type Observation struct {
	Kind  ObservationKind
	Node  NodeID
	Op    int // the operation's place in the node's script, from 0; -1 where there is none
	Value any // the call, the result, the release, the note's label, what was delivered or sent
	// Past, for a causal claim, counts for each node the selected observations in
	// this one's causal past, itself included; nil otherwise.
	Past []int32
	// To is the receiver of a message that is sent.
	To NodeID
	// Chain, for a cost that follows chains, is how many messages the longest chain has that
	// began when the node invoked its last operation, or since the moment that [Cost.Since] says;
	// 0 otherwise. Of a return it is the chain that had arrived when the node returned, not what
	// arrived until the application saw it. See [Chain].
	Chain int
}

// An ObservationKind says what was observed: Invoked, Returned, Released, Noted, Crashed, Recovered, Delivered or Sent. go doc
// contend/model.Invoked describes each.
type ObservationKind int

// What can be observed: the application invoked an operation, saw it return, or
// released the critical section; a node noted a label; a node crashed; it is back, just
// before its Start; a node delivered a value to its application. Only the meter of a [Cost]
// that asks for it sees that a node sent a message.
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

// A Monitor watches one run. Like a node it is a pointer to a struct whose
// exported fields are its state. A field of the type Monitor is a monitor within it, which must be
// there from the beginning and remain of its type; its own exported fields are state too.
type Monitor interface {
	Observe(w Watch, o Observation)
}

// A Goal is a monitor of a Sometimes, Eventually, PossibleFromEverywhere or
// AlmostSurely claim.
type Goal interface {
	// Reached reports whether the goal is reached, or nothing is owed, in the
	// monitor's present state.
	Reached() bool
}

// An Expirer is a monitor that sets alarms.
type Expirer interface{ Expire(w Watch, key any) }

// Watch is what a monitor sees of the world. Holds and alarms are the monitor's
// own and are as in [Env].
type Watch interface {
	Hold(key any, d Bound)
	Held(key any) bool
	After(key any, w Window)
	Cancel(key any)
	// Violate reports that the claim is broken, and how.
	Violate(format string, args ...any)
	// Witness reports that the claim was put to the test: a run without a witness
	// could not have broken it.
	Witness()
	// Measure reports a number ≥ 0 of a [Cost], at most one for each observation.
	Measure(n int)
}

// An Object is a sequential specification.
type Object struct {
	Name string
	// Init is the object's first state, a plain value.
	Init any
	// Step returns what an operation may do in a state: the next states, each with
	// the result it gives. None means that the operation is not allowed there.
	Step func(state any, client NodeID, op any) []Effect
	// Types lists the types of the object's states.
	Types []any
	// Unknown, unless nil, is the result of an operation of which nobody knows whether it took effect, such as one whose answer was lost. It may take
	// effect at any time later, or never, like an operation that has not returned. Step gives no such result.
	Unknown any
}

// Knows reports whether a result says something of what an operation did: whether it is another one than Unknown.
func (o *Object) Knows(result any) bool {
	return o.Unknown == nil || !reflect.DeepEqual(o.Unknown, result)
}

// An Effect is one way an operation on an [Object] may end.
type Effect struct{ State, Result any }

// An Orderer is the monitor of a claim of kind [Linearizable] that finds an order of the operations
// for people to read.
type Orderer interface {
	// Order gives the longest order that explains what operations of a history return, as places
	// of their calls, or releases, in the history; nil where it was not found, and empty where no operation
	// can come first. Operations that have not returned may stand in it.
	Order(history []Observation) []int
}

// An Explainer is the monitor of a goal that says in words what it waits for.
type Explainer interface {
	// Misses lists what is missing where the goal is not reached, in clauses that name nodes: "p2
	// has not delivered message 1 of p1".
	Misses(name func(NodeID) string) []string
}
