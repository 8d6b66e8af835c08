// Package step computes the successors of a state, untimed, on a grid of ticks, or in dense time.
//
// A state is a vector of the numbers of its components (package component). A [Worker] computes steps: Expand
// enumerates the pending events and the moves of the environment, and calls Emit with each successor. Begin
// reading in step.go. The [Engine], shared by all workers, runs handlers and memoizes the results. Reductions
// that delete messages or check results are interfaces of this package, so that their packages import this one.
//
// The room has many files because each file treats one kind of step of the same worker on the same vector:
// crashes, partitions, the failure detector, alarms, draws.
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

// An Engine is the state that the workers of a search share: the components met so far, and the outcomes of
// handlers and monitors. A worker has memo tables of its own and locks the engine only for a result that is new
// to the worker.
//
// A state is a vector: the nodes' local states, the progress of applications, the monitors' states, the
// environment's budgets, the causal pasts if there are any, and then the pending parts, sorted.
type Engine struct {
	*component.Store
	N, monitors int   // numbers of nodes and monitors
	AppOf       []int // index of each node's application in a vector, or -1; nodes begin at 0
	MonitorAt   int   // index of the first monitor
	BudgetAt    int   // index of the environment's budget
	moreAt      int   // index of the budget for suspicions and partitions, or -1
	pastAt      int   // index of the first causal past
	Head        int   // index of the first pending part
	causal      func(model.Observation) bool
	chains      *model.Cost    // unless nil, causal pasts consist of [model.Chain]s
	pasts       bool           // states have causal pasts
	queues      bool           // channels are FIFO
	redelivers  bool           // messages received before a crash may arrive again
	BootClients []model.NodeID // nodes whose first operation is invoked at boot
	Made        []uint32       // by slot: the first local state, before Start
	recovers    []bool         // by node: it may crash and restart
	stops       []bool         // by node: it may crash for good
	strikes     bool           // the environment has a budget for nodes or the network
	partitions  []partition    // the partitions that the system allows
	informs     []model.NodeID // the nodes that the failure detector reports to
	informed    []bool         // by node: the failure detector reports to it
	Invocations [][]uint32     // parts, by slot and operation
	Releases    [][]uint32     // parts, by slot and operation
	Uses        reduce.Uses

	mu         sync.Mutex            // guards everything below, and the store
	handled    memo.Table            // (local, trigger) → results
	watched    memo.Table            // (monitor, observation) → results
	AllResults [][]component.Outcome // of handlers and monitors, by number
	agreement  []bool                // by result: a second run of the handler gave the same
	forged     memo.Table            // (local, slot) → forgeries
	AllForges  [][]uint32            // the forgeries of Byzantine senders, by number
	Calls      int64                 // handler runs, without the second runs
	ran        []uint32              // by slot: a bit for each kind of event whose handler ran
	NoCache    bool                  // handlers run on each lookup, for measurements
	// failing and failingWatch hold the failures of probes, by memo key.
	failing, failingWatch map[uint64]string
	Fair                  bool           // edges record which events a step renews
	Sets                  *liveness.Sets // of renewed events, if Fair

	Checks checker // nil without checks
}

// A checker is notified of each new result. The engine calls its methods once for each result, with the lock
// held.
type checker interface {
	// Computed is called after AllResults[i] was computed for a handler.
	Computed(from, trigger, i uint32)
	// Watched is called after AllResults[i] was computed for a monitor.
	Watched(from, seen, i uint32)
	// Forged is called after AllForges[i] was computed for a receiver's local state.
	Forged(state, i uint32)
}

// A Broken is a violation that a step shows, or a number that a meter reports.
type Broken struct {
	Monitor int    // by number, from 0, or Failing
	Text    string // the violation's text
	Who     int16  // the node of the observation, or -1
	// Measured is the number plus 1; 0 for a violation.
	Measured int32
}

// Failing is the Monitor of a Broken that reports a failed handler.
const Failing = -1

// NewEngine returns the engine of the store's system.
func NewEngine(st *component.Store) *Engine {
	e := &Engine{Store: st, N: len(st.Sys.Nodes), BootClients: st.Sys.AtBoot(), handled: memo.New(), watched: memo.New(), forged: memo.New(),
		failing: map[uint64]string{}, failingWatch: map[uint64]string{}}
	e.queues, e.redelivers = st.Sys.Network.Channel == model.FIFO, !st.Sys.Network.Once
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
	e.listPartitions()
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

// layOut computes the indexes of a vector.
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

// invocation returns the part of an application's invocation.
func (e *Engine) invocation(slot, op int) uint32 {
	call := e.Sys.Nodes[slot].Script[op]
	b := e.Store.Base(component.Base{Kind: component.Kind(model.Invoke), Slot: int16(slot), Op: int16(op), Value: e.Value(call.Call)})
	return e.Pending(b, call.After)
}

// release returns the part of an application's release.
func (e *Engine) release(slot, op int) uint32 {
	o := e.Sys.Nodes[slot].Script[op]
	b := e.Store.Base(component.Base{Kind: component.Kind(model.Release), Slot: int16(slot), Op: int16(op), Value: e.Value(o.Release)})
	return e.Pending(b, o.Stay)
}

// lookup returns the number of a handler's result. The caller holds the lock.
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

// Ran reports whether a node's handler ran for an event of a kind.
func (e *Engine) Ran(slot int, kind model.EventKind) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ran[slot]&(1<<kind) != 0
}

// lookupWatch returns the number of a monitor's result. The caller holds the lock.
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

// lookupTwice returns the result of lookup for a step that the search takes. Unlike for a probe, the handler
// runs a second time, and the runs must agree.
func (e *Engine) lookupTwice(from, trigger uint32) uint32 {
	i := e.lookup(from, trigger)
	if !e.agreement[i] {
		b := e.Bases.Items[trigger]
		e.runAgain(i, b.Slot, component.HandlerName(b.Kind), func() []component.Outcome { return e.compute(from, trigger) })
	}
	return i
}

// lookupWatchTwice returns the result of lookupWatch, after a second run that agreed.
func (e *Engine) lookupWatchTwice(from, seen uint32) uint32 {
	i := e.lookupWatch(from, seen)
	if !e.agreement[i] {
		e.runAgain(i, e.Locals.Items[from].Slot, "Observe", func() []component.Outcome { return e.Watch(from, seen) })
	}
	return i
}

func (e *Engine) runAgain(i uint32, slot int16, what string, run func() []component.Outcome) {
	e.Agree(slot, what, e.AllResults[i], e.Turned(1, run))
	e.agreement[i] = true
}

func (e *Engine) remember(c *memo.Table, key uint64, r []component.Outcome) uint32 {
	e.Calls += int64(len(r))
	i := uint32(len(e.AllResults))
	c.Put(key, i)
	e.AllResults, e.agreement = append(e.AllResults, r), append(e.agreement, false)
	return i
}
