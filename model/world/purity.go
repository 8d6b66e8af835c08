package world

import (
	"bytes"
	"fmt"
	"sync"

	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/rules"
)

// Purity finds out handlers that are not functions of what they are given. Each runs twice, the
// second time on maps that were made in another order, and with the answers of the first; and
// what it came to is compared with what the same came to earlier, as far as that is remembered.
// A [purity.Impure] error of the step names the handler and what differs. One Purity may serve many
// worlds of a system, several at once.
type Purity struct {
	mu     sync.Mutex
	turn   int
	known  map[string]came
	relics purity.Relics
	strays guard.Strays
}

// came is what a handler came to.
type came struct{ state, effects string }

// remembered is how many reactions are kept to compare later ones with.
const remembered = 1 << 14

// NewPurity begins with nothing known.
func NewPurity() *Purity { return &Purity{known: map[string]came{}} }

// heard is what a handler asked and did, in a form that can be compared.
type heard struct {
	answers []answer
	did     []byte
	// In a second run answers come from the first, and nothing is done.
	second  bool
	follows []answer
	strayed bool
}

// An answer is one that a handler was given: is, in [0, of).
type answer struct {
	what   string
	of, is int
}

// answered answers a handler, in a second run as in the first.
func (e *environment) answered(what string, of int, ask func() int) int {
	rules.MustEnd(e.name(), e.done, len(e.answers))
	a := answer{what: what, of: of}
	switch k := len(e.answers); {
	case !e.second:
		a.is = ask()
	case k < len(e.follows):
		a.is = e.follows[k].is
		e.strayed = e.strayed || a != e.follows[k]
	default:
		e.strayed = true
	}
	e.answers = append(e.answers, a)
	return a.is
}

// tell takes down what a handler does.
func (e *environment) tell(what string, how, v any) {
	if e.w.opt.Purity != nil {
		e.did = fmt.Appendf(e.did, "%s %v %q\n", what, how, e.w.Codec.Any(v, nil))
	}
}

// given is what a handler is run on.
type given struct {
	state, value  []byte
	configuration uint64
}

// before takes down what a handler of a node is run on. In a live world the state must be that in which the handler before left it.
func (p *Purity) before(w *World, n *node, c call) (g given) {
	if p == nil {
		return g
	}
	g = given{w.Codec.Node(n.live, nil), w.Codec.Any(c.given, nil), purity.Configuration(n.live)}
	if n.left.Node == n.live {
		w.mustBeAsLeft(n.left, g.state)
	}
	return g
}

// mustBeAsLeft panics unless a node that is kept is in the state in which a handler left it.
func (w *World) mustBeAsLeft(r purity.Relic, state []byte) {
	if string(state) != r.State {
		was := w.Codec.DecodeNode(r.Node, []byte(r.State))
		panic(purity.Touched(r.Node, r.Handler, describe.Difference(was, r.Node, w.System.Name)))
	}
}

// keep keeps a node as a handler left it, and looks at some that were kept before.
func (p *Purity) keep(w *World, r purity.Relic) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.relics.Keep(r, func(r purity.Relic) { w.mustBeAsLeft(r, w.Codec.Node(r.Node, nil)) })
}

// check panics unless a handler that has run does the same once more, and left alone what it may
// not change. It returns the state in which the handler left its node, as far as that is to be looked at.
func (p *Purity) check(e *environment, next model.Node, c call, g given, failed *guard.Failure) (left purity.Relic) {
	if p == nil {
		return left
	}
	codec := e.w.Codec
	if failed != nil {
		p.failsAgain(e, next, c, g)
		return left
	}
	if purity.Configuration(next) != g.configuration {
		panic(purity.Reconfigured(next, c.handler))
	}
	if !bytes.Equal(codec.Any(c.given, nil), g.value) {
		panic(purity.Overwritten(next, c.handler))
	}
	first := came{string(codec.Node(next, nil)), string(e.did)}
	key := fmt.Sprintf("%d %s %d %v %d ", e.id, c.handler, c.from, e.answers, len(g.state)) + string(g.state) + string(g.value)
	earlier, turn := p.recall(key, first)
	e.agree(next, c, first, earlier)

	again, n, fails := e.again(next, c, g, turn)
	if fails != nil {
		panic(purity.Unlike(next, c.handler, "whether it fails"))
	}
	if again.strayed || len(again.answers) != len(e.answers) {
		panic(purity.Unlike(next, c.handler, "its choices"))
	}
	e.agree(next, c, first, came{string(codec.Node(n, nil)), string(again.did)})
	left = purity.Relic{Node: next, Handler: c.handler, State: first.state, Slot: int(e.id)}
	if e.w.opt.Live == nil {
		p.keep(e.w, left)
	}
	return left
}

// again runs a handler once more.
func (e *environment) again(next model.Node, c call, g given, turn int) (*environment, model.Node, *guard.Failure) {
	again := &environment{w: e.w, id: e.id, call: c, heard: heard{second: true, follows: e.answers}}
	n, _ := e.w.Codec.TurnedNode(next, g.state, turn)
	v, _ := e.w.Codec.TurnedAny(g.value, turn)
	failed := again.run(n, c, v)
	return again, n, failed
}

// failsAgain panics unless a handler that failed does so once more.
func (p *Purity) failsAgain(e *environment, next model.Node, c call, g given) {
	p.mu.Lock()
	p.turn++
	turn := p.turn
	p.mu.Unlock()
	if _, _, failed := e.again(next, c, g, turn); failed == nil {
		panic(purity.Unlike(next, c.handler, "whether it fails"))
	}
}

// recall returns what a handler came to on the same earlier, or now if that is not known, and in
// which turn maps shall be made.
func (p *Purity) recall(key string, now came) (earlier came, turn int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn++
	if earlier, ok := p.known[key]; ok {
		return earlier, p.turn
	}
	if len(p.known) < remembered {
		p.known[key] = now
	}
	return now, p.turn
}

// agree panics unless two runs came to the same.
func (e *environment) agree(n model.Node, c call, first, other came) {
	switch {
	case first.state != other.state:
		a, b := e.w.Codec.DecodeNode(n, []byte(first.state)), e.w.Codec.DecodeNode(n, []byte(other.state))
		panic(purity.Unlike(n, c.handler, describe.Difference(a, b, e.w.System.Name)))
	case first.effects != other.effects:
		panic(purity.Unlike(n, c.handler, "its effects"))
	}
}
