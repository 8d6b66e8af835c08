package step

import (
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/memo"
	"contend/model"
)

// A Worker computes the successors of states. Its hot paths read only its own memo tables and its view of the
// shared lists, so that workers do not wait for each other. The fields of view hide the shared lists with the
// same names. Any other field or method of the engine needs [Worker.Ask].
type Worker struct {
	*Engine
	view
	Handled   memo.Table // (local, trigger) → reaction
	watched   memo.Table // (monitor, observation) → reaction
	Reactions []Reaction // by number
	forged    memo.Table // local → forgeries
	memo      memo.Table // all other results: see Recall
	drafts    bool       // whether onlySends holds
	Lookups   int64      // number of lookups of reactions
	Absorb    absorber   // nil without absorption

	Turns turns               // of the present state, if coins are tossed
	Move  Move                // the present move
	Emit  func(next []uint32) // called with each successor, which is valid during the call
	// Fail, unless nil, is called after a handler fails, with the unfinished successor. The
	// failure is then in Move.Broken.
	Fail    func(left []uint32)
	Sketch  func(d Draft) // unless nil, called with successors as drafts where possible
	Emitted uint32        // successors of the present state so far
	booting bool          // the run begins, and no time has passed
	Movable bool          // an event outside the environment can happen
	Repairs bool          // a node that is down can restart
	Cuts    uint64        // bits of the cuts that withhold something in the present state
	// Withheld are the events that a cut withholds in the present state. WithheldFlags are the flags of
	// withheld moves that need not happen.
	Withheld      []uint32
	WithheldFlags liveness.Flags
	renewed       []uint32 // events that the present step has created anew

	presentPrint fingerprint.Print // fingerprint of the present state
	Sum          fingerprint.Print // fingerprint of the successor that is being built
	buffer       []uint32          // the successor
	clock        []uint32          // the present state, Move.Delay ticks later
	Zones        *zoning           // of the present state and the successor; nil unless time is dense
	Tracker      *tracker          // of a run that is replayed; else nil
	follows      bool              // Zones or Tracker follow the parts
}

// A view is a worker's copy of the headers of the shared lists. A reader of Flats or LocalPrints of a worker
// reads its view. The fields of type locked hide the engine's lists with the same names, so that a worker's
// read of `w.Bases` does not compile. Under the lock, write `w.Store.Bases`.
type view struct {
	Locals, Values, Bases, Parts, Seen, Triggers, PastPrints, AllResults, AllForges locked

	Flats       []component.Flat // by part
	bases       []component.Base
	LocalPrints []fingerprint.Print // by local state
	pastPrints  []fingerprint.Print
	results     [][]component.Outcome
	forges      [][]uint32
}

// A locked stands for a list that needs the engine's lock.
type locked struct{}

// A Reaction is a worker's copy of the result of a handler or monitor.
type Reaction struct {
	outcomes []component.Outcome
	// A copy of the only outcome if plain: a single outcome without picks, failure, return or
	// cut. So the search reads one cache line.
	effects []component.Effect
	next    uint32
	plain   bool

	sends bool              // it only sends, and [Engine.onlySends] holds
	delta fingerprint.Print // if sends: the change of a state's fingerprint

	Stale    bool // absorption may delete the message; valid if HasStale
	HasStale bool
	To       int16  // see [Answers]
	Id       uint32 // index in Reactions
}

// Answers returns the node to which a handler sends, if sending to this node is all that it does; else -1.
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

// An absorber deletes messages that no longer matter from successors.
type absorber interface {
	// Clean deletes messages from a successor and returns it. It is called once for each
	// successor, before Emit.
	Clean(v []uint32) []uint32
	// Transition is called with every local transition that the search takes.
	Transition(from, to uint32)
}

// goesOn passes a local transition to absorption.
func (w *Worker) goesOn(from, to uint32) {
	if w.Absorb != nil {
		w.Absorb.Transition(from, to)
	}
}

// A Move is the step that is being taken.
type Move struct {
	Kind    model.EventKind  // the kinds in toss.go are no step of a run
	Delay   int32            // ticks before it
	Base    uint32           // the event, or the trigger of a forgery
	Slot    int16            // the node of a crash or restart
	index   int32            // index of the event in the present state
	Picks   []component.Pick // the answers to the handler
	Broken  []Broken         // violations and measurements of monitors
	Witness uint64           // bits of the monitors that called Witness
}

// NewWorker returns a worker with empty memo tables.
func NewWorker(e *Engine) *Worker {
	w := &Worker{Engine: e, Handled: memo.New(), watched: memo.New(), forged: memo.New(), memo: memo.New()}
	w.drafts = e.onlySends()
	if e.Dense {
		w.Zones, w.follows = &zoning{}, true
	}
	w.Ask(func() {}) // refreshes the view under the lock
	return w
}

// Refresh updates the view of the shared lists. The caller holds the engine's lock, or no other worker runs: at
// the end of a layer, before components of other workers reach this worker.
func (w *Worker) Refresh() {
	e := w.Engine
	w.view = view{
		Flats: e.Flats, bases: e.Bases.Items, LocalPrints: e.LocalPrints, pastPrints: e.PastPrints,
		results: e.AllResults, forges: e.AllForges,
	}
}

// Ask calls what with the engine locked, and refreshes the view. It must not be nested.
func (w *Worker) Ask(what func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.Refresh()
	what()
}

// React returns the reaction of a node in local state from to a trigger. It is valid until the next reaction is
// added.
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
	w.Ask(func() { i = w.lookupTwice(from, trigger) })
	return w.addReaction(&w.Handled, key, i, from)
}

// reactWatch returns the reaction of a monitor to an observation.
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
	w.Ask(func() { i = w.lookupWatchTwice(from, seen) })
	return w.addReaction(&w.watched, key, i, from)
}

// addReaction adds a result to the worker's reactions and memo.
func (w *Worker) addReaction(c *memo.Table, key uint64, result, from uint32) *Reaction {
	id := uint32(len(w.Reactions))
	outcomes := w.results[result]
	r := Reaction{outcomes: outcomes, Id: id, To: Answers(outcomes, from, w.bases)}
	if o := &outcomes[0]; len(outcomes) == 1 && len(o.Picks) == 0 && o.Cut < 0 && !o.Finishes && o.Failed == nil {
		r.plain, r.next, r.effects = true, o.Next, o.Effects
		w.addDelta(&r, from)
	}
	w.Reactions = append(w.Reactions, r)
	c.Put(key, id)
	return &w.Reactions[id]
}

// Sorts of memo entries, in the top bits of the second half of the key.
const (
	aboutTick         = iota << 28 // a part a tick later
	aboutPlace                     // a part at another position of its channel
	aboutPast                      // a part with a causal past
	aboutDelivered                 // a delivered message that may arrive again
	aboutOptional                  // a message that arrives again
	aboutResult                    // the return of an operation
	aboutNote                      // the observation of a note or, with ofDelivery, of a delivery
	aboutEvent                     // the observation of an event of an application
	aboutCrash                     // see crash.go
	aboutCausal                    // whether an observation counts in causal pasts
	aboutSeenPast                  // an observation with a causal past
	aboutCount                     // a causal past with one more observation
	aboutUnion                     // the union of two causal pasts
	AboutRenamedLocal              // a local state under a permutation
	aboutPlain                     // a part without its time

	ofDelivery = 1 << 27
	ofSending  = 1 << 26 // of messages that are sent
	ofChains   = 1 << 27 // of pasts of chains
	toLength   = 1 << 26 // of a chain
)

// Recall returns the memoized result of compute for id and about; compute runs with the engine locked. Key 0 is
// no valid key: aboutTick is 0, and no part has number 0.
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

// PrintOfState returns the fingerprint of a state: the sum of the fingerprints of its components.
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

// set changes the local state of a node or monitor in the successor.
func (w *Worker) set(v []uint32, at int, to uint32) {
	w.Sum = w.Sum.Plus(w.LocalPrints[to]).Minus(w.LocalPrints[v[at]])
	v[at] = to
}

// number changes the progress of an application, or a budget, in the successor.
func (w *Worker) number(v []uint32, at int, to uint32) {
	w.Sum = w.Sum.Plus(fingerprint.Numbered(at, to)).Minus(fingerprint.Numbered(at, v[at]))
	v[at] = to
}

func (w *Worker) setPast(v []uint32, at int, to uint32) {
	w.Sum = w.Sum.Plus(w.pastPrint(at, to)).Minus(w.pastPrint(at, v[at]))
	v[at] = to
}

// addPart appends a part to the successor.
func (w *Worker) addPart(v []uint32, id uint32) []uint32 {
	if w.follows {
		id = w.followPut(id)
	}
	w.Sum = w.Sum.Plus(w.Flats[id].Print)
	return append(v, id)
}

// replacePart changes the i-th component of the successor, a part.
func (w *Worker) replacePart(v []uint32, i int, id uint32) {
	w.Sum = w.Sum.Plus(w.Flats[id].Print).Minus(w.Flats[v[i]].Print)
	v[i] = id
}

// Cut removes the i-th component, a part, from the successor.
func (w *Worker) Cut(v []uint32, i int) []uint32 {
	if w.follows {
		w.followCut(i - w.Head)
	}
	w.Sum = w.Sum.Minus(w.Flats[v[i]].Print)
	return append(v[:i], v[i+1:]...)
}

// copyState begins a successor, in the buffer, that equals the present state.
func (w *Worker) copyState(v []uint32) []uint32 {
	if w.follows {
		w.followCopy()
	}
	w.Sum, w.renewed = w.presentPrint, w.renewed[:0]
	w.buffer = append(w.buffer[:0], v...)
	return w.buffer
}

// copyWithout begins a successor, in the buffer, that equals the present state without its i-th component, a
// part.
func (w *Worker) copyWithout(v []uint32, i int) []uint32 {
	if w.follows {
		w.followCopy()
		w.followCut(i - w.Head)
	}
	w.Sum, w.renewed = w.presentPrint.Minus(w.Flats[v[i]].Print), w.renewed[:0]
	w.buffer = append(append(w.buffer[:0], v[:i]...), v[i+1:]...)
	return w.buffer
}

// finish emits a successor.
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
