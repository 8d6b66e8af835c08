package model

// A Cost is a number that runs of a protocol come to, such as the messages of a request. A
// search finds the least and the most that it comes to over all runs.
type Cost struct {
	Name    string
	Unit    string // what is counted, in the plural: "messages"
	Meaning string // a sentence that defines the number
	Source  string // paper and place, or ""
	// Assumes lists what the cost rests on, as for a [Claim].
	Assumes []Assumption
	// Meter makes the monitor that counts. It reports a number by [Watch.Measure] whenever
	// there is one, as when an operation returns; or, where AtEnd is set, it is a [Total] or has
	// [Totals].
	Meter func(s *System) Monitor
	// AtEnd has the number read where a run ends: every script is done, but for those of
	// crashed nodes, and nothing is left to happen.
	AtEnd bool
	// Most is the largest number that is told apart from larger ones, in [1, 30000]; 0 stands
	// for 1000. A meter counts one further, which stands for all numbers beyond, so that what
	// has no bound has finitely many states. [Counted] does.
	Most int
	// Sends has the meter told of each message that is sent: [Sent].
	Sends bool
	// Chains has each observation say how long the longest chain of messages is: see
	// [Observation.Chain].
	Chains bool
	// Since, unless nil, has the chains begin at another moment than a node's own invocation: at
	// each observation that it selects a chain begins at every node, and those before are over.
	// What is in flight then was sent before, and belongs to none. It is a pure function, for a
	// cost with Chains.
	Since func(o Observation) bool
	// Check is where the cost is read unless a user says otherwise, of which option it is read,
	// too; zero for the protocol's default.
	Check Check
}

// A Total is the meter of a cost that is read at the end of a run.
type Total interface {
	// Total returns the number in the monitor's present state, ≥ 0.
	Total() int
}

// Totals is a [Total] of several numbers, as of each operation of a run one.
type Totals interface {
	// Totals returns the numbers in the monitor's present state, each ≥ 0, in any order; none
	// where the run says nothing of the cost.
	Totals() []int
}

// mostCounted is what a cost counts to unless it says otherwise.
const mostCounted = 1000

// Largest is the largest number that the cost tells apart from larger ones.
func (c *Cost) Largest() int {
	if c.Most == 0 {
		return mostCounted
	}
	return c.Most
}

// Counted is a count with one more, or one that stands for all beyond the largest.
func (c *Cost) Counted(n int) int { return min(n+1, c.Largest()+1) }

// Claim makes of the cost what a search takes: a claim of the kind [Measured].
func (c *Cost) Claim() Claim {
	return Claim{Name: c.Name, Kind: Measured, Source: c.Source, Assumes: c.Assumes, Monitor: c.Meter, Cost: c}
}

// mostLength is the longest chain that a [Chain] has room for.
const mostLength = 1<<15 - 1

// A Chain says how long the longest chain of messages is that began when a node invoked an
// operation: each message was sent after the one before had arrived at its sender, and the first
// after the invocation was heard of. Of two chains the one that began with the later operation
// of a node is the greater, and of the same operation the longer one; zero is none. Chains of a
// cost that says since when are all of operation 0: at the next moment none is left.
type Chain int32

// ChainFrom begins a chain with an operation, by its place in the script.
func ChainFrom(op int) Chain { return Chain(op+1) << 15 }

// Longer is the chain with a message more, which is counted up to one beyond the largest number
// of a cost.
func (c Chain) Longer(cost *Cost) Chain {
	if c == 0 || c.Length() > cost.Largest() {
		return c
	}
	return c + 1
}

// Op is the place of the operation in its script.
func (c Chain) Op() int { return int(c>>15) - 1 }

// Length is how many messages the chain has.
func (c Chain) Length() int { return int(c & mostLength) }
