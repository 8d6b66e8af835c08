package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// Timing is a distribution of the times in a random system.
type Timing struct {
	Open  bool // windows may exclude their ends
	Holds bool // nodes and monitors use holds
	Loops bool // states recur; the state space is finite nevertheless
}

// A ticker is a node with a random table of reactions, windows and holds.
type ticker struct {
	table *ticks
	State int
	Sent  int
	Waits bool // an operation has not returned
	Kept  int  `contend:"stable"` // state after a restart
	// Suspects has the suspected nodes.
	Suspects map[model.NodeID]bool
}

type ticks struct {
	peers []model.NodeID
	next  [3][8]beat // by state and trigger
	most  int        // maximum messages of a ticker
	lists bool       // operations return lists
	waits bool       // operations return in a later step
	deaf  bool       // nodes in state 1 or 2 ignore messages of kind 1
	keeps bool       // the state survives a crash

	endless bool // messages are not counted
}

// Triggers of a ticker.
const (
	onMessage = iota // and 1
	onAlarm   = 2    // and 3
	onInvoke  = 4
	onRelease = 5
	onStart   = 6
	onForged  = 7
)

// A beat is a handler's reaction.
type beat struct {
	state        int
	send, to     int // −1 is no message
	twice        bool
	other        bool // the second of two messages has the other kind
	arm          int  // −1 is no alarm
	after        model.Window
	both         bool // set the other alarm, too
	cancel       int  // −1 is no alarm
	hold, ask    int  // −1 is no key
	length       model.Bound
	choose, note bool
	draw         bool
	finish       bool // return, if an operation waits
	fail         bool
}

type (
	ping struct{ K int }
	ring struct{ K int }
	mine struct{ K int }
	list struct{ Items []int }
)

func (c *ticker) beat(env model.Env, trigger int) {
	b := c.table.next[c.State][trigger]
	if b.ask >= 0 && env.Held(mine{b.ask}) {
		b = c.table.next[c.State][(trigger+3)%6]
	}
	other := b.choose && env.Choose(2) == 1
	model.Assert(!b.fail || b.choose && !other, "a ticker in state %d never comes to this", c.State)
	c.State = b.state
	if other {
		c.State = (c.State + 1) % len(c.table.next)
	}
	if b.draw && env.Draw(2) == 1 {
		c.State = (c.State + 2) % len(c.table.next)
	}
	if c.table.keeps {
		c.Kept = c.State
	}
	c.sends(env, b)
	b.rings(env)
	if b.hold >= 0 {
		env.Hold(mine{b.hold}, b.length)
	}
	if b.note {
		env.Note(c.State)
	}
	if b.finish && c.Waits {
		c.Waits = false
		c.end(env)
	}
}

// sends sends the messages of a beat.
func (c *ticker) sends(env model.Env, b beat) {
	for range 2 {
		if b.send >= 0 && c.Sent < c.table.most {
			if !c.table.endless {
				c.Sent++
			}
			env.Send(c.table.peers[b.to], ping{b.send})
		}
		if !b.twice {
			break
		}
		if b.other {
			b.send = 1 - b.send
		}
	}
}

// rings cancels and sets the alarms of a beat.
func (b beat) rings(env model.Env) {
	if b.cancel >= 0 {
		env.Cancel(ring{b.cancel})
	}
	if b.arm >= 0 {
		env.After(ring{b.arm}, b.after)
		if b.both {
			env.After(ring{1 - b.arm}, b.after)
		}
	}
}

// end returns from the running operation.
func (c *ticker) end(env model.Env) {
	if c.table.lists {
		env.Return(list{make([]int, c.State)})
		return
	}
	env.Return(c.State)
}

func (c *ticker) Start(env model.Env) {
	c.State = max(c.State, c.Kept)
	c.beat(env, onStart)
}

func (c *ticker) Suspect(env model.Env, node model.NodeID) {
	c.Suspects[node] = true
	c.beat(env, onForged)
}

func (c *ticker) Trust(env model.Env, node model.NodeID) {
	delete(c.Suspects, node)
	c.beat(env, onRelease)
}

func (c *ticker) Timeout(env model.Env, k any) { c.beat(env, onAlarm+k.(ring).K) }

func (c *ticker) Receive(env model.Env, _ model.NodeID, m any) {
	trigger := onForged
	if k := m.(ping).K; k < 2 {
		trigger = onMessage + k
		if k == 1 && c.table.deaf && c.State > 0 {
			return
		}
	}
	c.beat(env, trigger)
}

func (c *ticker) Invoke(env model.Env, op any) {
	if op == (leave{}) {
		c.beat(env, onRelease)
		return
	}
	c.Waits = c.table.waits
	c.beat(env, onInvoke)
	if !c.table.waits {
		c.end(env)
	}
}

// Window draws a small window.
func (t Timing) Window(r *rand.Rand) model.Window {
	lo := model.Ticks(max(0, r.IntN(4)-1))
	hi := lo + model.Ticks(r.IntN(3))
	w := model.Between(lo, hi)
	if t.Open && lo < hi {
		w.Lo.Open, w.Hi.Open = r.IntN(3) == 0, r.IntN(3) == 0
	}
	if r.IntN(8) == 0 {
		w.Hi = model.Bound{At: model.Forever, Open: true}
	}
	return w
}

func (t Timing) length(r *rand.Rand) model.Bound {
	return model.Bound{At: model.Ticks(r.IntN(3)), Open: r.IntN(2) == 0}
}

// Timed returns a small system in which much depends on time.
func Timed(r *rand.Rand, t Timing) *model.System {
	n := 2 + r.IntN(2)
	table := &ticks{most: 1 + r.IntN(3)}
	for i := range n {
		table.peers = append(table.peers, model.NodeID(i))
	}
	for s := range table.next {
		for k := range table.next[s] {
			table.next[s][k] = t.beat(r, s, k, n)
		}
	}
	s := &model.System{
		Network:  model.Network{Channel: model.Channel(r.IntN(3)), Delay: t.Window(r)},
		Returned: one(r, model.Window{}, t.Window(r)),
		Faults:   [...]model.Faults{{}, {}, {Loss: 1}, {Loss: 2}, {Crashes: 1}, {Crashes: 1, Loss: 1}}[r.IntN(6)],
		Types:    []any{ping{}, ring{}, mine{}, call{}, leave{}},
	}
	for i := range n {
		spec := model.NodeSpec{Name: fmt.Sprint("t", i), Role: model.Peer, New: func() model.Node { return &ticker{table: table} }}
		if i == n-1 {
			spec.Role = model.Server
		}
		if i == 0 || r.IntN(3) == 0 && spec.Role == model.Peer {
			spec.Script = []model.Op{{Call: call{}, After: t.Window(r)}}
			if r.IntN(2) == 0 {
				spec.Script[0].Release, spec.Script[0].Stay = leave{}, t.Window(r)
			}
			if r.IntN(4) == 0 {
				spec.Script[0].AtBoot, spec.Script[0].After = true, model.Window{}
			}
		}
		s.Nodes = append(s.Nodes, spec)
	}
	if r.IntN(6) == 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = func(n model.Node, _, _ model.NodeID) []any {
			if n.(*ticker).State == 1 {
				return []any{ping{2}}
			}
			return nil
		}
	}
	return s
}

// beat draws a reaction. Without loops, an alarm that sets an alarm increases the state.
func (t Timing) beat(r *rand.Rand, state, trigger, n int) beat {
	b := beat{
		state: min(2, state+r.IntN(2)), send: r.IntN(5) - 3, to: r.IntN(n), twice: r.IntN(3) == 0,
		arm: max(-1, r.IntN(5)-3), after: t.Window(r), cancel: max(-1, r.IntN(8)-6), hold: -1, ask: -1,
		choose: r.IntN(6) == 0 && trigger != onStart, note: r.IntN(3) == 0,
	}
	b.send = max(-1, b.send)
	if trigger == onStart {
		b.arm = r.IntN(2)
	}
	if t.Holds {
		b.hold, b.ask, b.length = max(-1, r.IntN(6)-4), max(-1, r.IntN(5)-3), t.length(r)
	}
	if t.Loops && r.IntN(3) == 0 {
		b.state = r.IntN(3)
	} else if !t.Loops && trigger/2 == onAlarm/2 && b.arm >= 0 {
		if b.state = min(2, state+1); state == 2 {
			b.arm = -1
		}
	}
	return b
}

// A pacer is a monitor with alarms and possibly holds. A note breaks its claim after the alarm of the first
// note. With holds, so does a note soon after the first.
type pacer struct {
	window model.Window
	length model.Bound
	holds  bool
	Notes  int
	Rung   bool
}

func (p *pacer) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted && o.Kind != model.Delivered {
		return
	}
	w.Witness()
	if p.Notes = min(p.Notes+1, 3); p.Notes == 1 {
		w.After("rings", p.window)
		if p.holds {
			w.Hold("long ago", p.length)
		}
		return
	}
	if p.Rung {
		w.Violate("%v is noted late", o.Value)
	}
	if p.holds && p.Notes == 3 && !w.Held("long ago") {
		w.Violate("%v is noted long after", o.Value)
	}
}

func (p *pacer) Expire(model.Watch, any) { p.Rung = true }

// Paced returns claims that many timed systems violate, and a claim that none violates, so that a search is
// exhaustive.
func (t Timing) Paced(r *rand.Rand) []model.Claim {
	p := pacer{window: t.Window(r), length: t.length(r), holds: t.Holds}
	return []model.Claim{
		{Name: "paced", Kind: model.Always, Monitor: func(*model.System) model.Monitor { q := p; return &q }},
		{Name: "stays below 2", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			for i, n := range nodes {
				if c, ok := n.(*ticker); ok && c.State == 2 {
					return fmt.Errorf("node %d is at 2", i)
				}
			}
			return nil
		}},
		{Name: "nobody is at 7", Kind: model.Always, Invariant: func([]model.Node) error { return nil }},
	}
}
