package search

import (
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/model"
)

// A worker steps states. It reads only what is its own, so that workers do not wait
// for each other: remembered answers, and views of the shared lists, which only grow.
type worker struct {
	*engine
	view
	handled   cache // (local, trigger) → reaction
	watched   cache // (monitor, observation) → reaction
	reactions []reaction
	forged    cache // local → forgeries
	memo      cache // everything else: see recall
	drafts    bool  // what onlySends says
	lookups   int64
	absorb    absorbing // nil when nothing is absorbed

	turns   turns // of the present state, where coins are tossed
	move    move
	emit    func(next []uint32)
	sketch  func(d draft) // unless nil, is given successors that are not made yet
	emitted uint32        // successors of the present state so far
	booting bool          // the run begins, and no time has passed
	movable bool          // something besides the environment could move
	repairs bool          // a server that is down could come back
	cuts    uint64        // of the present state, as bits
	// Of the present state: the events that a cut kept from firing, and which flags what else
	// it kept back has, which need not happen; and the events that the present step has made
	// anew.
	withheld []uint32
	kept     liveness.Flags
	renewed  []uint32

	at      print // of the present state
	sum     print // of the successor that is being made
	buffer  []uint32
	clock   []uint32
	zones   *zoning  // of the present state and the successor that is being made; nil unless time is dense
	tracker *tracker // of a run that is taken again; nil else
	// followed says that zones or a tracker follow the parts.
	followed bool
}

// view is a worker's view of the shared lists.
type view struct {
	flats       []flat
	bases       []base
	localPrints []print
	pastPrints  []print
	results     [][]outcome
	forges      [][]uint32
}

// A reaction is what a node or monitor does on a trigger.
type reaction struct {
	outcomes []outcome
	// The outcome, if there is one without answers and within the cuts, once more, so
	// that all that the search reads is in one cache line.
	effects []effect
	next    uint32
	plain   bool

	sends bool  // all that it does is to send, as [engine.onlySends] has it
	delta print // what it adds to the sum of a state, when it only sends

	stale bool
	asked bool  // whether it is stale was asked
	to    int16 // the one node it answers when it does nothing else, or -1
	id    uint32
}

// answers returns the one node that a receiver answers when it does nothing else on
// a message, or -1.
func answers(rs []outcome, state uint32, bases []base) int16 {
	if len(rs) != 1 || rs[0].next != state || rs[0].cut >= 0 || len(rs[0].picks) > 0 || len(rs[0].effects) == 0 {
		return -1
	}
	to := int16(-1)
	for _, f := range rs[0].effects {
		if f.do != send {
			return -1
		}
		at := bases[f.base].slot
		if to >= 0 && to != at {
			return -1
		}
		to = at
	}
	return to
}

// absorbing takes away from a successor what does not matter any more. It is told of
// every local transition that the search takes.
type absorbing interface {
	Clean(v []uint32) []uint32
	GoesOn(from, to uint32)
}

// goesOn notes a local transition that the search takes.
func (w *worker) goesOn(from, to uint32) {
	if w.absorb != nil {
		w.absorb.GoesOn(from, to)
	}
}

// A move is the step that is being taken, for whoever wants to know.
type move struct {
	kind    model.EventKind
	delay   int32  // ticks before it
	base    uint32 // the event, or the trigger of a forgery
	slot    int16  // of a crash or restart
	place   int32  // of the event in the present state
	picks   []pick
	broken  []broken // claims that monitors found broken
	witness uint64   // monitors that were put to the test, as bits
}

func newWorker(e *engine) *worker {
	w := &worker{engine: e, handled: newCache(), watched: newCache(), forged: newCache(), memo: newCache()}
	w.drafts = e.onlySends()
	if e.dense {
		w.zones, w.followed = &zoning{}, true
	}
	w.refresh()
	return w
}

// refresh looks at the shared lists again. A worker does so when it has asked for
// something, and is made to at the end of a layer, before others' components reach it.
func (w *worker) refresh() {
	e := w.engine
	w.view = view{e.flats, e.bases.items, e.localPrints, e.pastPrints, e.allResults, e.allForges}
}

// ask lets the worker use the engine by itself.
func (w *worker) ask(what func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.refresh()
	what()
}

// react returns what a node does on a trigger.
func (w *worker) react(from, trigger uint32) *reaction {
	w.lookups++
	key := pair(from, trigger)
	if i, ok := w.handled.get(key); ok {
		if w.noCache {
			w.ask(func() { w.calls += int64(len(w.compute(from, trigger)) + len(w.compute(from, trigger))) })
		}
		return &w.reactions[i]
	}
	var i uint32
	w.ask(func() { i = w.taken(from, trigger) })
	return w.learned(&w.handled, key, i, from)
}

// reactWatch returns what a monitor makes of an observation.
func (w *worker) reactWatch(from, seen uint32) *reaction {
	w.lookups++
	key := pair(from, seen+1)
	if i, ok := w.watched.get(key); ok {
		if w.noCache {
			w.ask(func() { w.calls += int64(len(w.watch(from, seen)) + len(w.watch(from, seen))) })
		}
		return &w.reactions[i]
	}
	var i uint32
	w.ask(func() { i = w.takenWatch(from, seen) })
	return w.learned(&w.watched, key, i, from)
}

func (w *worker) learned(c *cache, key uint64, result, from uint32) *reaction {
	id := uint32(len(w.reactions))
	outcomes := w.results[result]
	r := reaction{outcomes: outcomes, id: id, to: answers(outcomes, from, w.bases)}
	if o := &outcomes[0]; len(outcomes) == 1 && len(o.picks) == 0 && o.cut < 0 {
		r.plain, r.next, r.effects = true, o.next, o.effects
		w.foresee(&r, from)
	}
	w.reactions = append(w.reactions, r)
	c.put(key, id)
	return &w.reactions[id]
}

// What a memo is about, in the top bits of the second half of its key.
const (
	aboutTick         = iota << 28 // a part a tick later
	aboutPlace                     // a part at another place of its channel
	aboutPast                      // a part with a causal past
	aboutDelivered                 // a part that was delivered and may come again
	aboutOptional                  // one that comes again
	aboutResult                    // the return of an operation
	aboutNote                      // the observation of a note
	aboutEvent                     // the observation of an event of an application
	aboutCrash                     // the observation of a crash
	aboutCausal                    // whether an observation counts in causal pasts
	aboutSeenPast                  // an observation with a causal past
	aboutCount                     // a causal past with one more
	aboutUnion                     // two causal pasts
	aboutRenamedLocal              // a local state under a permutation
	aboutRenamedPart               // a part under a permutation
	aboutPlain                     // a part without its time
)

// recall remembers what the engine answers to a question.
func (w *worker) recall(id, about uint32, compute func() uint32) uint32 {
	key := pair(id+1, about)
	if r, ok := w.memo.get(key); ok {
		return r
	}
	var r uint32
	w.ask(func() { r = compute() })
	w.memo.put(key, r)
	return r
}

// printOfState adds up the prints of a state's components.
func (w *worker) printOfState(v []uint32) print {
	var p print
	for i := range w.n {
		p = p.Plus(w.localPrints[v[i]])
	}
	for i := w.n; i < w.monitorAt; i++ {
		p = p.Plus(fingerprint.Numbered(i, v[i]))
	}
	for i := w.monitorAt; i < w.budgetAt; i++ {
		p = p.Plus(w.localPrints[v[i]])
	}
	p = p.Plus(fingerprint.Numbered(w.budgetAt, v[w.budgetAt]))
	for i := w.pastAt; i < w.head; i++ {
		p = p.Plus(w.pastPrint(i, v[i]))
	}
	for _, id := range v[w.head:] {
		p = p.Plus(w.flats[id].print)
	}
	return p
}

func (w *worker) pastPrint(place int, id uint32) print {
	p := w.pastPrints[id]
	return print{A: fingerprint.Scramble(p.A + uint64(place)), B: fingerprint.Scramble(p.B + uint64(place))}
}

// set changes a node's or monitor's local state in a successor.
func (w *worker) set(v []uint32, at int, to uint32) {
	w.sum = w.sum.Plus(w.localPrints[to]).Minus(w.localPrints[v[at]])
	v[at] = to
}

// number changes the state of an application, or the budget.
func (w *worker) number(v []uint32, at int, to uint32) {
	w.sum = w.sum.Plus(fingerprint.Numbered(at, to)).Minus(fingerprint.Numbered(at, v[at]))
	v[at] = to
}

func (w *worker) setPast(v []uint32, at int, to uint32) {
	w.sum = w.sum.Plus(w.pastPrint(at, to)).Minus(w.pastPrint(at, v[at]))
	v[at] = to
}

// put puts a part into the bag of a successor, and replace and cut change and remove
// the i-th.
func (w *worker) put(v []uint32, id uint32) []uint32 {
	if w.followed {
		id = w.followPut(id)
	}
	w.sum = w.sum.Plus(w.flats[id].print)
	return append(v, id)
}

func (w *worker) replace(v []uint32, i int, id uint32) {
	w.sum = w.sum.Plus(w.flats[id].print).Minus(w.flats[v[i]].print)
	v[i] = id
}

func (w *worker) cut(v []uint32, i int) []uint32 {
	if w.followed {
		w.followCut(i - w.head)
	}
	w.sum = w.sum.Minus(w.flats[v[i]].print)
	return append(v[:i], v[i+1:]...)
}

// copied begins a successor that is like the present state, in the buffer.
func (w *worker) copied(v []uint32) []uint32 {
	if w.followed {
		w.followCopy()
	}
	w.sum, w.renewed = w.at, w.renewed[:0]
	w.buffer = append(w.buffer[:0], v...)
	return w.buffer
}

// without begins a successor that lacks the part at i.
func (w *worker) without(v []uint32, i int) []uint32 {
	if w.followed {
		w.followCopy()
		w.followCut(i - w.head)
	}
	w.sum, w.renewed = w.at.Minus(w.flats[v[i]].print), w.renewed[:0]
	w.buffer = append(append(w.buffer[:0], v[:i]...), v[i+1:]...)
	return w.buffer
}

// finish hands a successor on.
func (w *worker) finish(v []uint32) {
	if w.absorb != nil {
		v = w.absorb.Clean(v)
	}
	if w.uses.settles {
		w.settleHolds(v, w.head)
		return
	}
	w.emit(v)
	w.emitted++
}

// sortParts sorts a short, nearly sorted list.
func sortParts(p []uint32) {
	for i := 1; i < len(p); i++ {
		for j := i; j > 0 && p[j] < p[j-1]; j-- {
			p[j], p[j-1] = p[j-1], p[j]
		}
	}
}
