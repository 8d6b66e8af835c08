package adversary

import (
	"slices"
	"strings"
	"sync"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// twinned has the states that an honest node in the place of a Byzantine one may be in, and what it
// does in each. They are computed once, for all schedules.
type twinned struct {
	lock   sync.Mutex
	id     model.NodeID
	known  map[string]*twin
	begins *twin
}

// A twin is a state of an honest node. It does not change.
type twin struct {
	of    *twinned
	w     *world.World
	knows map[trigger]reaction
}

// A trigger is something that a twin takes in: a message, or its oldest alarm.
type trigger struct {
	from  model.NodeID
	key   uint64
	alarm bool
}

// A reaction is what becomes of a twin; next is nil where its handler fails, or it asks what only
// the run knows.
type reaction struct {
	next *twin
	said []answer
}

// An answer is what a twin says to a node, as far as it matters.
type answer struct {
	to model.NodeID
	is shape
}

// mostTwins is how many states are kept for all schedules. Beyond them, a state is computed afresh by each schedule that
// comes to it.
const mostTwins = 1 << 14

// twinned returns an honest node in the place of a Byzantine one, as it begins; nil where the
// protocol has none, or it fails.
func (k *Cast) twinned(id model.NodeID) *twin {
	k.lock.Lock()
	defer k.lock.Unlock()
	if of, made := k.twins[id]; made {
		return of.begins
	}
	of := &twinned{id: id, known: map[string]*twin{}}
	k.twins[id] = of
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
	of.begins = of.state(w)
	return of.begins
}

// state is the twin in a state of its world.
func (of *twinned) state(w *world.World) *twin {
	w.ToByzantine = nil
	name := strings.Join(w.State(), "\n")
	if t := of.known[name]; t != nil {
		return t
	}
	t := &twin{of: of, w: w, knows: map[trigger]reaction{}}
	if len(of.known) < mostTwins {
		of.known[name] = t
	}
	return t
}

// react is what a twin does.
func (t *twin) react(by trigger, message func() any) reaction {
	t.of.lock.Lock()
	defer t.of.lock.Unlock()
	r, known := t.knows[by]
	if !known {
		r = t.reaction(by, message)
		t.knows[by] = r
	}
	return r
}

// reaction runs the handler.
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
		move = world.Move{Kind: model.Forge, Node: t.of.id, From: by.from, Value: message()}
	}
	if !step(w, move) {
		return reaction{}
	}
	for _, e := range w.ToByzantine {
		r.said = append(r.said, answer{e.Node, shapeOf(e.Value)})
	}
	r.next = t.of.state(w)
	return r
}

// mostOwn is how many messages of a twin to itself arrive in a step.
const mostOwn = 8

// step takes a step, and lets what the node sends to itself arrive at once; false where a handler
// fails.
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
