package adversary

import (
	"slices"
	"strings"
	"sync"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A states has the reachable states of an honest node in the place of a Byzantine one. All schedules share
// these states.
type states struct {
	lock    sync.Mutex
	id      model.NodeID
	known   map[string]*twin
	initial *twin
}

// A twin is an immutable state of an honest node, with the node's known reactions.
type twin struct {
	states    *states
	w         *world.World
	reactions map[trigger]reaction
}

// A trigger is an event of a twin: a message, or its oldest alarm.
type trigger struct {
	from  model.NodeID
	key   uint64
	alarm bool
}

// A reaction is a twin's next state and its messages. The next state is nil if the handler fails, or needs
// the state of the run.
type reaction struct {
	next *twin
	sent []answer
}

// An answer is the shape of a twin's message to a node.
type answer struct {
	to    model.NodeID
	shape shape
}

// mostTwins is the maximum number of shared states. A schedule computes further states by itself.
const mostTwins = 1 << 14

// honest returns the initial state of an honest node in the place of a Byzantine one. It returns nil if the
// protocol has no such node, or the node fails.
func (k *Cast) honest(id model.NodeID) *twin {
	k.lock.Lock()
	defer k.lock.Unlock()
	if s, made := k.twins[id]; made {
		return s.initial
	}
	s := &states{id: id, known: map[string]*twin{}}
	k.twins[id] = s
	if k.system.Nodes[id].New == nil {
		return nil
	}
	alone := k.system.Alone(id)
	codec, err := value.For(alone, nil)
	if err != nil {
		return nil
	}
	w, err := world.Start(alone, codec, nil, world.Options{Trace: true})
	if err != nil || w.Failed() {
		return nil
	}
	s.initial = s.state(w)
	return s.initial
}

// state returns the twin for the state of a world.
func (s *states) state(w *world.World) *twin {
	w.ToByzantine = nil
	name := strings.Join(w.State(), "\n")
	if t := s.known[name]; t != nil {
		return t
	}
	t := &twin{states: s, w: w, reactions: map[trigger]reaction{}}
	if len(s.known) < mostTwins {
		s.known[name] = t
	}
	return t
}

// react returns the reaction of a twin, from the cache if it is known.
func (t *twin) react(by trigger, message func() any) reaction {
	t.states.lock.Lock()
	defer t.states.lock.Unlock()
	r, known := t.reactions[by]
	if !known {
		r = t.reaction(by, message)
		t.reactions[by] = r
	}
	return r
}

// reaction runs the handler on a copy of the world.
func (t *twin) reaction(by trigger, message func() any) (r reaction) {
	w := t.w.Fork()
	var move world.Move
	if by.alarm {
		i := slices.IndexFunc(w.Pending(), func(e *world.Event) bool { return e.Kind == model.Timeout })
		if i < 0 {
			return reaction{next: t}
		}
		move = world.Move{Kind: model.Timeout, Event: w.Pending()[i]}
	} else {
		move = world.Move{Kind: model.Forge, Node: t.states.id, From: by.from, Value: message()}
	}
	if !step(w, move) {
		return reaction{}
	}
	for _, e := range w.ToByzantine {
		r.sent = append(r.sent, answer{e.Node, shapeOf(e.Value)})
	}
	r.next = t.states.state(w)
	return r
}

// mostOwn is the maximum number of deliveries from a twin to itself within a step.
const mostOwn = 8

// step takes a step, and then delivers the node's messages to itself. It returns false if a handler fails.
func step(w *world.World, move world.Move) bool {
	for range mostOwn {
		if _, err := w.Step(move, w.Now, func(int, string) int { return 0 }); err != nil || w.Failed() {
			return false
		}
		i := slices.IndexFunc(w.Pending(), func(e *world.Event) bool { return e.Kind == model.Deliver })
		if i < 0 {
			return true
		}
		move = world.Move{Kind: model.Deliver, Event: w.Pending()[i]}
	}
	return true
}
