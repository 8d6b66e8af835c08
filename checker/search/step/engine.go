// Package step takes a state to its successors, in each reading of time.
//
// A state is a vector of the numbers of its components (package component). A [Worker] takes
// the steps: Expand goes through the pending events and what the environment may do, and calls
// Emit with each successor; step.go is where to begin. What a handler does is asked of the
// [Engine], which all workers share, and remembered. What deletes messages from successors, and
// what is told of all that is computed, are interfaces here, so that the packages of reductions
// import this one and are not imported by it.
//
// It is one room, though of many files, since each of them tells of one sort of step of the same worker on the same
// vector: what a crash does to it, a cut of the network, a detector, an alarm, a draw.
package step

import (
	"sync"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/checker/search/memo"
	"contend/checker/search/reduce"
	"contend/model"
	"contend/model/purity"
)

// Engine is what the workers of a search share: the components met so far, and what
// handlers and monitors do with them. A worker keeps what it has learned in tables of
// its own and asks the engine, one worker at a time, only for what is new to it.
//
// A state is a vector: the nodes' local states, their applications' progress, the
// monitors' states, the environment's budget, causal pasts when they are kept, and
// then the pending parts, sorted.
type Engine struct {
	*component.Store
	N, monitors int   // numbers of nodes and monitors
	AppOf       []int // where in a vector the application of each node is, or -1; nodes begin at 0
	MonitorAt   int   // where the monitors begin
	BudgetAt    int   // where the environment's budget is
	moreAt      int   // where the budgets are that few systems have, or -1
	pastAt      int
	Head        int // where the pending parts begin
	causal      func(model.Observation) bool
	chains      *model.Cost    // unless nil, causal pasts are of [model.Chain]s
	pasts       bool           // causal pasts are kept
	queues      bool           // channels are FIFO
	again       bool           // what arrived before a crash may arrive once more
	AtBoot      []model.NodeID // those whose first operation comes at boot
	Made        []uint32       // the local state of each slot as it is made
	recovers    []bool         // of the nodes: it may crash and come back
	stops       []bool         // of the nodes: it may crash for good
	strikes     bool           // the environment has a budget for nodes or the network
	cuts        []cutting      // the ways to cut the network
	informs     []model.NodeID // those that the failure detector tells what it finds
	informed    []bool         // of the nodes: it is one of them
	Invocations [][]uint32     // parts, by slot and operation
	Releases    [][]uint32     // likewise
	Uses        reduce.Uses

	mu         sync.Mutex            // guards everything below, and the store
	handled    memo.Table            // (local, trigger) → results
	watched    memo.Table            // (monitor, observation) → results
	AllResults [][]component.Outcome // of handlers and monitors, by number
	agreed     []bool                // of results: the handler was run twice
	forged     memo.Table            // (local, slot) → forgeries
	AllForges  [][]uint32            // the forgeries of Byzantine senders, by number
	Calls      int64                 // handler runs, not counting the second ones
	ran        []uint32              // of each slot: a bit for each kind of event whose handler ran
	NoCache    bool                  // results are computed anew each time
	// failing and failingWatch tell of probes how they failed.
	failing, failingWatch map[uint64]string
	Fair                  bool           // it matters which events steps make anew
	Sets                  *liveness.Sets // names of sets of events, where it does

	Checks checking // nil when there is nothing to check
}

// checking is told of all that is computed.
type checking interface {
	// Computed is told which of AllResults is what a handler does on a trigger.
	Computed(from, trigger, i uint32)
	// Watched is told which of AllResults is what a monitor makes of an observation.
	Watched(from, seen, i uint32)
	// Forged is told which of AllForges is what may be forged to a receiver in a state.
	Forged(state, i uint32)
}

// Broken is a violation that a step shows, or a number that it has a meter report.
type Broken struct {
	Monitor int    // by number, from 0, or Failing
	Text    string // what it says
	Who     int16  // the node that it was told of
	// Measured is one more than the number; 0 where it is a violation.
	Measured int32
}

// Failing, as a Broken's monitor, says that a handler fails.
const Failing = -1

// NewEngine makes the engine of a system whose components go into a store.
func NewEngine(st *component.Store) *Engine {
	e := &Engine{Store: st, N: len(st.Sys.Nodes), AtBoot: st.Sys.AtBoot(), handled: memo.New(), watched: memo.New(), forged: memo.New(),
		failing: map[uint64]string{}, failingWatch: map[uint64]string{}}
	e.queues, e.again = st.Sys.Network.Channel == model.FIFO, !st.Sys.Network.Once
	for _, s := range st.Sys.Nodes {
		e.recovers, e.stops = append(e.recovers, s.MayRecover()), append(e.stops, s.MayStop())
		if s.Byzantine {
			st.Protos = append(st.Protos, nil)
		} else {
			st.Protos = append(st.Protos, s.New())
		}
	}
	for _, c := range st.Claims {
		if c.Monitor != nil {
			st.Protos = append(st.Protos, c.Monitor(st.Sys))
			e.monitors++
		}
		if c.Causal != nil {
			e.causal = c.Causal
		}
		if c.Cost != nil && c.Cost.Chains {
			e.chains = c.Cost
		}
	}
	e.ran = make([]uint32, e.N)
	e.informs, e.informed = st.Sys.Informs(), make([]bool, e.N)
	for _, id := range e.informs {
		e.informed[id] = true
	}
	e.cuttings()
	f := st.Sys.Faults
	e.strikes = f.Crashes+f.Restarts+f.Suspicions+f.Partitions > 0
	e.pasts = e.causal != nil || e.chains != nil
	e.layOut()
	for slot, proto := range st.Protos {
		id := component.Down
		st.Configurations = append(st.Configurations, 0)
		if proto != nil {
			st.Configurations[slot] = purity.Configuration(proto)
			id = e.Store.Local(int16(slot), e.Codec.Node(proto, nil))
		}
		e.Made = append(e.Made, id)
	}
	for slot, spec := range st.Sys.Nodes {
		e.Invocations, e.Releases = append(e.Invocations, nil), append(e.Releases, nil)
		for op := range spec.Script {
			e.Invocations[slot] = append(e.Invocations[slot], e.invocation(slot, op))
			e.Releases[slot] = append(e.Releases[slot], e.release(slot, op))
		}
	}
	return e
}

// layOut decides where in a vector everything is.
func (e *Engine) layOut() {
	at := e.N
	for _, spec := range e.Sys.Nodes {
		app := -1
		if len(spec.Script) > 0 {
			app = at
			at++
		}
		e.AppOf = append(e.AppOf, app)
	}
	e.MonitorAt = at
	e.BudgetAt = e.MonitorAt + e.monitors
	e.pastAt, e.moreAt = e.BudgetAt+1, -1
	if f := e.Sys.Faults; f.Suspicions+f.Partitions > 0 {
		e.moreAt = e.pastAt
		e.pastAt++
	}
	e.Head = e.pastAt
	if e.pasts {
		e.Head += e.N
	}
}

// invocation and release are the parts of an application's next event.
func (e *Engine) invocation(slot, op int) uint32 {
	call := e.Sys.Nodes[slot].Script[op]
	b := e.Store.Base(component.Base{Kind: component.Kind(model.Invoke), Slot: int16(slot), Op: int16(op), Value: e.Value(call.Call)})
	return e.Pending(b, call.After)
}

func (e *Engine) release(slot, op int) uint32 {
	o := e.Sys.Nodes[slot].Script[op]
	b := e.Store.Base(component.Base{Kind: component.Kind(model.Release), Slot: int16(slot), Op: int16(op), Value: e.Value(o.Release)})
	return e.Pending(b, o.Stay)
}

// lookup returns what a node does on a trigger.
func (e *Engine) lookup(from, trigger uint32) uint32 {
	key := memo.Pair(from, trigger)
	if i, ok := e.handled.Get(key); ok {
		return i
	}
	i := e.remember(&e.handled, key, e.compute(from, trigger))
	if e.Checks != nil {
		e.Checks.Computed(from, trigger, i)
	}
	return i
}

// compute runs the handler of a node, or of a monitor's alarm.
func (e *Engine) compute(from, trigger uint32) []component.Outcome {
	b := e.Bases.Items[trigger]
	if component.Kind(model.Expire) == b.Kind {
		return e.Expire(from, trigger)
	}
	e.ran[b.Slot] |= 1 << b.Kind
	return e.Handle(from, trigger)
}

// Ran reports whether a node was told of an event of a kind.
func (e *Engine) Ran(slot int, kind model.EventKind) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ran[slot]&(1<<kind) != 0
}

// lookupWatch returns what a monitor makes of an observation.
func (e *Engine) lookupWatch(from, seen uint32) uint32 {
	key := memo.Pair(from, seen)
	if i, ok := e.watched.Get(key); ok {
		return i
	}
	i := e.remember(&e.watched, key, e.Watch(from, seen))
	if e.Checks != nil {
		e.Checks.Watched(from, seen, i)
	}
	return i
}

// taken returns what a node does on a trigger, for a search that goes this way: the
// handler has run twice then, and agreed with itself.
func (e *Engine) taken(from, trigger uint32) uint32 {
	i := e.lookup(from, trigger)
	if !e.agreed[i] {
		b := e.Bases.Items[trigger]
		e.ranAgain(i, b.Slot, component.HandlerName(b.Kind), func() []component.Outcome { return e.compute(from, trigger) })
	}
	return i
}

// takenWatch is taken for an observation.
func (e *Engine) takenWatch(from, seen uint32) uint32 {
	i := e.lookupWatch(from, seen)
	if !e.agreed[i] {
		e.ranAgain(i, e.Locals.Items[from].Slot, "Observe", func() []component.Outcome { return e.Watch(from, seen) })
	}
	return i
}

func (e *Engine) ranAgain(i uint32, slot int16, what string, run func() []component.Outcome) {
	e.Agree(slot, what, e.AllResults[i], e.Turned(1, run))
	e.agreed[i] = true
}

func (e *Engine) remember(c *memo.Table, key uint64, r []component.Outcome) uint32 {
	e.Calls += int64(len(r))
	i := uint32(len(e.AllResults))
	c.Put(key, i)
	e.AllResults, e.agreed = append(e.AllResults, r), append(e.agreed, false)
	return i
}
