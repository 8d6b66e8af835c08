package model

// A Cost is a number that is defined for runs of a protocol, such as the messages of a request. A search
// computes its minimum and maximum over all runs.
type Cost struct {
	Name    string
	Unit    string // the unit, in the plural: "messages"
	Meaning string // a sentence that defines the number
	Source  string // paper and section, or ""
	// Assumes lists the assumptions, as for a [Claim].
	Assumes []Assumption
	// Meter makes the monitor that counts. It calls [Watch.Measure] for each number, for example when an
	// operation returns. With AtEnd it is a [Total] or a [Totals] instead.
	Meter func(s *System) Monitor
	// AtEnd selects the number at the end of a run: every script is done, except those of crashed nodes, and no
	// event is pending.
	AtEnd bool
	// Most is the largest number that is distinguished, in [1, 30000]; 0 means 1000. A meter counts up to
	// Most+1, in place of all larger numbers. So an unbounded cost has finitely many states. See
	// [Cost.Counted].
	Most int
	// Sends selects observations of the kind [Sent] for the meter.
	Sends bool
	// Chains selects the computation of [Observation.Chain].
	Chains bool
	// Since, unless nil, selects the observations at which chains begin, in place of the invocations. Each such
	// observation ends all chains, and begins one at every node. Messages in flight then belong to no chain. It
	// is a pure function, and needs Chains.
	Since func(o Observation) bool
	// Check is the default check of the cost; zero means the default check of the protocol.
	Check Check
}

// A Total is the meter of a cost with AtEnd.
type Total interface {
	// Total returns the number in the monitor's present state, ≥ 0.
	Total() int
}

// A Totals is a [Total] with several numbers, such as one for each operation.
type Totals interface {
	// Totals returns the numbers in the monitor's present state, each ≥ 0, in any order; none if the cost is
	// not defined for the run.
	Totals() []int
}

// mostCounted is the default of Most.
const mostCounted = 1000

// Largest returns the largest number that is distinguished.
func (c *Cost) Largest() int {
	if c.Most == 0 {
		return mostCounted
	}
	return c.Most
}

// Counted returns n+1, or Largest()+1 if that is less.
func (c *Cost) Counted(n int) int { return min(n+1, c.Largest()+1) }

// Claim returns the cost as a claim of the kind [Measured].
func (c *Cost) Claim() Claim {
	return Claim{Name: c.Name, Kind: Measured, Source: c.Source, Assumes: c.Assumes, Monitor: c.Meter, Cost: c}
}

// mostLength is the largest length of a [Chain].
const mostLength = 1<<15 - 1

// A Chain is the length of the longest chain of messages that began when a node invoked an operation. Each
// message of a chain was sent after the previous one had arrived at its sender; the first was sent after the
// invocation. A chain that began with a later operation of the node is greater, and of the same operation the
// longer one is. Zero is no chain. With [Cost.Since] all chains have operation 0.
type Chain int32

// ChainFrom returns the empty chain of an operation, given by its index in the script.
func ChainFrom(op int) Chain { return Chain(op+1) << 15 }

// Longer returns the chain with one more message. The length is at most one above the cost's largest number.
func (c Chain) Longer(cost *Cost) Chain {
	if c == 0 || c.Length() > cost.Largest() {
		return c
	}
	return c + 1
}

// Op returns the index of the operation in its script.
func (c Chain) Op() int { return int(c>>15) - 1 }

// Length returns the number of messages in the chain.
func (c Chain) Length() int { return int(c & mostLength) }
