package random

import (
	"math/rand/v2"

	"contend/model"
)

// An office is a system in which runs of different cost reach the same states. Clerks have no memory, and
// send any number of copies to an archive that ignores them.
type office struct {
	clerks  []model.NodeID
	archive model.NodeID
	copies  [2]int // maximum copies, of the last errand of a chain and of the others
	hops    int    // number of times an errand is forwarded
	back    bool   // forwards go back to the sending clerk, not to the next
	wanted  int    // answers until an operation returns
	notes   bool   // clerks note errands
	reads   bool   // the archive notes the first copy
	all     bool   // an operation asks all clerks, not one
}

type (
	errand struct {
		Hops int
		For  model.NodeID
	}
	carbon struct{ For model.NodeID }
	thanks struct{}
)

// A customer asks clerks; an archive stores copies.
type (
	customer struct {
		office *office
		Wants  int
	}
	clerk   struct{ office *office }
	archive struct {
		office *office
		Read   bool
	}
)

func (c *customer) Invoke(env model.Env, _ any) {
	to := c.office.clerks
	if !c.office.all {
		k := env.Choose(len(to))
		to = to[k : k+1]
	}
	c.Wants = min(c.office.wanted, len(to))
	env.Broadcast(to, errand{c.office.hops, env.Self()})
}

func (c *customer) Receive(env model.Env, _ model.NodeID, _ any) {
	if c.Wants == 0 {
		return
	}
	if c.Wants--; c.Wants == 0 {
		env.Return(0)
	}
}

func (c *clerk) Receive(env model.Env, from model.NodeID, m any) {
	e := m.(errand)
	last := 0
	if e.Hops > 0 {
		last = 1
	}
	for range env.Choose(c.office.copies[last] + 1) {
		env.Send(c.office.archive, carbon{e.For})
	}
	if c.office.notes {
		env.Note(e.Hops)
	}
	switch {
	case last == 0:
		env.Send(e.For, thanks{})
	case c.office.back && from != e.For:
		env.Send(from, errand{e.Hops - 1, e.For})
	default:
		env.Send(c.next(env.Self()), errand{e.Hops - 1, e.For})
	}
}

// next returns the next clerk.
func (c *clerk) next(id model.NodeID) model.NodeID {
	first, n := c.office.clerks[0], model.NodeID(len(c.office.clerks))
	return first + (id-first+1)%n
}

func (a *archive) Receive(env model.Env, _ model.NodeID, _ any) {
	if a.office.reads && !a.Read {
		a.Read = true
		env.Note(0)
	}
}

// errands returns a system of an office. The archive is no server, so that the clerks are a symmetry group.
func errands(r *rand.Rand, reading model.Reading) *model.System {
	m := mixture{reading: reading, open: reading != model.Untimed && r.IntN(3) == 0}
	o := &office{
		copies: [2]int{r.IntN(3), r.IntN(2)}, hops: r.IntN(3), back: r.IntN(2) == 0, wanted: 1 + r.IntN(2), notes: r.IntN(3) == 0,
		reads: r.IntN(3) == 0, all: r.IntN(4) == 0,
	}
	s := &model.System{
		Network:  model.Network{Channel: model.Channel(r.IntN(3)), Delay: m.window(r)},
		Returned: one(r, model.Window{}, m.window(r)),
		Types:    []any{errand{}, carbon{}, thanks{}, call{}},
	}
	for range 1 + r.IntN(3)/2 {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: string(rune('a' + len(s.Nodes))), New: func() model.Node { return &customer{office: o} },
			Script: []model.Op{{Call: call{}, AtBoot: true}},
		})
	}
	if len(s.Nodes) == 1 && r.IntN(2) == 0 {
		s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: call{}, After: m.window(r)})
	}
	for i := range 1 + r.IntN(2) {
		o.clerks = append(o.clerks, model.NodeID(len(s.Nodes)))
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: string(rune('k' + i)), Role: model.Server, New: func() model.Node { return &clerk{office: o} }})
	}
	o.archive = model.NodeID(len(s.Nodes))
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "z", Role: model.Peer, New: func() model.Node { return &archive{office: o} }})
	return s
}
