// Package simulate runs a system's own handlers as a discrete-event simulation: each
// pending event is given its instant when it is created, drawn from its window, and a
// queue hands events out in the order of their instants. It is for measuring many long
// runs of large systems, where model/world is too slow; its tests take the same runs
// through model/world, step by step.
//
// Declared cuts are disregarded, and there are no faults but those of servers that are
// marked Byzantine.
package simulate

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// Time counts parts of a tick since the run began. [Parts] of them make one tick, so
// fine that a draw from a window of real numbers is off by less than a millionth.
type Time int64

// Parts is how many parts a tick has.
const Parts = 1 << 20

// Ticks is the time in ticks.
func (t Time) Ticks() float64 { return float64(t) / Parts }

// A Setting is a system and how it is run.
type Setting struct {
	System *model.System
	Codec  *value.Codec
	Law    Law
	Faulty Behaviour
	// MaxEvents ends a run that does not end by itself; ≥ 1.
	MaxEvents int
}

// New prepares a system for runs. The error says in a sentence why it has no response
// time.
func New(s *model.System, law Law, faulty Behaviour, maxEvents int) (*Setting, error) {
	if !s.Synchronous() {
		return nil, fmt.Errorf("a message may take for ever, so there is no response time to measure")
	}
	codec, err := value.New(s)
	if err != nil {
		return nil, err
	}
	return &Setting{System: s, Codec: codec, Law: law, Faulty: faulty, MaxEvents: maxEvents}, nil
}

// A Run is what one run came to.
type Run struct {
	// Waits holds, for each operation that returned, the time from its invocation, in
	// the order of returns.
	Waits []Time
	// First is the first wait of the first node with an application.
	First Time
	// Last is when the last operation returned.
	Last Time
	// Tries counts the times that a node with an application sent something while its
	// operation ran; sending to several at once counts once.
	Tries int
	// Messages counts what correct nodes sent until every script was done and what was
	// in flight had arrived.
	Messages int
	// Alphabet is the largest number of messages that a faulty server could choose from,
	// and Said what one said last.
	Alphabet int
	Said     any
	// Unfinished says that MaxEvents ended the run.
	Unfinished bool
}

// Run makes one run. The seed decides everything about it. The error is a handler's
// that asks for what the model does not allow.
func (s *Setting) Run(seed1, seed2 uint64) (Run, error) { return newSimulation(s, seed1, seed2).run() }

// simulation is a run in progress.
type simulation struct {
	*Setting
	chance   *rand.Rand
	now      Time
	events   queue
	made     uint64 // events so far
	nodes    []node
	first    model.NodeID // with an application
	left     int          // operations and releases to come
	inFlight int          // messages
	channels map[pair]slot
	coalesce map[string]bool // in flight on a Set channel
	env      env
	result   Run
	// taken, unless nil, is told of each event when its handler has run.
	taken func(e *event, choices []int)
}

// node is a node with its application.
type node struct {
	live      model.Node // nil when Byzantine
	alarms    map[string]*event
	holds     map[string]hold
	op        int // of the script, the one that runs or comes next
	busy      bool
	returning bool
	since     Time
}

type hold struct {
	end  Time
	open bool // it is over at its end
}

type pair struct{ from, to model.NodeID }

func newSimulation(s *Setting, seed1, seed2 uint64) *simulation {
	r := &simulation{
		Setting: s, chance: rand.New(rand.NewPCG(seed1, seed2)), nodes: make([]node, len(s.System.Nodes)),
		channels: map[pair]slot{}, coalesce: map[string]bool{}, first: model.NodeID(len(s.System.Nodes)),
	}
	r.env.r = r
	return r
}

func (r *simulation) run() (result Run, err error) {
	defer guard.Caught(&err)
	r.start()
	r.goOn()
	return r.result, nil
}

// goOn takes events until nobody waits and nothing is in flight.
func (r *simulation) goOn() {
	for n := 0; r.left > 0 || r.inFlight > 0; n++ {
		e := r.events.pop()
		if e == nil || n == r.MaxEvents {
			r.result.Unfinished = r.left > 0
			return
		}
		r.now = e.at
		r.take(e)
	}
}

// start makes and boots the nodes. The first operation of each begins at the beginning
// of its window, so that all contend at one time.
func (r *simulation) start() {
	for i, spec := range r.System.Nodes {
		n := &r.nodes[i]
		*n = node{alarms: map[string]*event{}, holds: map[string]hold{}}
		if spec.Byzantine {
			continue
		}
		n.live = r.Codec.Fresh(spec.New())
		for _, op := range spec.Script {
			r.left++
			if op.Release != nil {
				r.left++
			}
		}
		if len(spec.Script) > 0 {
			r.begin(model.NodeID(i), spec.Script[0])
			r.first = min(r.first, model.NodeID(i))
		}
	}
	for i := range r.nodes {
		if s, ok := r.nodes[i].live.(model.Starter); ok {
			r.handle(model.NodeID(i), func(env model.Env) { s.Start(env) })
		}
	}
}

func (r *simulation) begin(id model.NodeID, op model.Op) {
	e := &event{kind: model.Invoke, node: id, value: op.Call, window: op.After}
	e.at, e.atBoot = r.now+earliest(op.After), op.AtBoot
	r.push(e)
}

// take lets an event happen.
func (r *simulation) take(e *event) {
	r.env.choices = r.env.choices[:0]
	n := &r.nodes[e.node]
	switch e.kind {
	case model.Deliver:
		r.arrived(e)
		r.receive(e.node, e.from, e.value)
	case model.Forge:
		r.forge(e)
	case model.Timeout:
		delete(n.alarms, e.key)
		if t, ok := n.live.(model.Timeouter); ok {
			r.handle(e.node, func(env model.Env) { t.Timeout(env, e.value) })
		}
	case model.Invoke:
		n.busy, n.since = true, r.now
		r.apply(e)
	case model.Release:
		r.apply(e)
		r.left--
		r.next(e.node)
	case model.Return:
		r.returned(e)
	}
	if r.taken != nil {
		r.taken(e, r.env.choices)
	}
}

func (r *simulation) receive(id, from model.NodeID, m any) {
	if n, ok := r.nodes[id].live.(model.Receiver); ok {
		r.handle(id, func(env model.Env) { n.Receive(env, from, m) })
	}
}

func (r *simulation) apply(e *event) {
	if n, ok := r.nodes[e.node].live.(model.Invoker); ok {
		r.handle(e.node, func(env model.Env) { n.Invoke(env, e.value) })
	}
}

// handle runs a handler. The node's state is then copied, as everywhere, so that
// nothing is shared by two fields and no map is nil.
func (r *simulation) handle(id model.NodeID, handler func(env model.Env)) {
	n := &r.nodes[id]
	trying := n.busy && len(r.System.Nodes[id].Script) > 0
	r.env.id, r.env.sent = id, false
	if failed := guard.Call(func() { handler(&r.env) }); failed != nil {
		model.Refuse("a handler of node %s fails, so there is nothing to measure; verify check finds the run: %v", r.env.name(), failed)
	}
	if trying && r.env.sent {
		r.result.Tries++
	}
	n.live = r.Codec.Fresh(n.live)
}

// returned ends an operation; its application stays in the section, or goes on.
func (r *simulation) returned(e *event) {
	n := &r.nodes[e.node]
	n.busy, n.returning = false, false
	r.result.Waits = append(r.result.Waits, r.now-n.since)
	if e.node == r.first && n.op == 0 {
		r.result.First = r.now - n.since
	}
	r.result.Last = r.now
	r.left--
	if op := r.System.Nodes[e.node].Script[n.op]; op.Release != nil {
		r.later(&event{kind: model.Release, node: e.node, value: op.Release, window: op.Stay})
		return
	}
	r.next(e.node)
}

// next lets a node's application go on to its next operation.
func (r *simulation) next(id model.NodeID) {
	n := &r.nodes[id]
	n.op++
	if script := r.System.Nodes[id].Script; n.op < len(script) {
		op := script[n.op]
		r.later(&event{kind: model.Invoke, node: id, value: op.Call, window: op.After})
	}
}
