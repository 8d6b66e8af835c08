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
	"contend/model/value"
)

// A Purity detects handlers that are not pure functions. Each handler runs twice, the second time on maps with
// another order and with the choices of the first run. Both results must be equal, and equal to an earlier
// result for the same arguments, as far as that is stored. Otherwise the step returns a [purity.Impure] that
// names the handler and the difference. A Purity may serve many worlds of a system, also concurrently.
type Purity struct {
	mu        sync.Mutex
	turn      int
	reactions map[string]reaction
	relics    purity.Relics
	strays    guard.Strays
}

// A reaction is the result of a handler.
type reaction struct{ state, effects string }

// maxReactions is the largest number of stored reactions.
const maxReactions = 1 << 14

// NewPurity returns a Purity without stored reactions.
func NewPurity() *Purity { return &Purity{reactions: map[string]reaction{}} }

// A transcript has the choices and effects of a handler.
type transcript struct {
	answers   []answer
	effectLog []byte
	// In a second run, choices are repeated from follows, and there are no effects.
	second  bool
	follows []answer
	strayed bool
}

// An answer is the result of a choice or of a query of a hold: is, in [0, of).
type answer struct {
	what      string
	n, result int
}

// answered returns the result of ask. In a second run it repeats the answer of the first.
func (e *environment) answered(what string, n int, ask func() int) int {
	rules.MustEnd(e.name(), e.effectCount, len(e.answers))
	a := answer{what: what, n: n}
	switch k := len(e.answers); {
	case !e.second:
		a.result = ask()
	case k < len(e.follows):
		a.result = e.follows[k].result
		e.strayed = e.strayed || a != e.follows[k]
	default:
		e.strayed = true
	}
	e.answers = append(e.answers, a)
	return a.result
}

// logEffect records an effect of a handler.
func (e *environment) logEffect(what string, how, v any) {
	if e.w.opt.Purity != nil {
		e.effectLog = value.AppendCanonical(append(append(e.effectLog, what...), 0), how)
		e.effectLog = e.w.Codec.AppendAny(e.effectLog, v)
	}
}

// An input is the encoded input of a handler.
type input struct {
	state, value  []byte
	configuration uint64
}

// configuration returns the hash of a monitor's configuration; 0 without a Purity.
func (p *Purity) configuration(m model.Monitor) uint64 {
	if p == nil {
		return 0
	}
	return purity.Configuration(m)
}

// encodeInput encodes the input of a handler. In a live world it panics if the state has changed since the previous
// handler.
func (p *Purity) encodeInput(w *World, n *node, c call) (g input) {
	if p == nil {
		return g
	}
	g = input{w.Codec.Node(n.live, nil), w.Codec.Any(c.arg, nil), purity.Configuration(n.live)}
	if n.last.Node == n.live {
		w.mustBeAsLeft(n.last, g.state)
	}
	return g
}

// mustBeAsLeft panics if a stored node has changed since its handler returned.
func (w *World) mustBeAsLeft(r purity.Relic, state []byte) {
	if string(state) != r.State {
		was := w.Codec.DecodeNode(r.Node, []byte(r.State))
		panic(purity.Touched(r.Node, r.Handler, describe.Difference(was, r.Node, w.System.Name)))
	}
}

// keep stores a node, and checks some stored nodes.
func (p *Purity) keep(w *World, r purity.Relic) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.relics.Keep(r, func(r purity.Relic) { w.mustBeAsLeft(r, w.Codec.Node(r.Node, nil)) })
}

// check panics unless a second run of a handler has an equal result, and the handler has not changed its
// configuration or arguments. It returns the node with its state after the handler.
func (p *Purity) check(e *environment, next model.Node, c call, g input, failed *guard.Failure) (left purity.Relic) {
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
	if !bytes.Equal(codec.Any(c.arg, nil), g.value) {
		panic(purity.Overwritten(next, c.handler))
	}
	first := reaction{string(codec.Node(next, nil)), string(e.effectLog)}
	key := fmt.Sprintf("%d %s %d %v %d ", e.id, c.handler, c.from, e.answers, len(g.state)) + string(g.state) + string(g.value)
	earlier, turn := p.recall(key, first)
	e.agree(next, c, first, earlier)

	again, n, fails := e.repeat(next, c, g, turn)
	if fails != nil {
		panic(purity.Unlike(next, c.handler, "whether it fails"))
	}
	if again.strayed || len(again.answers) != len(e.answers) {
		panic(purity.Unlike(next, c.handler, "its choices"))
	}
	e.agree(next, c, first, reaction{string(codec.Node(n, nil)), string(again.effectLog)})
	left = purity.Relic{Node: next, Handler: c.handler, State: first.state, Slot: int(e.id)}
	if e.w.opt.Live == nil {
		p.keep(e.w, left)
	}
	return left
}

// repeat runs a handler a second time.
func (e *environment) repeat(next model.Node, c call, g input, turn int) (*environment, model.Node, *guard.Failure) {
	again := &environment{w: e.w, id: e.id, call: c, transcript: transcript{second: true, follows: e.answers}}
	n, _ := e.w.Codec.TurnedNode(next, g.state, turn)
	v, _ := e.w.Codec.TurnedAny(g.value, turn)
	failed := again.run(n, c, v)
	return again, n, failed
}

// failsAgain panics unless a handler that failed fails again.
func (p *Purity) failsAgain(e *environment, next model.Node, c call, g input) {
	p.mu.Lock()
	p.turn++
	turn := p.turn
	p.mu.Unlock()
	if _, _, failed := e.repeat(next, c, g, turn); failed == nil {
		panic(purity.Unlike(next, c.handler, "whether it fails"))
	}
}

// recall returns the stored reaction for equal input, or stores the present one and returns it. It also returns
// the turn for the order of maps.
func (p *Purity) recall(key string, now reaction) (earlier reaction, turn int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn++
	if earlier, ok := p.reactions[key]; ok {
		return earlier, p.turn
	}
	if len(p.reactions) < maxReactions {
		p.reactions[key] = now
	}
	return now, p.turn
}

// agree panics unless two reactions are equal.
func (e *environment) agree(n model.Node, c call, first, other reaction) {
	switch {
	case first.state != other.state:
		a, b := e.w.Codec.DecodeNode(n, []byte(first.state)), e.w.Codec.DecodeNode(n, []byte(other.state))
		panic(purity.Unlike(n, c.handler, describe.Difference(a, b, e.w.System.Name)))
	case first.effects != other.effects:
		panic(purity.Unlike(n, c.handler, "its effects"))
	}
}
