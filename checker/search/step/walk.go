package step

import (
	"math"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/model"
	"contend/model/guard"
)

// A Walk is one run after another, each taken a step at a time: of all successors only the one is made
// that is wanted, and handlers are answered as they ask. What is pending stays in the order in which it came about, and
// time is the clock's: each part has the instants between which it may fire.
type Walk struct {
	*Worker
	V  []uint32  // the present state, its parts in order of creation
	At []Pending // of its parts
	// Now counts parts of a tick; Parts of them make one tick. Untimed it stays 0.
	Now, Parts int64
	Steps      int32       // of the run
	Longest    model.Ticks // the longest finite time of alarms that were set and of holds that were asked for
	Failed     bool        // a handler failed: the run is over
	Broken     []Broken    // of the last step, or of the beginning
	Witness    uint64      // monitors that were put to the test in the run, as bits
	Seen       []uint32    // observations of the run's steps
	Asked      bool        // some choice was asked for in the run
	ToLiars    []uint32    // messages of the last step to Byzantine nodes, if the store has them
	Cutting    uint64      // cuts that shortened the run, as bits
	// Doubts makes handlers run again when they are asked about, which must agree with what they came to.
	Doubts bool
	// Cell shows the live monitor that runs.
	Cell *guard.Cell
	// Interned keeps every monitor interned, from the next run on.
	Interned bool
	// Answers gives handlers the answers that they ask for: a number in [0, n).
	Answers func(n int) int

	once     []bool    // of the worker's reactions: the handler ran once only
	made     []Pending // of the successor's parts
	next     []uint32  // the successor, once it is made
	taken    bool      // it was
	numbered int32     // events so far
	live     []liveMonitor
	told     int                  // observations of late
	decoded  []*model.Observation // by number, as far as they were needed
	first    *beginning           // of every run, where that depends on no choice
}

// doubts reports whether a handler is to run again before what is remembered of it is used.
func (x *Walk) doubts(reaction uint32) bool {
	once := x.once[reaction]
	x.once[reaction] = false
	return once || x.Doubts
}

// Pending is what a walk knows of a part.
type Pending struct {
	First, Last int64 // when it may fire; of a hold Last is the last instant at which it lasts
	Number      int32 // of an event, in the order in which steps leave them
	Step        int32 // that created it
	Slot, From  int16
	Kind        component.Kind
	Optional    bool
	Cut         bool // it leads beyond a cut
}

// Never is the end of a window that has none, in parts of a tick.
const Never = int64(1) << 62

const fresh = -1 // the number of an event that has none yet

// NewWalk makes a walk; parts is 0 untimed.
func NewWalk(e *Engine) *Walk {
	x := &Walk{Worker: NewWorker(e)}
	x.Zones, x.Worker.walk, x.followed = nil, x, true
	x.liveMonitors()
	x.Worker.Emit = x.emitted
	x.Worker.Fail = func([]uint32) {
		x.Failed = true
		x.emitted(nil)
	}
	return x
}

// A beginning is the first state of a run.
type beginning struct {
	v        []uint32
	at       []Pending
	witness  uint64
	numbered int32
	seen     []uint32
}

// Begin begins a run with so many parts to a tick, none where it is untimed.
func (x *Walk) Begin(parts int64) {
	x.Now, x.Steps, x.Longest, x.Failed, x.Broken, x.Witness, x.Asked = 0, 0, 0, false, x.Broken[:0], 0, false
	x.Seen, x.Cutting = x.Seen[:0], 0
	x.makeLive()
	if x.first != nil && x.Parts == parts && !x.Doubts {
		for _, seen := range x.first.seen {
			for m := range x.live {
				if x.live[m].monitor != nil {
					x.live[m].observes(seen) // it breaks nothing
				}
			}
		}
		x.V, x.At = append(x.V[:0], x.first.v...), append(x.At[:0], x.first.at...)
		x.Witness, x.numbered = x.first.witness, x.first.numbered
		return
	}
	x.Parts, x.numbered, x.made, x.taken, x.first = parts, 0, x.made[:0], false, nil
	x.Initial()
	x.came()
	x.Longest = 0 // of steps
	if !x.Asked && !x.Failed && len(x.Broken) == 0 {
		x.first = &beginning{slices.Clone(x.V), slices.Clone(x.At), x.Witness, x.numbered, slices.Clone(x.Seen)}
	}
	x.Seen = x.Seen[:0]
}

// Step takes a step at an instant; take makes the one successor. It is not taken if it leads beyond a cut.
func (x *Walk) Step(now int64, take func()) (taken bool) {
	before := x.Now
	x.Now, x.taken, x.Broken = now, false, x.Broken[:0]
	x.Steps++
	seen := len(x.Seen)
	x.ToLiars = x.ToLiars[:0]
	x.Move, x.at, x.Cuts = Move{}, fingerprint.Print{}, 0
	x.Withheld = x.Withheld[:0]
	take()
	if x.Cutting |= x.Cuts; !x.taken {
		x.Now, x.Seen = before, x.Seen[:seen]
		x.Steps--
		return false
	}
	x.came()
	return true
}

// emitted keeps the successor, and what monitors say of it.
func (x *Walk) emitted(next []uint32) {
	x.next, x.taken = next, true
	x.Broken, x.Witness = append(x.Broken, x.Move.Broken...), x.Witness|x.Move.Witness
}

// came makes the successor the present state.
func (x *Walk) came() {
	if x.Failed {
		return
	}
	x.V, x.buffer = x.next, x.V[:0]
	x.At, x.made = x.made, x.At
	if x.Parts > 0 && x.again {
		x.expire()
	}
	for i := range x.At {
		if p := &x.At[i]; p.Number == fresh && p.Kind < component.Hold {
			p.Number = x.numbered
			x.numbered++
		}
	}
}

// expire forgets what need not happen and cannot any more.
func (x *Walk) expire() {
	kept := 0
	for i, p := range x.At {
		if (p.Optional || p.Kind == component.Delivered) && p.Last < x.Now {
			continue
		}
		x.V[x.Head+kept], x.At[kept] = x.V[x.Head+i], p
		kept++
	}
	x.V, x.At = x.V[:x.Head+kept], x.At[:kept]
}

// put follows a part that is put into the successor.
func (x *Walk) put(id uint32) {
	f := &x.Flats[id]
	p := Pending{Last: Never, Number: fresh, Step: x.Steps, Slot: f.Slot, From: f.From, Kind: f.Kind, Optional: f.Optional}
	if x.Parts > 0 {
		p.First = x.Now - int64(f.Lo>>1)*x.Parts + int64(f.Lo&1^1)
		if f.Hi != math.MaxInt32 {
			p.Last = x.Now + int64(f.Hi>>1)*x.Parts - int64(f.Hi&1^1)
		}
		if f.Kind == component.Kind(model.Timeout) {
			x.Longest = max(x.Longest, ending(f))
		}
	}
	x.made = append(x.made, p)
}

// ending is the end of a part's window, or its beginning if it has none.
func ending(f *component.Flat) model.Ticks {
	if f.Hi == math.MaxInt32 {
		return -model.Ticks(f.Lo >> 1)
	}
	return model.Ticks(f.Hi >> 1)
}

func (x *Walk) cut(k int) { x.made = append(x.made[:k], x.made[k+1:]...) }

func (x *Walk) copied() { x.made = append(x.made[:0], x.At...) }

// sameAs says that the part which was put last is one that was pending already, in another role.
func (x *Walk) sameAs(was Pending) {
	last := &x.made[len(x.made)-1]
	was.Kind, was.Optional, was.Number, was.Cut = last.Kind, last.Optional, fresh, false
	*last = was
}

// beside puts the part that was put last right behind the k-th, of which it is a copy.
func (x *Walk) beside(v []uint32, k int) {
	x.sameAs(x.At[k])
	parts := v[x.Head:]
	last := len(parts) - 1
	id, p := parts[last], x.made[last]
	copy(parts[k+2:], parts[k+1:last])
	copy(x.made[k+2:], x.made[k+1:last])
	parts[k+1], x.made[k+1] = id, p
}

// answered narrows the outcomes of a handler to the one that answers lead to. The pending are those of the
// parts of v; invoked says that the handler is that of an invocation.
func (x *Walk) answered(v []uint32, pending []Pending, slot int16, invoked bool, outcomes []component.Outcome) []component.Outcome {
	for depth := 0; ; depth++ {
		o := &outcomes[0]
		if depth == len(o.Picks) || o.Finishes && depth == o.Until && !x.mayReturn(v, slot, invoked) {
			return outcomes[:1]
		}
		is := x.answer(v, pending, o.Picks[depth])
		from, _ := slices.BinarySearchFunc(outcomes, is, func(o component.Outcome, is int32) int { return int(o.Picks[depth].Is - is) })
		to := from
		for to < len(outcomes) && outcomes[to].Picks[depth].Is == is {
			to++
		}
		outcomes = outcomes[from:to]
	}
}

// answer is what a handler is told.
func (x *Walk) answer(v []uint32, pending []Pending, p component.Pick) int32 {
	if p.Held == 0 {
		return x.ask(int(p.Of))
	}
	for k, id := range v[x.Head:] {
		f := &x.Flats[id]
		if f.Base != p.Held {
			continue
		}
		if x.Parts > 0 {
			x.Longest = max(x.Longest, model.Ticks(f.Hi>>1))
		}
		switch {
		case x.Parts > 0 && x.Now > pending[k].Last:
			return 1
		case x.Parts > 0, x.booting:
			return 0
		}
		return x.ask(2)
	}
	return 1
}

func (x *Walk) ask(n int) int32 {
	x.Asked = true
	return int32(x.Answers(n))
}

// saw keeps an observation.
func (x *Walk) saw(seen uint32) {
	x.Seen = append(x.Seen, seen)
	x.told++
}

// ways are the outcomes of the handler of a node with which an event may go on: all of them, but in a walk the
// one that its answers lead to.
func (w *Worker) ways(v []uint32, slot int16, outcomes []component.Outcome) []component.Outcome {
	if w.walk == nil || len(outcomes) == 1 {
		return outcomes
	}
	return w.walk.answered(v, w.walk.At, slot, w.Move.Kind == model.Invoke, outcomes)
}

// waysOn is ways for a handler that runs on the successor that is being made: a monitor's, or Start.
func (w *Worker) waysOn(v []uint32, slot int16, outcomes []component.Outcome) []component.Outcome {
	if w.walk == nil || len(outcomes) == 1 {
		return outcomes
	}
	return w.walk.answered(v, w.walk.made, slot, false, outcomes)
}

// Fire takes the event of the i-th part.
func (x *Walk) Fire(i int) { x.fireOne(x.V, i, &x.Flats[x.V[i]]) }

// Lose and Duplicate let the environment strike the message of the i-th part.
func (x *Walk) Lose(i int) { x.lose(x.V, i, &x.Flats[x.V[i]]) }

// Duplicate lets a copy of a message follow it.
func (x *Walk) Duplicate(i int) { x.duplicate(x.V, i, &x.Flats[x.V[i]]) }

// Crash lets a node crash: for good as a Stop, and as a Crash where it cannot come back.
func (x *Walk) Crash(node int, kind model.EventKind) {
	x.crash(x.V, node, kind, kind == model.Crash && x.recovers[node])
}

// Restart lets a node come back.
func (x *Walk) Restart(node int) { x.restart(x.V, node, x.stored(x.V, node)) }

// Mistake tells a node falsely that another is down.
func (x *Walk) Mistake(to, of int) { x.mistake(x.V, to, of) }

// Part cuts the network in the k-th way.
func (x *Walk) Part(k int) { x.part(x.V, x.cuts[k]) }

// Forge lets a message arrive at a node that a Byzantine node made up.
func (x *Walk) Forge(to int, trigger uint32) { x.forge(x.V, to, trigger) }

// Alphabet returns what may be forged to a node now, by all; false if that fails.
func (x *Walk) Alphabet(to int) ([]uint32, bool) {
	list, how := x.alphabet(x.V[to])
	return list, how == ""
}
