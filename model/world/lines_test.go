package world_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

// lines counts the lines of a state that contain a text.
func (r *run) lines(text string) (n int) {
	for _, line := range r.State() {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// A blank has no state.
type blank struct{ acts acts }

func (b *blank) Start(env model.Env) {
	if b.acts.start != nil {
		b.acts.start(nil, env)
	}
}
func (b *blank) Invoke(env model.Env, op any) {
	if b.acts.invoke != nil {
		b.acts.invoke(nil, env, op)
	}
}
func (b *blank) Receive(model.Env, model.NodeID, any) {}
func (b *blank) Timeout(model.Env, any)               {}

func blanks(s *model.System, act ...acts) *model.System {
	for k := range s.Nodes {
		a := acts{}
		if k < len(act) {
			a = act[k]
		}
		s.Nodes[k].New = func() model.Node { return &blank{acts: a} }
	}
	return s
}

// A stable node has a stable field for its messages.
type stable struct {
	Log []string `contend:"stable"`
}

func (n *stable) Receive(_ model.Env, _ model.NodeID, m any) { n.Log = append(n.Log, m.(string)) }

// A first is a monitor that stores the first invoker, and sets a hold.
type first struct {
	holds bool
	Who   []model.NodeID
}

func (f *first) Observe(w model.Watch, o model.Observation) {
	switch {
	case f.holds:
		if o.Node == 0 {
			w.Hold("k", model.Through(9))
		} else {
			w.Hold("k", model.Below(0))
		}
	case f.Who == nil:
		f.Who = []model.NodeID{o.Node}
	}
}

func firsts(holds bool) model.Claim {
	return model.Claim{Name: "first", Monitor: func(*model.System) model.Monitor { return &first{holds: holds} }}
}

// Each part of a state is in its lines, and nothing that makes no difference.
func TestWhatIsInAState(t *testing.T) {
	nothing := model.Claim{Name: "nothing", Monitor: func(*model.System) model.Monitor { return &failing{on: 99} }}
	two := func() *model.System {
		return system(client("a", acts{}, model.Op{Call: "go"}), client("b", acts{}, model.Op{Call: "go"}))
	}
	twoBlank := func() *model.System { return blanks(two()) }
	both := func(order ...model.NodeID) func(r *run) {
		return func(r *run) {
			for _, id := range order {
				r.do(0, model.Invoke, id)
			}
		}
	}
	letters := func(channel model.Channel, node func() model.Node) *model.System {
		s := talk(channel, "x", "y")
		s.Nodes[1].New = node
		s.Faults = model.Faults{Loss: 2, Duplication: 2, Restarts: 2}
		return s
	}
	reads := func(values ...any) func(r *run) {
		return func(r *run) {
			r.do(0, model.Invoke, 0)
			for _, v := range values {
				for _, e := range r.pending(model.Deliver, 1) {
					if e.Value == v {
						r.fire(0, e)
						break
					}
				}
			}
		}
	}
	then := func(steps ...func(r *run)) func(r *run) {
		return func(r *run) {
			for _, s := range steps {
				s(r)
			}
		}
	}
	faults := func(kinds ...model.EventKind) func(r *run) {
		return func(r *run) {
			for _, kind := range kinds {
				if kind == model.Crash || kind == model.Restart {
					r.move(0, world.Move{Kind: kind, Node: 1})
				} else {
					r.move(0, world.Move{Kind: kind, Event: r.event(model.Deliver, 1)})
				}
			}
		}
	}
	deliver := func(r *run) { r.do(0, model.Deliver, 1) }
	puppets := func() model.Node { return &puppet{} }
	stables := func() model.Node { return &stable{} }
	quiet := func() model.Node { return &blank{} }
	reversed := func(channel model.Channel) *model.System {
		s := letters(channel, quiet)
		s.Nodes[0].New = func() model.Node { return &puppet{acts: acts{invoke: tell(1, "y", "x")}} }
		return s
	}
	armed := func(keys ...any) *model.System {
		s := talk(model.FIFO, "x")
		return blanks(s, acts{}, acts{start: func(_ *puppet, env model.Env) {
			for _, k := range keys {
				env.After(k, model.Exactly(1))
			}
		}})
	}
	nope := func(*run) {}
	for name, c := range map[string]struct {
		s, other *model.System // the same if nil
		claims   []model.Claim
		a, b     func(r *run)
		equal    bool
	}{
		"what a node heard":            {letters(model.Bag, puppets), nil, nil, reads("x", "y"), reads("y", "x"), false},
		"nodes that keep nothing":      {letters(model.Bag, quiet), nil, nil, reads("x", "y"), reads("y", "x"), true},
		"how a node comes back":        {letters(model.Bag, stables), nil, nil, then(reads("x", "y"), faults(model.Crash)), then(reads("y", "x"), faults(model.Crash)), false},
		"what a node loses":            {letters(model.Bag, puppets), nil, nil, then(reads("x", "y"), faults(model.Crash)), then(reads("y", "x"), faults(model.Crash)), true},
		"who came first":               {twoBlank(), nil, nil, both(0, 1), both(1, 0), true},
		"what a monitor saw":           {twoBlank(), nil, []model.Claim{nothing, firsts(false)}, both(0, 1), both(1, 0), false},
		"what a monitor holds":         {twoBlank(), nil, []model.Claim{nothing, firsts(true)}, both(0, 1), both(1, 0), false},
		"the budget":                   {letters(model.Bag, quiet), nil, nil, reads(), then(reads(), faults(model.Duplicate, model.Lose)), false},
		"what may come again":          {letters(model.Bag, quiet), nil, nil, then(reads("x"), faults(model.Crash, model.Restart)), then(reads(), faults(model.Crash, model.Restart)), false},
		"it came once more":            {letters(model.Bag, quiet), nil, nil, then(reads("x"), faults(model.Crash, model.Restart), reads2("x")), then(reads(), faults(model.Crash, model.Restart), deliver), true},
		"an order of delivery":         {letters(model.FIFO, quiet), reversed(model.FIFO), nil, reads("x", "y"), reads("y", "x"), true},
		"an order of what comes again": {letters(model.FIFO, quiet), reversed(model.FIFO), nil, then(reads("x", "y"), faults(model.Crash, model.Restart)), then(reads("y", "x"), faults(model.Crash, model.Restart)), true},
		"an order in a channel":        {letters(model.FIFO, quiet), reversed(model.FIFO), nil, reads(), reads(), false},
		"an order of alarms":           {armed("x", "y"), armed("y", "x"), nil, nope, nope, true},
	} {
		other := c.other
		if other == nil {
			other = c.s
		}
		a, b := start(t, c.s, untimed, c.claims...), start(t, other, untimed, c.claims...)
		c.a(a)
		c.b(b)
		if c.equal {
			assert.Equal(t, a.State(), b.State(), name)
		} else {
			assert.NotEqual(t, a.State(), b.State(), name)
		}
	}
}

// reads2 delivers the messages in flight to the second node.
func reads2(v any) func(r *run) {
	return func(r *run) {
		for _, e := range r.pending(model.Deliver, 1) {
			if e.Value == v && e.Optional {
				r.fire(0, e)
				return
			}
		}
	}
}

// A state has the remaining time: of an open window only its end. It also has whether a window that opens at
// the present instant is not yet open.
func TestWhatIsLeftOfWindows(t *testing.T) {
	s := func(w model.Window) *model.System {
		return blanks(system(client("a", acts{}, model.Op{Call: "go", After: w}), client("b", acts{}, model.Op{Call: "go", After: model.Anytime()})))
	}
	from := func(at model.Ticks, open bool) model.Window {
		return model.Window{Lo: model.Bound{At: at, Open: open}, Hi: model.Anytime().Hi}
	}
	for _, c := range []struct {
		a, b     model.Window
		atA, atB world.Time
		equal    bool
	}{
		{from(0, false), from(0, false), 3, 9, true},
		{from(5, false), from(5, false), 5, 9, true},
		{from(5, false), from(5, true), 9, 9, true},
		{from(5, false), from(5, true), 5, 5, false},
		{from(5, true), from(5, true), 5, 9, false},
		{from(5, false), from(5, false), 1, 2, false},
		{from(5, false), from(6, false), 1, 2, true},
		{model.By(9), model.By(9), 1, 2, false},
		{model.By(9), model.By(10), 1, 2, true},
	} {
		a, b := start(t, s(c.a), timed), start(t, s(c.b), timed)
		a.do(c.atA, model.Invoke, 1)
		b.do(c.atB, model.Invoke, 1)
		assert.Equal(t, c.equal, assert.ObjectsAreEqual(a.State(), b.State()), "%+v", c)
	}
}

// A state has each hold while it lasts, in an order that does not depend on the order of setting. In an
// untimed run a hold lasts until it was seen to be over. Its start makes no difference.
func TestHoldsInAState(t *testing.T) {
	s := func(length model.Bound, keys ...string) *model.System {
		return blanks(system(client("a", acts{}, model.Op{Call: "go", After: model.Anytime()}, model.Op{Call: "go", After: model.Anytime()})),
			acts{invoke: func(_ *puppet, env model.Env, op any) {
				for _, k := range keys {
					env.Hold(k, length)
				}
				keys = nil
				env.Return(nil)
			}})
	}
	for _, c := range []struct {
		length model.Bound
		at     world.Time
		opt    world.Options
		want   int
	}{
		{model.Through(2), 1, timed, 1}, {model.Through(2), 2, timed, 1}, {model.Through(2), 3, timed, 0},
		{model.Below(2), 1, timed, 1}, {model.Below(2), 2, timed, 0}, {model.Below(2), 3, timed, 0},
		{model.Through(2), 4, halves, 1}, {model.Through(2), 5, halves, 0}, {model.Through(2), 9, untimed, 1}, {model.Below(2), 9, untimed, 1},
	} {
		r := start(t, s(c.length, "k"), c.opt)
		r.do(0, model.Invoke, 0)
		r.do(0, model.Return, 0)
		r.do(c.at, model.Invoke, 0)
		assert.Equal(t, c.want, r.lines("holds"), "%+v", c)
	}
	keys := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	a, b := start(t, s(model.Through(9), keys...), untimed), start(t, s(model.Through(9), "h", "g", "f", "e", "d", "c", "b", "a"), untimed)
	a.do(0, model.Invoke, 0)
	b.do(0, model.Invoke, 0)
	a.do(1, model.Return, 0)
	b.do(7, model.Return, 0)
	assert.Equal(t, len(keys), a.lines("holds"))
	assert.Equal(t, a.State(), b.State())
}

// What a node knew when it returned is in the state only where chains are followed.
func TestReturnsWithoutChains(t *testing.T) {
	s := blanks(system(client("a", acts{}, model.Op{Call: "go"}), client("b", acts{}, model.Op{Call: "go"})),
		acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Return(nil) }}, acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Send(0, "m") }})
	s.Returned = model.Anytime()
	a, b := start(t, s, untimed, past()), start(t, s, untimed, past())
	for _, r := range []*run{a, b} {
		r.do(0, model.Invoke, 1)
	}
	a.do(0, model.Invoke, 0)
	a.do(0, model.Deliver, 0)
	b.do(0, model.Deliver, 0)
	b.do(0, model.Invoke, 0)
	ends := func(r *run) string { state := r.State(); return state[len(state)-1] }
	assert.Contains(t, ends(a), "return")
	assert.Equal(t, ends(a), ends(b))
}
