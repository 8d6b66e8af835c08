package search

import (
	"slices"

	"contend/model"
)

// engine steps states. A state is a vector: the nodes' local states, their
// applications' progress, the monitors' states, the environment's budget, causal
// pasts when they are kept, and then the pending parts, sorted.
type engine struct {
	*store
	n, monitors int // numbers of nodes and monitors
	appAt       int // where in a vector the applications begin; nodes begin at 0
	monitorAt   int
	budgetAt    int
	pastAt      int
	head        int // where the pending parts begin
	causal      func(model.Observation) bool

	handled cache // (local, trigger) → results
	watched cache // (monitor, observation) → results
	results [][]outcome
	forged  cache // (local, slot) → forgeries
	forges  [][]uint32
	calls   int64 // handler runs
	lookups int64 // results asked for
	noCache bool  // results are computed anew each time

	absorb  *absorber
	sym     *symmetry // nil when it is off
	emit    func(next []uint32)
	move    move
	emitted uint32 // successors of the present state so far
	booting bool   // the run begins, and no time has passed
	atBoot  []model.NodeID
	movable bool   // something besides the environment could move
	cuts    uint64 // of the present state, as bits
	buffer  []uint32
	clock   []uint32
}

// A move is the step that is being taken, for whoever wants to know.
type move struct {
	kind    model.EventKind
	delay   int32  // ticks before it
	base    uint32 // the event, or the trigger of a forgery
	slot    int16  // of a crash or restart
	picks   []pick
	broken  []broken // claims that monitors found broken
	witness uint64   // monitors that were put to the test, as bits
}

// broken is a violation that a step shows.
type broken struct {
	monitor int
	text    string
	who     int16
}

func newEngine(st *store) *engine {
	e := &engine{store: st, n: len(st.sys.Nodes), atBoot: st.sys.AtBoot(), handled: newCache(), watched: newCache(), forged: newCache()}
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
	e.appAt, e.monitorAt = e.n, 2*e.n
	e.budgetAt = e.monitorAt + e.monitors
	e.pastAt = e.budgetAt + 1
	e.head = e.pastAt
	if e.causal != nil {
		e.head += e.n
	}
	return e
}

// fresh returns the local state of a slot as it is made.
func (e *engine) fresh(slot int) uint32 {
	return e.locals.id(local{int16(slot), string(e.codec.Node(e.protos[slot], nil))})
}

// initial hands the first state to emit.
func (e *engine) initial() {
	v := make([]uint32, e.head, e.head+16)
	for i, spec := range e.sys.Nodes {
		if spec.Byzantine {
			continue
		}
		v[i] = e.fresh(i)
		if len(spec.Script) > 0 {
			v = append(v, e.invocation(i, 0))
		}
	}
	for m := range e.monitors {
		v[e.monitorAt+m] = e.fresh(e.n + m)
	}
	f := e.sys.Faults
	v[e.budgetAt] = uint32(f.Loss | f.Duplication<<8 | f.Crashes<<16 | f.Restarts<<24)
	if e.causal != nil {
		for i := range e.n {
			v[e.pastAt+i] = e.pastID(make([]int32, e.n))
		}
	}
	e.move, e.booting = move{}, true
	e.bootFrom(v, 0)
	e.booting = false
}

// bootFrom runs Start of the nodes from i on, one after another.
func (e *engine) bootFrom(v []uint32, i int) {
	for ; i < e.n; i++ {
		if _, ok := e.protos[i].(model.Starter); ok {
			o := e.started(v, i)
			next := slices.Clone(v)
			next[i] = o.next
			e.effects(next, int16(i), o.effects, func(v []uint32) { e.bootFrom(v, i+1) })
			return
		}
	}
	e.finish(v)
}

// started is what Start does. It makes no choices.
func (e *engine) started(v []uint32, i int) *outcome {
	outcomes := e.lookup(v[i], e.store.base(base{kind: boot, slot: int16(i), value: e.value(nil)}))
	for k := range outcomes {
		o := &outcomes[k]
		if slices.ContainsFunc(o.picks, func(p pick) bool { return p.held == 0 }) {
			model.Misused("node %s: a choice is made where none can be: in Start", e.sys.Name(model.NodeID(i)))
		}
		if !e.allowed(v, o) {
			continue
		}
		if o.cut >= 0 {
			model.Misused("node %s: Start leads beyond a cut", e.sys.Name(model.NodeID(i)))
		}
		return o
	}
	panic("no outcome of Start is allowed, though no hold is set") // unreachable: Held is false for a hold that is not set
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
func (e *engine) lookup(from, trigger uint32) []outcome {
	e.lookups++
	key := pair(from, trigger)
	if i, ok := e.handled.get(key); ok {
		if e.noCache {
			e.calls += int64(2 * len(e.compute(from, trigger)))
		}
		return e.results[i]
	}
	r := e.compute(from, trigger)
	e.remember(&e.handled, key, r)
	if e.sym != nil {
		e.sym.check(from, trigger, r, false)
	}
	return r
}

// compute runs the handler of a node, or of a monitor's alarm.
func (e *engine) compute(from, trigger uint32) []outcome {
	if kind(model.Expire) == e.bases.items[trigger].kind {
		return e.expire(from, trigger)
	}
	return e.handle(from, trigger)
}

// lookupWatch returns what a monitor makes of an observation.
func (e *engine) lookupWatch(from, seen uint32) []outcome {
	e.lookups++
	key := pair(from, seen+1)
	if i, ok := e.watched.get(key); ok {
		if e.noCache {
			e.calls += int64(2 * len(e.watch(from, seen)))
		}
		return e.results[i]
	}
	r := e.watch(from, seen)
	e.remember(&e.watched, key, r)
	if e.sym != nil {
		e.sym.check(from, seen, r, true)
	}
	return r
}

func (e *engine) remember(c *cache, key uint64, r []outcome) {
	e.calls += int64(2 * len(r))
	c.put(key, uint32(len(e.results)))
	e.results = append(e.results, r)
}

// expand hands every successor of a state to emit. The order is the same each
// time, so that the number of a successor names it.
func (e *engine) expand(v []uint32) {
	e.emitted, e.movable, e.cuts = 0, false, 0
	e.clock = append(e.clock[:0], v...)
	for _, id := range e.atBoot {
		if v[e.appAt+int(id)] == 0 {
			e.move = move{}
			e.invokeAtBoot(v, int16(id))
			return
		}
	}
	for delay := int32(0); ; delay++ {
		e.move = move{delay: delay}
		e.fire(e.clock)
		e.environment(e.clock)
		if !e.timed || !e.tickAll() {
			return
		}
	}
}

// invokeAtBoot takes the one step that a node whose operation begins at boot allows.
func (e *engine) invokeAtBoot(v []uint32, slot int16) {
	for i := e.head; i < len(v); i++ {
		if f := e.flat[v[i]]; f.kind == kind(model.Invoke) && f.slot == slot {
			e.move = move{kind: model.Invoke, base: f.base}
			e.handleEvent(v, i, f)
		}
	}
}

// tickAll moves the clock a tick on; false when time may not or need not pass.
func (e *engine) tickAll() bool {
	changed := false
	kept := e.head
	for _, id := range e.clock[e.head:] {
		next := e.tick(id)
		if next == blocked {
			return false
		}
		changed = changed || next != id
		if next != gone {
			e.clock[kept] = next
			kept++
		}
	}
	e.clock = e.clock[:kept]
	sortParts(e.clock[e.head:])
	return changed
}

// fire takes each event that may fire now.
func (e *engine) fire(v []uint32) {
	for i := e.head; i < len(v); i++ {
		if i > e.head && v[i] == v[i-1] {
			continue // an equal event has the same successors
		}
		f := e.flat[v[i]]
		if f.lo > 0 || f.kind >= hold {
			continue
		}
		e.move = move{kind: model.EventKind(f.kind), delay: e.move.delay, base: f.base}
		switch e.move.kind {
		case model.Deliver:
			if e.bases.items[f.base].pos == 0 {
				e.deliver(v, i, f)
			}
		case model.Return:
			e.returned(v, i, f)
		case model.Expire:
			e.expireAlarm(v, i, f)
		default:
			e.handleEvent(v, i, f)
		}
	}
}

// without copies a state into the buffer, less the part at i.
func (e *engine) without(v []uint32, i int) []uint32 {
	e.buffer = append(append(e.buffer[:0], v[:i]...), v[i+1:]...)
	return e.buffer
}

func (e *engine) deliver(v []uint32, i int, f flat) {
	if v[f.slot] == down { // a crashed server: the message is lost
		next := e.advanceChannel(e.without(v, i), f.base)
		e.movable = true
		e.finish(next)
		return
	}
	e.handleEvent(v, i, f)
}

// handleEvent branches over the outcomes of a node's handler.
func (e *engine) handleEvent(v []uint32, i int, f flat) {
	b := e.bases.items[f.base]
	outcomes := e.lookup(v[f.slot], e.trigger[f.base])
	for k := range outcomes {
		o := &outcomes[k]
		if !e.allowed(v, o) {
			continue
		}
		if o.cut >= 0 {
			e.cuts |= 1 << o.cut
			continue
		}
		e.movable = true
		next := e.without(v, i)
		e.absorb.took(v[f.slot], o)
		next[f.slot] = o.next
		e.move.picks, e.move.broken, e.move.witness = o.picks, nil, 0
		switch model.EventKind(b.kind) {
		case model.Deliver:
			next = e.advanceChannel(next, f.base)
			if e.causal != nil {
				e.learn(next, f.slot, b.past)
			}
			next = e.keepForRestart(next, v[i], b)
			e.effects(next, f.slot, o.effects, e.finish)
		case model.Invoke:
			next[e.appAt+int(f.slot)] = uint32(b.op+1)<<1 | 1
			e.observe(next, e.seenOf(model.Invoked, f.slot, b.op, b.value), func(v []uint32) { e.effects(v, f.slot, o.effects, e.finish) })
		case model.Release:
			e.observe(next, e.seenOf(model.Released, f.slot, b.op, b.value), func(v []uint32) {
				e.effects(v, f.slot, o.effects, func(v []uint32) { e.finish(e.goOn(v, f.slot, b.op)) })
			})
		default:
			e.effects(next, f.slot, o.effects, e.finish)
		}
	}
}

// allowed reports whether time lets the answers of Held be as an outcome has them.
func (e *engine) allowed(v []uint32, o *outcome) bool {
	for _, p := range o.picks {
		if p.held != 0 && !e.mayAnswer(v, p) {
			return false
		}
	}
	return true
}

func (e *engine) mayAnswer(v []uint32, p pick) bool {
	for _, id := range v[e.head:] {
		if f := &e.flat[id]; f.base == p.held {
			free := !e.timed || f.hi == 0 && !e.refine.exact
			return free && !e.booting || p.lasts()
		}
	}
	return !p.lasts()
}

// returned lets the application see its operation return.
func (e *engine) returned(v []uint32, i int, f flat) {
	b := e.bases.items[f.base]
	e.movable = true
	next := e.without(v, i)
	next[e.appAt+int(f.slot)] &^= 1
	e.move.picks, e.move.broken, e.move.witness = nil, nil, 0
	e.observe(next, e.seenOf(model.Returned, f.slot, b.op, b.value), func(v []uint32) {
		if e.sys.Nodes[f.slot].Script[b.op].Release != nil {
			e.finish(append(v, e.release(int(f.slot), int(b.op))))
			return
		}
		e.finish(e.goOn(v, f.slot, b.op))
	})
}

// goOn schedules the operation after op.
func (e *engine) goOn(v []uint32, slot, op int16) []uint32 {
	if k := int(op) + 1; k < len(e.sys.Nodes[slot].Script) {
		v = append(v, e.invocation(int(slot), k))
	}
	return v
}

func (e *engine) expireAlarm(v []uint32, i int, f flat) {
	at := e.monitorAt + int(f.slot) - e.n
	for _, o := range e.lookup(v[at], e.trigger[f.base]) {
		if e.allowed(v, &o) {
			next := e.without(v, i)
			next[at] = o.next
			e.move.picks, e.move.broken, e.move.witness = o.picks, nil, 0
			e.blame(at-e.monitorAt, -1, &o)
			e.effects(next, f.slot, o.effects, e.finish)
		}
	}
}

// finish sorts a successor and hands it on.
func (e *engine) finish(v []uint32) {
	v = e.absorb.apply(e, v)
	sortParts(v[e.head:])
	e.emit(v)
	e.emitted++
}

// sortParts sorts a short, nearly sorted list.
func sortParts(p []uint32) {
	for i := 1; i < len(p); i++ {
		for j := i; j > 0 && p[j] < p[j-1]; j-- {
			p[j], p[j-1] = p[j-1], p[j]
		}
	}
}
