package step

import (
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/memo"
	"contend/model"
)

// A Worker steps states. It reads only what is its own, so that workers do not wait
// for each other: remembered answers, and views of the shared lists, which only grow.
type Worker struct {
	*Engine
	view
	Handled   memo.Table // (local, trigger) → reaction
	watched   memo.Table // (monitor, observation) → reaction
	Reactions []Reaction // by number
	forged    memo.Table // local → forgeries
	memo      memo.Table // everything else: see Recall
	drafts    bool       // what onlySends says
	Lookups   int64      // of reactions
	Absorb    absorbing  // nil when nothing is absorbed

	Turns turns               // of the present state, where coins are tossed
	Move  Move                // that is being taken
	Emit  func(next []uint32) // is given each successor; it lasts until it returns
	// Fail, unless nil, is told of each step that ends in a handler that fails, which is among
	// Broken then, with what the step has come to.
	Fail    func(left []uint32)
	Sketch  func(d Draft) // unless nil, is given successors that are not made yet
	Emitted uint32        // successors of the present state so far
	booting bool          // the run begins, and no time has passed
	Movable bool          // something besides the environment could move
	Repairs bool          // a server that is down could come back
	Cuts    uint64        // of the present state, as bits
	// Withheld are the events of the present state that a cut kept from firing, and Kept are the
	// flags of what else it kept back, which need not happen.
	Withheld []uint32
	Kept     liveness.Flags
	renewed  []uint32 // events that the present step has made anew

	at      fingerprint.Print // of the present state
	Sum     fingerprint.Print // of the successor that is being made
	buffer  []uint32
	clock   []uint32
	Zones   *zoning  // of the present state and the successor that is being made; nil unless time is dense
	Tracker *tracker // of a run that is taken again; nil else
	// followed says that zones or a tracker follow the parts.
	followed bool
}

// view is a worker's view of the shared lists.
type view struct {
	Flats       []component.Flat // of parts
	bases       []component.Base
	LocalPrints []fingerprint.Print // of local states
	pastPrints  []fingerprint.Print
	results     [][]component.Outcome
	forges      [][]uint32
}

// A Reaction is what a node or monitor does on a trigger.
type Reaction struct {
	outcomes []component.Outcome
	// The outcome, if there is one without answers and within the cuts, once more, so
	// that all that the search reads is in one cache line.
	effects []component.Effect
	next    uint32
	plain   bool

	sends bool              // all that it does is to send, as [Engine.onlySends] has it
	delta fingerprint.Print // what it adds to the sum of a state, when it only sends

	Stale bool // a message that absorption may delete; Asked says that this is known
	Asked bool
	To    int16  // the one node it answers when it does nothing else, or -1
	Id    uint32 // its number
}

// Answers returns the one node that a receiver answers when it does nothing else on
// a message, or -1.
func Answers(rs []component.Outcome, state uint32, bases []component.Base) int16 {
	if len(rs) != 1 || rs[0].Next != state || rs[0].Cut >= 0 || len(rs[0].Picks) > 0 || len(rs[0].Effects) == 0 {
		return -1
	}
	to := int16(-1)
	for _, f := range rs[0].Effects {
		if f.Do != component.Send {
			return -1
		}
		at := bases[f.Base].Slot
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
	// Clean takes messages out of a successor.
	Clean(v []uint32) []uint32
	// GoesOn is told of a local transition.
	GoesOn(from, to uint32)
}

// goesOn notes a local transition that the search takes.
func (w *Worker) goesOn(from, to uint32) {
	if w.Absorb != nil {
		w.Absorb.GoesOn(from, to)
	}
}

// A Move is the step that is being taken, for whoever wants to know.
type Move struct {
	Kind    model.EventKind  // Passing, and others in toss.go, are no step of a run
	Delay   int32            // ticks before it
	Base    uint32           // the event, or the trigger of a forgery
	Slot    int16            // of a crash or restart
	place   int32            // of the event in the present state
	Picks   []component.Pick // the answers that the handler was given
	Broken  []Broken         // claims that monitors found broken, and what they measured
	Witness uint64           // monitors that were put to the test, as bits
}

// NewWorker makes a worker of an engine that remembers nothing yet.
func NewWorker(e *Engine) *Worker {
	w := &Worker{Engine: e, Handled: memo.New(), watched: memo.New(), forged: memo.New(), memo: memo.New()}
	w.drafts = e.onlySends()
	if e.Dense {
		w.Zones, w.followed = &zoning{}, true
	}
	w.Ask(func() {}) // others may be asking
	return w
}

// Refresh looks at the shared lists again. A worker does so when it has asked for
// something, and is made to at the end of a layer, before others' components reach it.
func (w *Worker) Refresh() {
	e := w.Engine
	w.view = view{e.Flats, e.Bases.Items, e.LocalPrints, e.PastPrints, e.AllResults, e.AllForges}
}

// Ask lets the worker use the engine by itself.
func (w *Worker) Ask(what func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.Refresh()
	what()
}

// React returns what a node does on a trigger.
func (w *Worker) React(from, trigger uint32) *Reaction {
	w.Lookups++
	key := memo.Pair(from, trigger)
	if i, ok := w.Handled.Get(key); ok {
		if w.NoCache {
			w.Ask(func() { w.Calls += int64(len(w.compute(from, trigger)) + len(w.compute(from, trigger))) })
		}
		return &w.Reactions[i]
	}
	var i uint32
	w.Ask(func() { i = w.taken(from, trigger) })
	return w.learned(&w.Handled, key, i, from)
}

// reactWatch returns what a monitor makes of an observation.
func (w *Worker) reactWatch(from, seen uint32) *Reaction {
	w.Lookups++
	key := memo.Pair(from, seen)
	if i, ok := w.watched.Get(key); ok {
		if w.NoCache {
			w.Ask(func() { w.Calls += int64(len(w.Watch(from, seen)) + len(w.Watch(from, seen))) })
		}
		return &w.Reactions[i]
	}
	var i uint32
	w.Ask(func() { i = w.takenWatch(from, seen) })
	return w.learned(&w.watched, key, i, from)
}

func (w *Worker) learned(c *memo.Table, key uint64, result, from uint32) *Reaction {
	id := uint32(len(w.Reactions))
	outcomes := w.results[result]
	r := Reaction{outcomes: outcomes, Id: id, To: Answers(outcomes, from, w.bases)}
	if o := &outcomes[0]; len(outcomes) == 1 && len(o.Picks) == 0 && o.Cut < 0 && !o.Finishes && o.Failed == nil {
		r.plain, r.next, r.effects = true, o.Next, o.Effects
		w.foresee(&r, from)
	}
	w.Reactions = append(w.Reactions, r)
	c.Put(key, id)
	return &w.Reactions[id]
}

// What a memo is about, in the top bits of the second half of its key.
const (
	aboutTick         = iota << 28 // a part a tick later
	aboutPlace                     // a part at another place of its channel
	aboutPast                      // a part with a causal past
	aboutDelivered                 // a part that was delivered and may come again
	aboutOptional                  // one that comes again
	aboutResult                    // the return of an operation
	aboutNote                      // the observation of a note or, with ofDelivery, of a delivery
	aboutEvent                     // the observation of an event of an application
	aboutCrash                     // what comes of a crash: see crash.go
	aboutCausal                    // whether an observation counts in causal pasts
	aboutSeenPast                  // an observation with a causal past
	aboutCount                     // a causal past with one more
	aboutUnion                     // two causal pasts
	AboutRenamedLocal              // a local state under a permutation
	aboutPlain                     // a part without its time

	ofDelivery = 1 << 27
	ofSending  = 1 << 26 // of messages that are sent
	ofChains   = 1 << 27 // of pasts of chains
	toLength   = 1 << 26 // of a chain
)

// Recall remembers what the engine answers to a question. What a tick makes of a part, which is about 0, is never asked of part 0.
func (w *Worker) Recall(id, about uint32, compute func() uint32) uint32 {
	key := memo.Pair(id, about)
	if r, ok := w.memo.Get(key); ok {
		return r
	}
	var r uint32
	w.Ask(func() { r = compute() })
	w.memo.Put(key, r)
	return r
}

// PrintOfState adds up the prints of a state's components.
func (w *Worker) PrintOfState(v []uint32) fingerprint.Print {
	var p fingerprint.Print
	for i := range w.N {
		p = p.Plus(w.LocalPrints[v[i]])
	}
	for i := w.N; i < w.MonitorAt; i++ {
		p = p.Plus(fingerprint.Numbered(i, v[i]))
	}
	for i := w.MonitorAt; i < w.BudgetAt; i++ {
		p = p.Plus(w.LocalPrints[v[i]])
	}
	for i := w.BudgetAt; i < w.pastAt; i++ {
		p = p.Plus(fingerprint.Numbered(i, v[i]))
	}
	for i := w.pastAt; i < w.Head; i++ {
		p = p.Plus(w.pastPrint(i, v[i]))
	}
	for _, id := range v[w.Head:] {
		p = p.Plus(w.Flats[id].Print)
	}
	return p
}

func (w *Worker) pastPrint(place int, id uint32) fingerprint.Print {
	p := w.pastPrints[id]
	return fingerprint.Print{A: fingerprint.Scramble(p.A + uint64(place)), B: fingerprint.Scramble(p.B + uint64(place))}
}

// set changes a node's or monitor's local state in a successor.
func (w *Worker) set(v []uint32, at int, to uint32) {
	w.Sum = w.Sum.Plus(w.LocalPrints[to]).Minus(w.LocalPrints[v[at]])
	v[at] = to
}

// number changes the state of an application, or the budget.
func (w *Worker) number(v []uint32, at int, to uint32) {
	w.Sum = w.Sum.Plus(fingerprint.Numbered(at, to)).Minus(fingerprint.Numbered(at, v[at]))
	v[at] = to
}

func (w *Worker) setPast(v []uint32, at int, to uint32) {
	w.Sum = w.Sum.Plus(w.pastPrint(at, to)).Minus(w.pastPrint(at, v[at]))
	v[at] = to
}

// put puts a part into the bag of a successor, and replace and cut change and remove
// the i-th.
func (w *Worker) put(v []uint32, id uint32) []uint32 {
	if w.followed {
		id = w.followPut(id)
	}
	w.Sum = w.Sum.Plus(w.Flats[id].Print)
	return append(v, id)
}

func (w *Worker) replace(v []uint32, i int, id uint32) {
	w.Sum = w.Sum.Plus(w.Flats[id].Print).Minus(w.Flats[v[i]].Print)
	v[i] = id
}

// Cut takes a part out of the successor that is being made.
func (w *Worker) Cut(v []uint32, i int) []uint32 {
	if w.followed {
		w.followCut(i - w.Head)
	}
	w.Sum = w.Sum.Minus(w.Flats[v[i]].Print)
	return append(v[:i], v[i+1:]...)
}

// copied begins a successor that is like the present state, in the buffer.
func (w *Worker) copied(v []uint32) []uint32 {
	if w.followed {
		w.followCopy()
	}
	w.Sum, w.renewed = w.at, w.renewed[:0]
	w.buffer = append(w.buffer[:0], v...)
	return w.buffer
}

// without begins a successor that lacks the part at i.
func (w *Worker) without(v []uint32, i int) []uint32 {
	if w.followed {
		w.followCopy()
		w.followCut(i - w.Head)
	}
	w.Sum, w.renewed = w.at.Minus(w.Flats[v[i]].Print), w.renewed[:0]
	w.buffer = append(append(w.buffer[:0], v[:i]...), v[i+1:]...)
	return w.buffer
}

// finish hands a successor on.
func (w *Worker) finish(v []uint32) {
	if w.Absorb != nil {
		v = w.Absorb.Clean(v)
	}
	if w.Uses.Settles {
		w.settleHolds(v, w.Head)
		return
	}
	w.Emit(v)
	w.Emitted++
}

// SortParts sorts a short, nearly sorted list.
func SortParts(p []uint32) {
	for i := 1; i < len(p); i++ {
		for j := i; j > 0 && p[j] < p[j-1]; j-- {
			p[j], p[j-1] = p[j-1], p[j]
		}
	}
}
