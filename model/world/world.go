// Package world is the simple interpreter of systems: a bag of pending events, live values and exact time,
// executed one event at a time. Replay, sampling and the tests of a network runtime use it. Every
// counterexample of the exhaustive search is executed here before it is reported. It shares no code with that
// search except the model.
//
// A [Time] is a whole number of parts of a tick. The caller chooses the number of parts such that every instant
// of the run is whole.
//
// step.go, env.go, inplace.go and monitor.go take steps; crash.go, partition.go and detect.go have the faults. setting.go,
// fork.go, frozen.go and live.go begin, copy and store a run. state.go, status.go, cost.go and purity.go
// examine it. All files share the state of a [World], so the package is not divided.
package world

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/value"
)

// Time is a time since the start of the run, in parts of a tick: see [Options.Parts].
type Time int64

// Options selects how a system is interpreted.
type Options struct {
	// Timed enforces windows and holds. In an untimed world any pending event may fire, and a query of a hold
	// is a choice.
	Timed bool
	// Parts is the number of parts of a tick, ≥ 1; 0 means 1.
	Parts int64
	// Clocks makes a timed run show the time to programs: see [contend/model/wrapped.Clock].
	Clocks bool
	// Trace records the node states before and after each step.
	Trace bool
	// Boot makes the choices of Start in the initial state, node by node; nil means 0 for each.
	Boot Chooser
	// HoldQueried, unless nil, is called before each query of a hold; set reports whether the hold is set.
	HoldQueried func(set bool)
	// Running, unless nil, shows the running handler.
	Running *guard.Cell
	// Purity, unless nil, runs every handler twice and compares the results.
	Purity *Purity
	// Created, unless nil, is called for each event after its creation and naming, even if the event does not
	// outlast the step. It may set the event's Tag.
	Created func(e *Event)
	// Live, unless nil, makes a live world: see live.go. Such a world records nothing for people and cannot be
	// forked.
	Live *Buffers
	// Merged, unless nil, is called for each message in flight into which an equal one is merged, on a Set
	// channel.
	Merged func(e *Event)
	// Sending, unless nil, is called for each message that a handler sends, in order, even if it does not get
	// into flight.
	Sending func(from, to model.NodeID, m any)
	// InPlace runs handlers on the states of nodes themselves: see inplace.go. It has no effect with Trace, Purity or cuts.
	InPlace bool
	// Unlimited permits any number of crashes and restarts, whatever the budgets of the system.
	Unlimited bool
	// Unwanted, unless nil, is called for each message that gets into flight, after Created. It reports whether the
	// message is lost at once. The caller knows that it will never arrive.
	Unwanted func(e *Event) bool
	// Disarmed, unless nil, is called for each alarm that a handler replaces or cancels.
	Disarmed func(e *Event)
}

// A World is one run of a system up to the present.
type World struct {
	System     *model.System
	Codec      *value.Codec
	Now        Time
	Steps      int         // the number of steps so far
	Violations []Violation // in order of their steps
	Witnessed  map[string]bool
	Cut        map[string]bool // the cuts that disabled an event
	Boot       []Booted        // the choices of Start in the initial state
	// Began has the observations of monitors in the initial state.
	Began    []model.Observation
	Measured []Measurement // the reports of meters
	// ToByzantine has the messages to Byzantine nodes, if the world traces.
	ToByzantine []*Event

	opt      Options
	setting  *Setting
	claims   []model.Claim
	nodes    []*node
	monitors []*monitor
	pending  []*Event
	past     []*Event // delivered to a node that may still crash and restart
	budget   model.Faults
	causal   func(model.Observation) bool
	informs  []model.NodeID  // nodes that receive reports of the failure detector
	chains   *model.Cost     // unless nil, causal pasts are of [model.Chain]s
	sends    bool            // sent messages are observed
	atBoot   []model.NodeID  // nodes whose first operation begins before any other event
	names    map[name]int    // the number of events by name
	disabled map[*Event]bool // pending events that lead beyond a cut
	current  *Record
	clocked  bool // a program has read the time
	failed   bool // a handler failed: the run is over
	booting  bool // Start runs for the first time
}

// A Booted is a choice of a node's Start in the initial state.
type Booted struct {
	Node model.NodeID
	Choice
}

// A node is a node with its application.
type node struct {
	live    model.Node // nil if down or Byzantine
	shared  bool       // live is also the state of a fork's node
	from    model.Node // the initial state and the handlers since, in a live world
	runs    []handlerRun
	last    purity.Relic // the node after its last handler, in a live world whose handlers run twice
	down    bool
	restart model.Node // the state after a restart, if the node is down; nil if it does not restart
	holds   map[string]*hold
	op      int  // the number of operations that have begun
	busy    bool // an operation runs or its return is pending; for a node that is down and may restart, an operation was interrupted
	past    []int32
}

type hold struct {
	key    string
	since  Time
	step   int
	length model.Bound
}

// An Event is a pending event. It may fire within its window. The window begins at Born.
type Event struct {
	Kind       model.EventKind
	Node, From model.NodeID // the node at which it happens, -1 if none; the sender, for a delivery
	Value      any          // the message, key, result, call or release
	Op         int          // the index of the operation, for an Invoke, Return or Release
	Occurrence int          // the number among events of its kind, nodes and type, from 1, in order of creation
	Window     model.Window
	Born       Time
	BornStep   int
	Optional   bool // it need not happen, and is removed after its window
	Monitor    int  // the index of the monitor, for an Expire
	// Repeats is the delivery before a restart that this message may repeat, or nil.
	Repeats *Event

	// Tag belongs to the caller. The world sets it to zero in a new event.
	Tag Tag

	causalPast []int32
}

// A Tag is data of the caller about an event.
type Tag struct {
	Number int32
	Key    uint64
}

// A name is the key by which occurrences are counted. A step of a trace has the same meaning after other
// steps are removed.
type name struct {
	kind       model.EventKind
	node, from model.NodeID
	label      string
}

// A Violation is the violation of a claim.
type Violation struct {
	Claim string
	Text  string
	Step  int // the step that violated it, from 1; 0 for the initial state
}

// A Measurement is a number that the meter of a cost reported.
type Measurement struct {
	Claim  string
	Number int
	Step   int // the step of the report, from 1
}

// New starts a run of a system with monitored claims. All nodes are made and started, and the first operation
// of each script is pending.
func New(s *model.System, claims []model.Claim, opt Options) (*World, error) {
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	return Start(s, codec, claims, opt)
}

// Start is [New] with a codec. For many runs of one system, see [Prepare].
func Start(s *model.System, codec *value.Codec, claims []model.Claim, opt Options) (*World, error) {
	x, err := Prepare(s, codec, claims)
	if err != nil {
		return nil, err
	}
	return x.Start(opt)
}

// add adds an event to the pending ones.
func (w *World) add(e *Event) {
	e.Born, e.BornStep = w.Now, w.Steps
	w.setName(e)
	w.pending = append(w.pending, e)
}

// setName names a new event, for people.
func (w *World) setName(e *Event) {
	e.Tag = Tag{}
	if w.opt.Live != nil {
		return
	}
	k := name{e.Kind, e.Node, e.From, TypeName(e.Value)}
	w.names[k]++
	e.Occurrence = w.names[k]
	if w.opt.Created != nil {
		w.opt.Created(e)
	}
}

// TypeName returns the type of an event's value as part of the event's name.
func TypeName(v any) string {
	if v == nil {
		return "nil"
	}
	return fmt.Sprintf("%T", v)
}

func (w *World) remove(e *Event) {
	w.pending = slices.DeleteFunc(w.pending, func(p *Event) bool { return p == e })
}

// Pending returns the pending events, oldest first.
func (w *World) Pending() []*Event { return slices.Clone(w.pending) }

// EachPending calls visit for each pending event, oldest first.
func (w *World) EachPending(visit func(e *Event)) {
	for _, e := range w.pending {
		visit(e)
	}
}

// Live returns a node, or nil if it is down or Byzantine. The caller must not change it.
func (w *World) Live(id model.NodeID) model.Node { return w.nodes[id].live }

// Node returns the canonical encoding of a node's state, or nil if it is down or Byzantine.
func (w *World) Node(id model.NodeID) []byte {
	if w.nodes[id].live == nil {
		return nil
	}
	return w.Codec.Node(w.nodes[id].live, nil)
}

// mayRun reports whether the node is up or may restart.
func (n *node) mayRun() bool { return !n.down || n.restart != nil }

// Done reports whether every application has completed its script or is down for good. An application that
// crashed during an operation has not completed it until the node restarts.
func (w *World) Done() bool {
	for i, n := range w.nodes {
		spec := w.System.Nodes[i]
		if n.mayRun() && (n.op < len(spec.Script) || n.busy) {
			return false
		}
	}
	return !slices.ContainsFunc(w.pending, func(e *Event) bool { return e.Kind == model.Release })
}

// AwaitsRestart reports whether every application that is up has completed its script, but some node may
// restart and has not.
func (w *World) AwaitsRestart() bool {
	for i, n := range w.nodes {
		if !n.down && (n.op < len(w.System.Nodes[i].Script) || n.busy) {
			return false
		}
	}
	return !w.Done()
}

// window returns the window of an event in the world's time. Open ends exclude their instants.
func (w *World) window(e *Event) (lo, hi Time, loOpen, hiOpen bool) {
	lo, loOpen = e.Born+Time(int64(e.Window.Lo.At)*w.opt.Parts), e.Window.Lo.Open
	hi, hiOpen = never, true
	if e.Window.Hi.At != model.Forever {
		hi, hiOpen = e.Born+Time(int64(e.Window.Hi.At)*w.opt.Parts), e.Window.Hi.Open
	}
	return lo, hi, loOpen, hiOpen
}

const never = Time(1) << 62

// Deadline returns the latest instant before which no pending event must fire, or never. Open excludes the
// instant.
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

// timedDeadline returns the Deadline, or never if the world is untimed.
func (w *World) timedDeadline() (t Time, open bool) {
	if !w.opt.Timed {
		return never, true
	}
	return w.Deadline()
}

// Fires reports whether an event may fire next, with the earliest and the latest instant. An open end of the
// window is moved inward by one part of a tick.
func (w *World) Fires(e *Event) (earliest, latest Time, ok bool) {
	deadline, open := w.timedDeadline()
	return w.fires(e, deadline, open)
}

// fires is Fires with the given deadline.
func (w *World) fires(e *Event, deadline Time, open bool) (earliest, latest Time, ok bool) {
	if w.disabled[e] || w.failed || !w.deliverable(e) {
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

// Booting reports whether operations with [model.Op.AtBoot] have yet to begin. No other event happens before.
func (w *World) Booting() bool { return len(w.atBoot) > 0 }

// deliverable reports whether its channel permits the delivery of a message. A message that repeats one before
// a restart has no place in the channel.
func (w *World) deliverable(e *Event) bool {
	if e.Kind != model.Deliver || e.Optional || w.System.Network.Channel != model.FIFO {
		return true
	}
	first := slices.IndexFunc(w.pending, func(p *Event) bool {
		return p.Kind == model.Deliver && !p.Optional && p.From == e.From && p.Node == e.Node
	})
	return w.pending[first] == e
}

// ClaimOf returns the claim of an Expire event: the event is an alarm of the claim's monitor.
func (w *World) ClaimOf(e *Event) string { return w.monitors[e.Monitor].claim }
