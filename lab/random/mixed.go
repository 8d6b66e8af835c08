package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// A Case is a small system with claims and an interpretation of time.
type Case struct {
	System  *model.System
	Claims  []model.Claim
	Reading model.Reading
	Costs   []*model.Cost // measured in addition
	Fails   bool          // a handler or a monitor may fail
}

// String describes a case in one line.
func (c Case) String() string {
	text := fmt.Sprintf("%v, %v, %d nodes, faults %+v", c.Reading, c.System.Network.Channel, len(c.System.Nodes), c.System.Faults)
	for _, x := range []struct {
		has  bool
		what string
	}{
		{c.System.Network.Messages != nil, "windows by message"}, {len(c.System.Cuts) > 0, "a cut"},
		{c.System.Detector.Kind != model.NoDetector, c.System.Detector.Kind.String() + " detector"}, {c.System.Forge != nil, "a liar"}, {len(c.System.AtBoot()) > 0, "begins at boot"},
	} {
		if x.has {
			text += ", " + x.what
		}
	}
	for _, n := range c.System.Nodes {
		if n.Crash != model.ByRole {
			text += fmt.Sprintf(", %s %v", n.Name, n.Crash)
		}
	}
	return text
}

// Draw returns the case of a seed, with any interpretation of time, channel, faults and claims. Of four
// consecutive seeds, two have tame and two have wild cases.
func Draw(seed uint64) Case {
	if seed%4 >= 2 {
		return wild(seed)
	}
	return Tame(seed)
}

// Tame returns a case with at most one fault of a kind, in which no handler fails.
func Tame(seed uint64) Case {
	r := rand.New(rand.NewPCG(seed, 11))
	c := Case{Reading: model.Reading(r.IntN(3))}
	switch source := r.IntN(8); {
	case source == 0 && c.Reading == model.Untimed:
		c.System = System(r, true)
	case source <= 2 && c.Reading != model.Dense:
		c.System = Refusals(r)
	default:
		m := mixture{reading: c.Reading, open: c.Reading != model.Untimed && r.IntN(2) == 0, loops: r.IntN(3) == 0}
		m.holds = r.IntN(3) == 0 && (m.open || c.Reading == model.Untimed)
		m.coins = c.Reading == model.Grid && r.IntN(2) == 0
		c.System = m.system(r)
	}
	c.System.Faults = faults(r, c.Reading, c.System)
	more := rand.New(rand.NewPCG(seed, 17))
	switch n := c.System.Nodes[0].New().(type) {
	case *ticker:
		detected(more, c.System)
	case *asker:
		n.rules.writes = more.IntN(2) == 0
		crashing(more, c)
		detected(more, c.System)
	}
	c.Claims = claims(r, c.Reading)
	return c
}

// faults draws a budget. Dense time has no duplication and no restarts.
func faults(r *rand.Rand, reading model.Reading, s *model.System) model.Faults {
	f := model.Faults{}
	for _, one := range []struct {
		count *int
		in    int
	}{{&f.Loss, 4}, {&f.Crashes, 8}, {&f.Duplication, 6}, {&f.Restarts, 2}} {
		if r.IntN(one.in) == 0 {
			*one.count = 1
		}
	}
	if reading == model.Dense {
		f.Duplication, f.Restarts = 0, 0
	}
	return striking(s, f)
}

// A mixture is a distribution of systems of tickers.
type mixture struct {
	reading            model.Reading
	open, holds, loops bool
	coins              bool
}

// window draws a small window, often open between two ticks or a single instant.
func (m mixture) window(r *rand.Rand) model.Window {
	lo := model.Ticks(r.IntN(2))
	hi := lo + model.Ticks(r.IntN(3)/2)
	w := model.Between(lo, hi)
	switch {
	case r.IntN(10) == 0:
		w.Hi = model.Bound{At: model.Forever, Open: true}
	case m.open && r.IntN(3) == 0:
		w = model.Window{Lo: model.Below(0), Hi: model.Below(1)}
	case m.open && lo < hi:
		w.Lo.Open, w.Hi.Open = r.IntN(3) == 0, r.IntN(3) == 0
	}
	return w
}

// alarm draws the window of an alarm, sometimes a coin.
func (m mixture) alarm(r *rand.Rand) model.Window {
	w := m.window(r)
	if m.coins && r.IntN(2) == 0 && w.Hi.At != model.Forever && !w.Lo.Open && !w.Hi.Open {
		w.Coin = true
	}
	return w
}

// system returns a system of tickers with little activity.
func (m mixture) system(r *rand.Rand) *model.System {
	n := 2 + r.IntN(6)/5
	table := &ticks{most: one(r, 1, 1, 2, 2, 3), lists: r.IntN(3) == 0, waits: r.IntN(3) > 0, deaf: r.IntN(3) == 0, keeps: r.IntN(2) == 0}
	for i := range n {
		table.peers = append(table.peers, model.NodeID(i))
	}
	for s := range table.next {
		for k := range table.next[s] {
			table.next[s][k] = m.beat(r, s, k, n)
		}
	}
	s := &model.System{
		Network:  model.Network{Channel: model.Channel(r.IntN(3)), Delay: m.window(r)},
		Returned: one(r, model.Window{}, m.window(r)),
		Types:    []any{ping{}, ring{}, mine{}, call{}, leave{}, list{}},
	}
	if r.IntN(3) == 0 {
		windows := [2]model.Window{m.window(r), m.window(r)}
		if r.IntN(3) == 0 { // a slow ignored message precedes an effective one
			s.Network.Channel, table.deaf, windows = model.FIFO, true, [2]model.Window{model.Between(0, 2), model.Between(1, 2)}
		}
		s.Network.Messages = func(_, _ model.NodeID, x any) model.Window { return windows[x.(ping).K%2] }
	}
	table.endless = m.loops && s.Network.Channel == model.Set && r.IntN(2) == 0
	if r.IntN(5) == 0 {
		s.Cuts = []model.Cut{cut(r)}
	}
	for i := range n {
		s.Nodes = append(s.Nodes, m.node(r, table, i, n))
	}
	if r.IntN(10) == 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = forgePing
	}
	return s
}

// forgePing returns a ping for a ticker in state 1.
func forgePing(n model.Node, _, _ model.NodeID) []any {
	if n.(*ticker).State == 1 {
		return []any{ping{2}}
	}
	return nil
}

// cut draws a cut that tickers reach.
func cut(r *rand.Rand) model.Cut {
	if r.IntN(2) == 0 {
		return model.Cut{Name: "states", Beyond: func(n model.Node) bool { return n.(*ticker).State == 2 }}
	}
	return model.Cut{Name: "sends", Beyond: func(n model.Node) bool { return n.(*ticker).Sent == 2 }}
}

// node draws a ticker and its application. The first ticker has an application, the last is a server.
func (m mixture) node(r *rand.Rand, table *ticks, i, n int) model.NodeSpec {
	spec := model.NodeSpec{Name: fmt.Sprint("t", i), Role: model.Peer, New: func() model.Node { return &ticker{table: table} }, Crash: crashModel(r)}
	if i == n-1 {
		spec.Role = model.Server
		return spec
	}
	if i > 0 && r.IntN(3) > 0 {
		return spec
	}
	for range 1 + r.IntN(5)/4 {
		op := model.Op{Call: call{}, After: m.window(r)}
		if r.IntN(3) == 0 {
			op.Release, op.Stay = leave{}, m.alarm(r)
		}
		spec.Script = append(spec.Script, op)
	}
	if r.IntN(5) == 0 {
		spec.Script[0].AtBoot, spec.Script[0].After = true, model.Window{}
	}
	return spec
}

// beat draws a handler's reaction. Without loops, an alarm that sets an alarm increases the state.
func (m mixture) beat(r *rand.Rand, state, trigger, n int) beat {
	b := beat{
		state: min(2, state+r.IntN(2)), send: max(-1, r.IntN(4)-2), to: one(r, r.IntN(n), n-1), twice: r.IntN(3) == 0, other: r.IntN(2) == 0,
		arm: max(-1, r.IntN(6)-4), after: m.alarm(r), cancel: max(-1, r.IntN(10)-8), hold: -1, ask: -1,
		choose: r.IntN(8) == 0, note: r.IntN(2) == 0,
		draw: m.coins && r.IntN(5) == 0, finish: r.IntN(3) == 0,
	}
	if m.holds {
		b.hold, b.ask = max(-1, r.IntN(4)-2), max(-1, r.IntN(4)-2)
		b.length = model.Bound{At: model.Ticks(r.IntN(2)), Open: r.IntN(2) == 0}
	}
	rings := trigger == onAlarm || trigger == onAlarm+1
	switch {
	case m.loops && r.IntN(2) == 0:
		b.state, b.both = r.IntN(3), r.IntN(2) == 0
		b.arm = max(b.arm, r.IntN(4)-2)
	case !m.loops && rings && b.arm >= 0:
		if b.state = min(2, state+1); state == 2 {
			b.arm = -1
		}
	}
	return b
}
