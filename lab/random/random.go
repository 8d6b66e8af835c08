// Package random makes small random systems for comparing implementations of the semantics.
package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// A machine is a node with a random table.
type machine struct {
	table *table
	State int
	Log   []int // last message, so that slices occur
}

type table struct {
	peers []model.NodeID
	next  [4][6]reaction // by state and trigger
	holds bool
}

// A reaction is a handler's reaction.
type reaction struct {
	state         int
	send, to      int // −1 is no message
	arm           int // end of the alarm's window; −1 is no alarm
	hold, ask     bool
	choose        bool
	note, cancels bool
}

type (
	msg   struct{ K int }
	alarm struct{}
	lock  struct{}
	call  struct{}
	leave struct{}
)

func (m *machine) react(env model.Env, trigger int) {
	r := m.table.next[m.State][trigger]
	if r.ask && m.table.holds && env.Held(lock{}) {
		return
	}
	m.State = r.state
	if r.choose && env.Choose(2) == 1 {
		m.State = (m.State + 1) % 4
	}
	if r.send >= 0 {
		env.Send(m.table.peers[r.to], msg{r.send})
	}
	if r.arm >= 0 {
		env.After(alarm{}, model.Between(model.Ticks(r.arm/2), model.Ticks(r.arm)))
	}
	if r.cancels {
		env.Cancel(alarm{})
	}
	if r.hold && m.table.holds {
		env.Hold(lock{}, model.Through(2))
	}
	if r.note {
		env.Note(r.state)
	}
}

func (m *machine) Receive(env model.Env, _ model.NodeID, x any) {
	m.Log = []int{x.(msg).K}
	m.react(env, x.(msg).K)
}
func (m *machine) Timeout(env model.Env, _ any) { m.react(env, 3) }
func (m *machine) Start(env model.Env)          { m.react(env, 5) }
func (m *machine) Invoke(env model.Env, op any) {
	m.react(env, 4)
	if op == (call{}) {
		env.Return(m.State)
	}
}

// System returns a small system. Few messages are sent, since each state sends at most one and states mostly
// increase.
func System(r *rand.Rand, holds bool) *model.System {
	n := 2 + r.IntN(2)
	t := &table{holds: holds}
	for i := range n {
		t.peers = append(t.peers, model.NodeID(i))
	}
	for s := range t.next {
		for k := range t.next[s] {
			t.next[s][k] = reaction{
				state: min(3, s+r.IntN(3)), send: r.IntN(5) - 2, to: r.IntN(n), arm: r.IntN(8) - 5, hold: r.IntN(3) == 0, ask: r.IntN(3) == 0,
				choose: r.IntN(6) == 0, note: r.IntN(4) == 0, cancels: r.IntN(6) == 0,
			}
			if s == 3 {
				t.next[s][k].send, t.next[s][k].arm = -1, -1
			}
		}
	}
	s := &model.System{
		Network: model.Network{Channel: model.Channel(r.IntN(3)), Delay: model.Between(0, model.Ticks(r.IntN(2)))},
		Faults:  [...]model.Faults{{}, {Loss: 1}, {Duplication: 1}, {Crashes: 1}, {Restarts: 1}}[r.IntN(5)],
		Types:   []any{msg{}, alarm{}, lock{}, call{}, leave{}},
	}
	for i := range n {
		spec := model.NodeSpec{Name: fmt.Sprint("m", i), Role: model.Server, New: func() model.Node { return &machine{table: t} }}
		if i == 0 {
			spec.Role, spec.Script = model.Client, []model.Op{{Call: call{}, After: model.Between(0, 1), Release: leave{}}}
		}
		s.Nodes = append(s.Nodes, spec)
	}
	return s
}
