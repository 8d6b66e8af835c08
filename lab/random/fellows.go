package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// A fellow is one of several equal servers with a random table. It stores names of nodes, sends them, and
// waits for them, so that a renaming affects its whole state.
type fellow struct {
	pact  *pact
	State int
	Last  model.NodeID // lost in a crash
	Sent  int
	Kept  model.NodeID `contend:"stable"`
	// Met has stable names, as a vote has.
	Met  map[model.NodeID]bool `contend:"stable"`
	Down map[model.NodeID]bool
}

// A pact is the table of fellows, and of the node that asks them.
type pact struct {
	fellows []model.NodeID
	strokes [3][6]stroke // by state and trigger
	most    int          // maximum messages of a fellow until it crashes
	odd     model.NodeID // a fellow that ignores words of kind 1; 0 if all are equal
	all     bool         // the asker asks all fellows, not one
	wanted  int          // words until an operation of the asker returns
	returns bool         // the asker returns even without an operation, against the rules
	fails   bool         // the asker fails on a fellow's own name
	risks   bool         // the asker's invocation fails on one of its choices
}

// Triggers of a fellow.
const (
	onWord    = iota // and 1
	onWake    = 2
	onSuspect = 3
	onTrust   = 4
	onBegin   = 5
)

// A whom is a name known to a fellow.
type whom int

const (
	nobody whom = iota
	itself
	sender // of the message, or the subject of the event
	named  // in the message
	kept
	others // as a receiver: all other fellows
)

// A stroke is a handler's reaction.
type stroke struct {
	state      int
	keep, last whom
	meets      whom
	say        int // kind of a word; −1 is none
	of, to     whom
	wake       whom // name of an alarm
	window     model.Window
	choose     bool
	note       bool
	deliver    whom
	fail       bool
}

type (
	word struct {
		K  int
		Of model.NodeID
	}
	wake struct{ For model.NodeID }
)

// who returns the node for a whom. For nobody it returns 0, since no fellow has the number 0.
func (f *fellow) who(env model.Env, w whom, from, subject model.NodeID) model.NodeID {
	switch w {
	case itself:
		return env.Self()
	case sender:
		return from
	case named:
		return subject
	case kept:
		return f.Kept
	}
	return 0
}

func (f *fellow) do(env model.Env, trigger int, from, subject model.NodeID) {
	s := f.pact.strokes[f.State][trigger]
	model.Assert(!s.fail, "a fellow in state %d never comes to this", f.State)
	if s.choose && env.Choose(2) == 1 {
		return
	}
	f.State = s.state
	name := func(w whom) model.NodeID { return f.who(env, w, from, subject) }
	keeps, last, meets := name(s.keep), name(s.last), name(s.meets)
	f.sendWord(env, s, name)
	if s.keep != nobody {
		f.Kept = keeps
	}
	if s.last != nobody {
		f.Last = last
	}
	if s.meets != nobody {
		f.Met[meets] = true
	}
	if s.wake != nobody {
		env.After(wake{name(s.wake)}, s.window)
	}
	if s.note {
		env.Note(f.State)
	}
	if id := name(s.deliver); id != 0 {
		env.Deliver(id)
	}
}

// sendWord sends the word of a stroke, up to the maximum.
func (f *fellow) sendWord(env model.Env, s stroke, name func(whom) model.NodeID) {
	if s.say < 0 || f.Sent >= f.pact.most || s.of == kept && f.Kept == 0 {
		return
	}
	f.Sent++
	w := word{s.say, name(s.of)}
	if s.to != others {
		env.Send(name(s.to), w)
		return
	}
	for _, id := range f.pact.fellows {
		if id != env.Self() {
			env.Send(id, w)
		}
	}
}

func (f *fellow) Start(env model.Env) { f.do(env, onBegin, 0, f.Kept) }

func (f *fellow) Receive(env model.Env, from model.NodeID, m any) {
	w := m.(word)
	if env.Self() == f.pact.odd && w.K == 1 {
		return
	}
	f.do(env, onWord+w.K, from, w.Of)
}

func (f *fellow) Timeout(env model.Env, k any) { f.do(env, onWake, k.(wake).For, k.(wake).For) }

func (f *fellow) Suspect(env model.Env, n model.NodeID) {
	f.Down[n] = true
	f.do(env, onSuspect, n, n)
}

func (f *fellow) Trust(env model.Env, n model.NodeID) {
	delete(f.Down, n)
	f.do(env, onTrust, n, n)
}

// A teller asks fellows and waits for their words.
type teller struct {
	pact  *pact
	Heard int
	Waits bool
}

func (a *teller) Invoke(env model.Env, _ any) {
	model.Assert(!a.pact.risks || env.Choose(2) == 0, "the asker never chooses this")
	a.Heard, a.Waits = 0, true
	to := a.pact.fellows
	if !a.pact.all {
		k := env.Choose(len(to))
		to = to[k : k+1]
	}
	env.Broadcast(to, word{0, env.Self()})
	if a.pact.wanted == 0 {
		a.Waits = false
		env.Return(0)
	}
}

func (a *teller) Receive(env model.Env, from model.NodeID, m any) {
	model.Assert(!a.pact.fails || m.(word).Of != from, "nobody names itself")
	a.Heard = min(a.Heard+1, 2)
	if a.Heard == a.pact.wanted && (a.Waits || a.pact.returns) {
		a.Waits = false
		env.Return(m.(word).K)
	}
}

// drawStroke draws a reaction. The state never decreases.
func drawStroke(r *rand.Rand, m mixture, state, trigger int) stroke {
	name := func() whom { return one(r, nobody, nobody, itself, sender, named) }
	s := stroke{
		state: min(2, state+r.IntN(2)), keep: name(), last: one(r, nobody, name()), meets: one(r, nobody, nobody, name()),
		say: max(-1, r.IntN(4)-2), of: one(r, itself, sender, named, kept), to: one(r, sender, sender, named, kept, others, nobody),
		window: m.window(r), choose: r.IntN(8) == 0, note: r.IntN(3) == 0, deliver: one(r, nobody, nobody, nobody, itself, sender, named, kept),
	}
	if r.IntN(6) == 0 {
		s.wake = one(r, itself, sender, named)
	}
	switch {
	case trigger == onBegin && r.IntN(3) > 0:
		return stroke{state: state, say: -1}
	case trigger == onWake && state == 2, trigger == onBegin:
		s.wake = nobody
	case trigger == onWake:
		s.state = state + 1
	}
	return s
}

// fellows returns a small system of equal servers, sometimes except one, with one or two nodes that ask them,
// and sometimes a liar.
func fellows(r *rand.Rand, reading model.Reading) *model.System {
	m := mixture{reading: reading, open: reading != model.Untimed && r.IntN(3) == 0}
	n := 2 + r.IntN(2)
	p := &pact{most: one(r, 1, 1, 2), all: r.IntN(4) == 0, wanted: r.IntN(3)}
	for state := range p.strokes {
		for trigger := range p.strokes[state] {
			p.strokes[state][trigger] = drawStroke(r, m, state, trigger)
		}
	}
	if r.IntN(2) == 0 { // a restarted fellow sends the name it stored
		p.strokes[0][onBegin] = one(r, stroke{say: -1, deliver: kept}, stroke{say: 1, of: kept, to: one(r, kept, others)})
	}
	s := &model.System{
		Network:  model.Network{Channel: model.Channel(r.IntN(3)), Delay: m.window(r), Once: r.IntN(2) == 0},
		Returned: one(r, model.Window{}, m.window(r)),
		Types:    []any{word{}, wake{}, call{}, model.NodeID(0)},
	}
	first := model.Op{Call: call{}, After: m.window(r)}
	if r.IntN(2) == 0 {
		first = model.Op{Call: call{}, AtBoot: true}
	}
	asker := model.NodeSpec{Name: "c", New: func() model.Node { return &teller{pact: p} }, Script: []model.Op{first}}
	s.Nodes = []model.NodeSpec{asker}
	switch r.IntN(4) {
	case 0:
		s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: call{}, After: m.window(r)})
	case 1:
		asker.Name = "d"
		s.Nodes = append(s.Nodes, asker)
	}
	asks := len(s.Nodes)
	for i := range n {
		id := model.NodeID(i + asks)
		p.fellows = append(p.fellows, id)
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("f", id), Role: model.Server, New: func() model.Node { return &fellow{pact: p} }})
	}
	if r.IntN(8) == 0 {
		p.odd = model.NodeID(len(s.Nodes) - 1)
	}
	if r.IntN(4) == 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = forgeWord
	}
	return s
}

// forgeWord returns the stored name as a word for a fellow in state 0, and its own name in state 1.
func forgeWord(n model.Node, to, _ model.NodeID) []any {
	switch f, ok := n.(*fellow); {
	case ok && f.State == 0:
		return []any{word{0, f.Kept}}
	case ok && f.State == 1:
		return []any{word{1, to}}
	}
	return nil
}
