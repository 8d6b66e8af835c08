package search

import (
	"sync"

	"contend/model"
	"contend/model/value"
)

// engine is what the workers of a search share: the components met so far, and what
// handlers and monitors do with them. A worker keeps what it has learned in tables of
// its own and asks the engine, one worker at a time, only for what is new to it.
//
// A state is a vector: the nodes' local states, their applications' progress, the
// monitors' states, the environment's budget, causal pasts when they are kept, and
// then the pending parts, sorted.
type engine struct {
	*store
	n, monitors int   // numbers of nodes and monitors
	appOf       []int // where in a vector the application of each node is, or -1; nodes begin at 0
	monitorAt   int
	budgetAt    int
	pastAt      int
	head        int // where the pending parts begin
	causal      func(model.Observation) bool
	queues      bool // channels are FIFO
	atBoot      []model.NodeID
	made        []uint32   // the local state of each slot as it is made
	invocations [][]uint32 // parts, by slot and operation
	releases    [][]uint32
	uses        uses

	mu         sync.Mutex // guards everything below, and the store
	handled    cache      // (local, trigger) → results
	watched    cache      // (monitor, observation) → results
	allResults [][]outcome
	agreed     []bool // of results: the handler was run twice
	forged     cache  // (local, slot) → forgeries
	allForges  [][]uint32
	calls      int64 // handler runs, not counting the second ones
	noCache    bool  // results are computed anew each time
	// failing and failingWatch tell of probes how they failed.
	failing, failingWatch map[uint64]string

	checks checking // nil when there is nothing to check
}

// checking is told of all that is computed, before it is used.
type checking interface {
	Computed(from, trigger uint32, r []outcome)
	Watched(from, seen uint32, r []outcome)
	Forged(state uint32, alphabet []uint32)
}

// broken is a violation that a step shows.
type broken struct {
	monitor int
	text    string
	who     int16
}

func newEngine(st *store) *engine {
	e := &engine{store: st, n: len(st.sys.Nodes), atBoot: st.sys.AtBoot(), handled: newCache(), watched: newCache(), forged: newCache(),
		failing: map[uint64]string{}, failingWatch: map[uint64]string{}}
	e.queues = st.sys.Network.Channel == model.FIFO
	for _, s := range st.sys.Nodes {
		if s.Byzantine {
			st.protos = append(st.protos, nil)
		} else {
			st.protos = append(st.protos, s.New())
		}
	}
	for _, c := range st.claims {
		if c.Monitor != nil {
			st.protos = append(st.protos, c.Monitor(st.sys))
			e.monitors++
		}
		if c.Causal != nil {
			e.causal = c.Causal
		}
	}
	e.layOut()
	for slot, proto := range st.protos {
		id := down
		st.configurations = append(st.configurations, 0)
		if proto != nil {
			st.configurations[slot] = value.Configuration(proto)
			id = e.store.local(int16(slot), e.codec.Node(proto, nil))
		}
		e.made = append(e.made, id)
	}
	for slot, spec := range st.sys.Nodes {
		e.invocations, e.releases = append(e.invocations, nil), append(e.releases, nil)
		for op := range spec.Script {
			e.invocations[slot] = append(e.invocations[slot], e.invocation(slot, op))
			e.releases[slot] = append(e.releases[slot], e.release(slot, op))
		}
	}
	return e
}

// layOut decides where in a vector everything is.
func (e *engine) layOut() {
	at := e.n
	for _, spec := range e.sys.Nodes {
		app := -1
		if len(spec.Script) > 0 {
			app = at
			at++
		}
		e.appOf = append(e.appOf, app)
	}
	e.monitorAt = at
	e.budgetAt = e.monitorAt + e.monitors
	e.pastAt = e.budgetAt + 1
	e.head = e.pastAt
	if e.causal != nil {
		e.head += e.n
	}
}

// invocation and release are the parts of an application's next event.
func (e *engine) invocation(slot, op int) uint32 {
	call := e.sys.Nodes[slot].Script[op]
	b := e.store.base(base{kind: kind(model.Invoke), slot: int16(slot), op: int16(op), value: e.value(call.Call)})
	return e.pending(b, call.After)
}

func (e *engine) release(slot, op int) uint32 {
	o := e.sys.Nodes[slot].Script[op]
	b := e.store.base(base{kind: kind(model.Release), slot: int16(slot), op: int16(op), value: e.value(o.Release)})
	return e.pending(b, o.Stay)
}

// lookup returns what a node does on a trigger.
func (e *engine) lookup(from, trigger uint32) uint32 {
	key := pair(from, trigger)
	if i, ok := e.handled.get(key); ok {
		return i
	}
	r := e.compute(from, trigger)
	i := e.remember(&e.handled, key, r)
	if e.checks != nil {
		e.checks.Computed(from, trigger, r)
	}
	return i
}

// compute runs the handler of a node, or of a monitor's alarm.
func (e *engine) compute(from, trigger uint32) []outcome {
	if kind(model.Expire) == e.bases.items[trigger].kind {
		return e.expire(from, trigger)
	}
	return e.handle(from, trigger)
}

// lookupWatch returns what a monitor makes of an observation.
func (e *engine) lookupWatch(from, seen uint32) uint32 {
	key := pair(from, seen+1)
	if i, ok := e.watched.get(key); ok {
		return i
	}
	r := e.watch(from, seen)
	i := e.remember(&e.watched, key, r)
	if e.checks != nil {
		e.checks.Watched(from, seen, r)
	}
	return i
}

// taken returns what a node does on a trigger, for a search that goes this way: the
// handler has run twice then, and agreed with itself.
func (e *engine) taken(from, trigger uint32) uint32 {
	i := e.lookup(from, trigger)
	if !e.agreed[i] {
		b := e.bases.items[trigger]
		e.ranAgain(i, b.slot, handlerName(b.kind), func() []outcome { return e.compute(from, trigger) })
	}
	return i
}

// takenWatch is taken for an observation.
func (e *engine) takenWatch(from, seen uint32) uint32 {
	i := e.lookupWatch(from, seen)
	if !e.agreed[i] {
		e.ranAgain(i, e.locals.items[from].slot, "Observe", func() []outcome { return e.watch(from, seen) })
	}
	return i
}

func (e *engine) ranAgain(i uint32, slot int16, what string, run func() []outcome) {
	e.agree(slot, what, e.allResults[i], e.turned(1, run))
	e.agreed[i] = true
}

func (e *engine) remember(c *cache, key uint64, r []outcome) uint32 {
	e.calls += int64(len(r))
	i := uint32(len(e.allResults))
	c.put(key, i)
	e.allResults, e.agreed = append(e.allResults, r), append(e.agreed, false)
	return i
}
