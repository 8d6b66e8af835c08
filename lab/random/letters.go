package random

import (
	"math/rand/v2"

	"contend/model"
)

// A writer sends letters, some equal, one at each alarm.
type writer struct {
	post    *post
	Sent    int
	Answers int
	Busy    bool
}

// A reader reacts to letters by a random table, mostly not at all in its last state.
type reader struct {
	post  *post
	State int
}

// A post is the behaviour of writer and reader.
type post struct {
	letters []int
	early   int // letters sent at the start
	pace    model.Window
	wanted  int  // answers until the operation returns
	twice   bool // each letter is sent twice in one step
	reads   [3][2]reading
}

type reading struct {
	state               int
	notes, answers, ask bool
	fail                bool
}

type (
	letter struct{ K int }
	reply  struct{}
	desk   struct{}
)

func (w *writer) Start(env model.Env) {
	for range w.post.early {
		w.send(env)
	}
}

func (w *writer) Invoke(env model.Env, _ any) {
	w.Busy = true
	env.After(desk{}, w.post.pace)
}

func (w *writer) Timeout(env model.Env, _ any) {
	w.send(env)
	if w.Sent < len(w.post.letters) {
		env.After(desk{}, w.post.pace)
	} else if w.Busy && w.post.wanted == 0 {
		w.Busy = false
		env.Return(nil)
	}
}

func (w *writer) send(env model.Env) {
	if w.Sent < len(w.post.letters) {
		env.Send(1, letter{w.post.letters[w.Sent]})
		if w.post.twice {
			env.Send(1, letter{w.post.letters[w.Sent]})
		}
		w.Sent++
	}
}

func (w *writer) Receive(env model.Env, _ model.NodeID, _ any) {
	w.Answers = min(w.Answers+1, 3)
	if w.Busy && w.Answers == w.post.wanted {
		w.Busy = false
		env.Return(nil)
	}
}

func (r *reader) Receive(env model.Env, from model.NodeID, m any) {
	k := m.(letter).K
	do := r.post.reads[r.State][k]
	if do.ask && env.Held(desk{}) {
		return
	}
	model.Assert(!do.fail, "letter %d never comes", k)
	r.State = do.state
	if do.notes {
		shows(env, k)
		env.Hold(desk{}, model.Through(1))
	}
	if do.answers {
		env.Send(from, reply{})
	}
}

// shows notes letters of kind 0, and delivers the others. The monitors in this package treat both equally.
func shows(env model.Env, k int) {
	if k == 0 {
		env.Note(k)
	} else {
		env.Deliver(k)
	}
}

// Letters returns a small system with concurrent equal messages that are lost, duplicated and read late. Some
// kinds of letters may be slower.
func Letters(r *rand.Rand, t Timing) *model.System {
	p := &post{pace: t.Window(r), early: r.IntN(3), wanted: r.IntN(3)}
	for range 2 + r.IntN(3) {
		p.letters = append(p.letters, r.IntN(2))
	}
	for s := range p.reads {
		for k := range p.reads[s] {
			do := reading{state: min(2, s+r.IntN(2)), notes: r.IntN(2) == 0, answers: r.IntN(3) == 0, ask: t.Holds && r.IntN(4) == 0}
			if r.IntN(1+s) > 0 {
				do = reading{state: s}
			}
			p.reads[s][k] = do
		}
	}
	s := &model.System{
		Network:  model.Network{Channel: one(r, model.Bag, model.FIFO, model.FIFO, model.Set), Delay: t.Window(r)},
		Returned: one(r, model.Window{}, t.Window(r)),
		Faults: one(r, model.Faults{}, model.Faults{Loss: 1}, model.Faults{Loss: 2}, model.Faults{Duplication: 1},
			model.Faults{Loss: 1, Duplication: 1}, model.Faults{Restarts: 1}, model.Faults{Crashes: 1, Loss: 1}),
		Types: []any{letter{}, reply{}, desk{}, call{}},
	}
	p.twice = s.Network.Channel == model.Set && r.IntN(2) == 0
	if r.IntN(3) == 0 {
		s.Network.Messages = slower(t.Window(r), t.Window(r))
	}
	names := one(r, []string{"a", "b"}, []string{"w", "c"})
	s.Nodes = []model.NodeSpec{
		{Name: names[0], Role: model.Client, New: func() model.Node { return &writer{post: p} }, Script: []model.Op{{Call: call{}, After: t.Window(r)}}},
		{Name: names[1], Role: model.Server, New: func() model.Node { return &reader{post: p} }},
	}
	return s
}

// slower returns windows by kind of letter. Replies have the first window.
func slower(windows ...model.Window) func(from, to model.NodeID, m any) model.Window {
	return func(_, _ model.NodeID, m any) model.Window {
		if l, ok := m.(letter); ok {
			return windows[l.K]
		}
		return windows[0]
	}
}
