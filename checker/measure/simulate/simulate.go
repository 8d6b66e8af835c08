// Package simulate is a discrete-event simulation of a system's own handlers. An event's instant is drawn
// from its window when the event is created; a queue orders events by their instants. It is for many long
// runs of large systems, for which model/world is too slow. Its tests repeat the runs in model/world, step by
// step.
//
// It ignores declared cuts. Its only faults are those of servers that are marked Byzantine.
package simulate

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// Time counts fractions of a tick since the beginning of the run, [Parts] to a tick. So a draw from a window
// of real numbers is off by less than a millionth.
type Time int64

// Parts is the number of fractions of a tick.
const Parts = 1 << 20

// Ticks returns the time in ticks.
func (t Time) Ticks() float64 { return float64(t) / Parts }

// A Setting is a system with the options of its simulation.
type Setting struct {
	System *model.System
	Codec  *value.Codec
	Law    Law
	Faulty Behaviour
	// MaxEvents bounds the events of a run; ≥ 1.
	MaxEvents int
}

// New returns the setting of a system. The error is one sentence about why the system has no response time.
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

// A Run is the result of one run.
type Run struct {
	// Waits has the time from invocation to return of each completed operation, in the order of returns.
	Waits []Time
	// First is the first wait of the first node with an application.
	First Time
	// Last is the instant of the last return.
	Last Time
	// Tries is the number of handler calls in which a node with a running operation sent messages.
	Tries int
	// Messages is the number of messages of correct nodes until every script was done and every message had
	// arrived.
	Messages int
	// Alphabet is the maximum size of a faulty server's alphabet. LastMessage is the last message of a faulty
	// server.
	Alphabet    int
	LastMessage any
	// Unfinished reports whether MaxEvents ended the run.
	Unfinished bool
}

// Run simulates one run, a function of the seeds. The error is about a handler's invalid request.
func (s *Setting) Run(seed1, seed2 uint64) (Run, error) { return newSimulation(s, seed1, seed2).run() }

// A simulation is a run in progress.
type simulation struct {
	*Setting
	chance    *rand.Rand
	now       Time
	events    queue
	created   uint64 // number of events so far
	nodes     []node
	first     model.NodeID // first node with an application
	remaining int          // pending operations and releases
	inFlight  int          // number of messages
	channels  map[pair]slot
	coalesce  map[string]bool // keys in flight on Set channels
	env       env
	result    Run
	// taken, unless nil, is called after each event's handler, with the handler's choices.
	taken func(e *event, choices []int)
}

// A node is a node with its application.
type node struct {
	live      model.Node // nil if Byzantine
	alarms    map[string]*event
	holds     map[string]hold
	op        int // index in the script of the running or next operation
	busy      bool
	returning bool
	invoked   Time
}

type hold struct {
	end  Time
	open bool // the end itself is excluded
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
	r.loop()
	return r.result, nil
}

// loop processes events until every operation has returned and no message is in flight.
func (r *simulation) loop() {
	for n := 0; r.remaining > 0 || r.inFlight > 0; n++ {
		e := r.events.pop()
		if e == nil || n == r.MaxEvents {
			r.result.Unfinished = r.remaining > 0
			return
		}
		r.now = e.instant
		r.step(e)
	}
}

// start creates and boots the nodes. Each first operation begins at the beginning of its window, so that all
// contend at once.
func (r *simulation) start() {
	for i, spec := range r.System.Nodes {
		n := &r.nodes[i]
		*n = node{alarms: map[string]*event{}, holds: map[string]hold{}}
		if spec.Byzantine {
			continue
		}
		n.live = r.Codec.Fresh(spec.New())
		for _, op := range spec.Script {
			r.remaining++
			if op.Release != nil {
				r.remaining++
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
	e.instant, e.atBoot = r.now+earliest(op.After), op.AtBoot
	r.push(e)
}

// step processes an event.
func (r *simulation) step(e *event) {
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
		n.busy, n.invoked = true, r.now
		r.apply(e)
	case model.Release:
		r.apply(e)
		r.remaining--
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

// handle runs a handler. Then it copies the node's state, as all engines do: so fields share nothing, and no
// map is nil.
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

// returned ends an operation. Its application then holds the section, or proceeds to its next operation.
func (r *simulation) returned(e *event) {
	n := &r.nodes[e.node]
	n.busy, n.returning = false, false
	r.result.Waits = append(r.result.Waits, r.now-n.invoked)
	if e.node == r.first && n.op == 0 {
		r.result.First = r.now - n.invoked
	}
	r.result.Last = r.now
	r.remaining--
	if op := r.System.Nodes[e.node].Script[n.op]; op.Release != nil {
		r.later(&event{kind: model.Release, node: e.node, value: op.Release, window: op.Stay})
		return
	}
	r.next(e.node)
}

// next schedules the next operation of a node's application.
func (r *simulation) next(id model.NodeID) {
	n := &r.nodes[id]
	n.op++
	if script := r.System.Nodes[id].Script; n.op < len(script) {
		op := script[n.op]
		r.later(&event{kind: model.Invoke, node: id, value: op.Call, window: op.After})
	}
}
