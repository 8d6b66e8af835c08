// Package world is the simple semantics of a system: a bag of pending events, live
// values, exact time, stepped one event at a time. Replay, sampling and the tests
// of a network runtime rest on it, and every counterexample of the exhaustive
// search is run through it before anybody sees it. It shares nothing with that
// search but the model.
//
// Time is exact: a [Time] counts whole parts of a tick, and the caller says how
// many parts a tick has, enough that every instant of the run is a whole number.
//
// Every file is about the one [World]: what it takes steps by (step.go, env.go, monitor.go), the faults (crash.go, partition.go,
// detect.go), how it is begun, copied and kept (setting.go, fork.go, frozen.go, live.go), and how it is looked at (state.go, standing.go,
// cost.go, purity.go). All of them read and write the same state, so no part is a package of its own.
package world

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/value"
)

// Time counts parts of a tick since the run began; [Options.Parts] of them make
// one tick.
type Time int64

// Options say how a system is read.
type Options struct {
	// Timed keeps windows and holds to the clock. Untimed, any pending event may
	// fire, and whether a hold lasts is a choice.
	Timed bool
	// Parts is the number of parts of a tick, ≥ 1; 0 means 1.
	Parts int64
	// Trace keeps the node states around each step, for people to read.
	Trace bool
	// Boot answers what Start chooses and draws as the run begins, the nodes in order; nil
	// answers 0.
	Boot Chooser
	// Asked, unless nil, is told of each question whether a hold lasts, before it is
	// answered, and whether the hold is set at all.
	Asked func(set bool)
	// Running, unless nil, shows the handler that runs.
	Running *guard.Cell
	// Purity, unless nil, makes every handler run twice and agree with itself.
	Purity *Purity
	// Named, unless nil, is told of each event when it is created and has its name, those
	// that do not outlast the step included.
	Named func(e *Event)
	// Live, unless nil, makes the world a live one: see live.go. It keeps nothing for people, and cannot be forked.
	Live *Room
	// Merged, unless nil, is told of each message in flight into which an equal one, sent
	// on a Set channel, is merged.
	Merged func(e *Event)
}

// A World is one run of a system, as far as it has come.
type World struct {
	System     *model.System
	Codec      *value.Codec
	Now        Time
	Steps      int         // taken so far
	Violations []Violation // found so far
	Witnessed  map[string]bool
	Cut        map[string]bool // the cuts that kept an event from firing
	Boot       []Booted        // what Start was given as the run began
	// Began is what monitors observed as the run began.
	Began    []model.Observation
	Measured []Measurement // what meters reported so far
	// ToLiars lists what was sent to Byzantine nodes, where no code runs, when the world traces.
	ToLiars []*Event

	opt      Options
	setting  *Setting
	claims   []model.Claim
	nodes    []*node
	monitors []*monitor
	pending  []*Event
	past     []*Event // delivered to a node that may yet crash and come back
	budget   model.Faults
	causal   func(model.Observation) bool
	informs  []model.NodeID  // nodes that the failure detector tells what it finds
	chains   *model.Cost     // unless nil, causal pasts are of [model.Chain]s
	sends    bool            // the meter is told of what is sent
	atBoot   []model.NodeID  // nodes whose first operation is to begin before all else
	names    map[name]int    // occurrences so far
	cutOff   map[*Event]bool // pending events that were found to lead beyond a cut
	current  *Record
	failed   bool // a handler failed: the run is over
	booting  bool // Start runs for the first time
}

// A Booted is an answer that a node's Start was given as the run began.
type Booted struct {
	Node model.NodeID
	Choice
}

// node is a node with its application.
type node struct {
	live  model.Node // nil when down or Byzantine
	from  model.Node // how it began, and what it did since, in a live world
	did   []done
	left  purity.Relic // how the last handler left it, in a live world whose handlers run twice
	down  bool
	kept  model.Node // of a node that is down, how it will come back; nil if it will not
	holds map[string]*hold
	op    int  // operations begun
	busy  bool // an operation runs or its return is pending; of a node that is down and may come back, the operation it did not end
	past  []int32
}

type hold struct {
	key    string
	since  Time
	step   int
	length model.Bound
}

// An Event is pending: it may fire within its window, counted from Born.
type Event struct {
	Kind       model.EventKind
	Node, From model.NodeID // where it happens; the sender, for a delivery
	Value      any          // message, key, result, call or release
	Op         int          // of an Invoke, Return or Release
	Occurrence int          // among events of its kind, nodes and type, from 1, in order of creation
	Window     model.Window
	Born       Time
	BornStep   int
	Optional   bool // it forces nothing, and goes when its window has passed
	Monitor    int  // of an Expire
	// Repeats is what had arrived before the receiver restarted, of a message that may
	// arrive once more.
	Repeats *Event

	// Tag is of whoever steps the world, which leaves it alone.
	Tag Tag

	causalPast []int32
}

// A Tag is what whoever steps a world knows of an event; nothing, of one that is new.
type Tag struct {
	Number int32
	Key    uint64
}

// name is what events are counted by, so that a step of a trace keeps its meaning
// when other steps are taken out.
type name struct {
	kind       model.EventKind
	node, from model.NodeID
	label      string
}

// A Violation is a broken claim.
type Violation struct {
	Claim string
	Text  string
	Step  int // the step that broke it, from 1
}

// A Measurement is a number that the meter of a cost reported.
type Measurement struct {
	Claim  string
	Number int
	Step   int // the step that it was reported in, from 1
}

// New starts a run: every node is made and started, and every script's first
// operation is pending. Claims are watched as the run goes.
func New(s *model.System, claims []model.Claim, opt Options) (*World, error) {
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	return Start(s, codec, claims, opt)
}

// Start is New with a codec made before. For many runs of one system, see [Prepare].
func Start(s *model.System, codec *value.Codec, claims []model.Claim, opt Options) (*World, error) {
	x, err := Prepare(s, codec, claims)
	if err != nil {
		return nil, err
	}
	return x.Start(opt)
}

// add puts an event into the bag and names it.
func (w *World) add(e *Event) {
	e.Born, e.BornStep = w.Now, w.Steps
	w.named(e)
	w.pending = append(w.pending, e)
}

// named gives a new event its name, which only people need.
func (w *World) named(e *Event) {
	e.Tag = Tag{}
	if w.opt.Live != nil {
		return
	}
	k := name{e.Kind, e.Node, e.From, TypeName(e.Value)}
	w.names[k]++
	e.Occurrence = w.names[k]
	if w.opt.Named != nil {
		w.opt.Named(e)
	}
}

// TypeName is how an event's value is called in its name.
func TypeName(v any) string {
	if v == nil {
		return "nil"
	}
	return fmt.Sprintf("%T", v)
}

func (w *World) remove(e *Event) {
	w.pending = slices.DeleteFunc(w.pending, func(p *Event) bool { return p == e })
}

// Pending returns the events in the bag, oldest first.
func (w *World) Pending() []*Event { return slices.Clone(w.pending) }

// EachPending tells of each event in the bag, oldest first.
func (w *World) EachPending(tell func(e *Event)) {
	for _, e := range w.pending {
		tell(e)
	}
}

// Live returns a node, or nil when it is down or Byzantine.
func (w *World) Live(id model.NodeID) model.Node { return w.nodes[id].live }

// Node returns the canonical bytes of a node's state; nil when it is down or
// Byzantine.
func (w *World) Node(id model.NodeID) []byte {
	if w.nodes[id].live == nil {
		return nil
	}
	return w.Codec.Node(w.nodes[id].live, nil)
}

// mayGoOn reports whether the node is up, or may come back.
func (n *node) mayGoOn() bool { return !n.down || n.kept != nil }

// Done reports whether every application has ended its script, or is down for good. An application that went down within
// an operation and may come back has not ended it; once it is back, the operation is over.
func (w *World) Done() bool {
	for i, n := range w.nodes {
		spec := w.System.Nodes[i]
		if n.mayGoOn() && (n.op < len(spec.Script) || n.busy) {
			return false
		}
	}
	return !slices.ContainsFunc(w.pending, func(e *Event) bool { return e.Kind == model.Release })
}

// Awaits reports whether every application that is up has finished its script, and one that is down and may come back has not.
func (w *World) Awaits() bool {
	for i, n := range w.nodes {
		if !n.down && (n.op < len(w.System.Nodes[i].Script) || n.busy) {
			return false
		}
	}
	return !w.Done()
}

// window returns when an event may fire: from lo, and at the latest hi; open ends
// exclude their instant.
func (w *World) window(e *Event) (lo, hi Time, loOpen, hiOpen bool) {
	lo, loOpen = e.Born+Time(int64(e.Window.Lo.At)*w.opt.Parts), e.Window.Lo.Open
	hi, hiOpen = never, true
	if e.Window.Hi.At != model.Forever {
		hi, hiOpen = e.Born+Time(int64(e.Window.Hi.At)*w.opt.Parts), e.Window.Hi.Open
	}
	return lo, hi, loOpen, hiOpen
}

const never = Time(1) << 62

// Deadline is the latest instant the run may go on to before some pending event
// must have fired; open excludes the instant. Without one it is never.
func (w *World) Deadline() (t Time, open bool) {
	t, open = never, true
	for _, e := range w.pending {
		if e.Optional {
			continue
		}
		if _, hi, _, hiOpen := w.window(e); hi < t || hi == t && hiOpen {
			t, open = hi, hiOpen
		}
	}
	return t, open
}

// until is the Deadline, if time counts.
func (w *World) until() (t Time, open bool) {
	if !w.opt.Timed {
		return never, true
	}
	return w.Deadline()
}

// Fires reports whether an event may be the next to fire, and between which
// instants of the clock. Ends that the window excludes are moved inward by one
// part of a tick.
func (w *World) Fires(e *Event) (earliest, latest Time, ok bool) {
	deadline, open := w.until()
	return w.fires(e, deadline, open)
}

// fires is Fires where the deadline is known.
func (w *World) fires(e *Event, deadline Time, open bool) (earliest, latest Time, ok bool) {
	if w.cutOff[e] || w.failed || !w.deliverable(e) {
		return 0, 0, false
	}
	if w.Booting() && (e.Kind != model.Invoke || e.Node != w.atBoot[0]) {
		return 0, 0, false
	}
	if !w.opt.Timed {
		return w.Now, w.Now, true
	}
	lo, hi, loOpen, hiOpen := w.window(e)
	if loOpen {
		lo++
	}
	if deadline < hi || deadline == hi && open {
		hi, hiOpen = deadline, open
	}
	if hiOpen && hi != never {
		hi--
	}
	lo = max(lo, w.Now)
	return lo, hi, lo <= hi
}

// Booting reports whether operations that are [model.Op.AtBoot] have yet to begin:
// until then nothing else happens.
func (w *World) Booting() bool { return len(w.atBoot) > 0 }

// deliverable reports whether a channel lets its message through. What may arrive
// once more after a restart stands outside the queue.
func (w *World) deliverable(e *Event) bool {
	if e.Kind != model.Deliver || e.Optional || w.System.Network.Channel != model.FIFO {
		return true
	}
	first := slices.IndexFunc(w.pending, func(p *Event) bool {
		return p.Kind == model.Deliver && !p.Optional && p.From == e.From && p.Node == e.Node
	})
	return w.pending[first] == e
}

// ClaimOf names the claim whose monitor an Expire event belongs to.
func (w *World) ClaimOf(e *Event) string { return w.monitors[e.Monitor].claim }
