package search

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// A mixer is one of several servers, or clients, that are alike: what it does is a
// random table, and it names others only as the servers, as whom it hears from, or as
// whom it was told of. So the states of several may name each other, even in a circle.
type mixer struct {
	plan    *plan
	Phase   int
	Friends []model.NodeID // the last it took for a friend, and one before it
	Waits   bool           // an operation of its application runs
	Sent    int
}

// A plan is the tables.
type plan struct {
	servers []model.NodeID
	most    [2]int // that a mixer sends, by role
	prompt  bool   // a client returns at once, not on what it receives next
	hello   bool   // a server greets the others at the start
	next    [2][3][triggers]turn
}

// What a mixer reacts to: a word that names nobody, or somebody; its alarm; an
// invocation.
const (
	nameless = iota
	naming
	ringing
	invoking
	triggers
)

// A turn is what a mixer does.
type turn struct {
	grows    bool // goes on to the next phase
	befriend int  // nobody, who speaks, who is named; 3: forgets its friends
	to       int  // sends to nobody, who speaks, its friend, one server, all servers
	of       int  // and names nobody, itself, who speaks, its friend, one server
	arms     int  // its alarm for anywhere in the next tick, or for its end
	holds    bool
	asks     bool // whether it holds, and if so does nothing
	notes    int  // nothing, its phase, its friends
}

type (
	word struct{ Of []model.NodeID }
	bell struct{}
	bond struct{ Friends []model.NodeID }
)

func (m *mixer) Start(env model.Env) {
	if m.plan.hello && m.role(env) == 1 {
		env.Broadcast(m.plan.servers, word{})
	}
}

func (m *mixer) Invoke(env model.Env, op any) {
	m.turn(env, invoking, env.Self(), nil)
	if op == (call{}) {
		if m.Waits = true; m.plan.prompt {
			m.done(env)
		}
	}
}

func (m *mixer) Timeout(env model.Env, _ any) { m.turn(env, ringing, env.Self(), nil) }

func (m *mixer) Receive(env model.Env, from model.NodeID, x any) {
	of := x.(word).Of
	trigger := nameless
	if len(of) > 0 {
		trigger = naming
	}
	m.turn(env, trigger, from, of)
	m.done(env)
}

// done ends the operation that runs, if there is one.
func (m *mixer) done(env model.Env) {
	if m.Waits {
		m.Waits = false
		env.Return(bond{m.Friends})
	}
}

// role is 0 for a client and 1 for a server.
func (m *mixer) role(env model.Env) int {
	for _, s := range m.plan.servers {
		if s == env.Self() {
			return 1
		}
	}
	return 0
}

func (m *mixer) turn(env model.Env, trigger int, from model.NodeID, of []model.NodeID) {
	do := m.plan.next[m.role(env)][m.Phase][trigger]
	if do.asks && env.Held(bell{}) {
		return
	}
	if do.grows {
		m.Phase++
	}
	switch {
	case do.befriend == 1:
		m.befriend(from)
	case do.befriend == 2 && len(of) > 0:
		m.befriend(of[0])
	case do.befriend == 3:
		m.Friends = nil
	}
	m.send(env, do, from)
	if do.arms > 0 {
		env.After(bell{}, model.Between(model.Ticks(do.arms-1), 1))
	}
	if do.holds {
		env.Hold(bell{}, model.Through(1))
	}
	switch do.notes {
	case 1:
		env.Note(m.Phase)
	case 2:
		env.Note(bond{m.Friends})
	}
}

func (m *mixer) befriend(who model.NodeID) {
	m.Friends = append(m.Friends, who)
	if len(m.Friends) > 2 {
		m.Friends = m.Friends[1:]
	}
}

func (m *mixer) send(env model.Env, do turn, from model.NodeID) {
	if m.Sent >= m.plan.most[m.role(env)] {
		return
	}
	var to []model.NodeID
	switch n := len(m.Friends); {
	case do.to == 1:
		to = []model.NodeID{from}
	case do.to == 2 && n > 0:
		to = m.Friends[n-1:]
	case do.to == 3:
		to = []model.NodeID{m.one(env)}
	case do.to == 4:
		to = m.plan.servers
	}
	if len(to) == 0 {
		return
	}
	m.Sent++
	w := word{}
	switch n := len(m.Friends); {
	case do.of == 1:
		w.Of = []model.NodeID{env.Self()}
	case do.of == 2:
		w.Of = []model.NodeID{from}
	case do.of == 3 && n > 0:
		w.Of = []model.NodeID{m.Friends[n-1]}
	case do.of == 4:
		w.Of = []model.NodeID{m.one(env)}
	}
	env.Broadcast(to, w)
}

// one is a server of the adversary's choice.
func (m *mixer) one(env model.Env) model.NodeID {
	return m.plan.servers[env.Choose(len(m.plan.servers))]
}

type call struct{}

// alike makes a random system of interchangeable servers and interchangeable clients.
func alike(r *rand.Rand) *model.System {
	p := &plan{prompt: r.IntN(2) == 0, hello: r.IntN(4) == 0, most: [2]int{1, 1}}
	if r.IntN(2) == 0 {
		p.most[r.IntN(2)] = 2
	}
	for role := range p.next {
		for phase := range p.next[role] {
			for trigger := range p.next[role][phase] {
				p.next[role][phase][trigger] = draw(r, role, phase, trigger)
			}
		}
	}
	servers, clients := 2+r.IntN(2), 1+r.IntN(2)
	if servers == 2 {
		clients += r.IntN(2)
	}
	s := &model.System{
		Network: model.Network{Channel: model.Channel(r.IntN(3)), Delay: model.Between(0, model.Ticks(r.IntN(2)))},
		Faults:  [...]model.Faults{{}, {}, {Loss: 1}, {Duplication: 1}, {Crashes: 1}, {Restarts: 1}}[r.IntN(6)],
		Types:   []any{word{}, bell{}, bond{}, call{}, release{}},
	}
	if r.IntN(3) == 0 {
		s.Cuts = []model.Cut{{Name: "old", Beyond: func(n model.Node) bool { return n.(*mixer).Phase > 1 }}}
	}
	op := model.Op{Call: call{}, After: model.Between(0, model.Ticks(r.IntN(2)))}
	if r.IntN(3) == 0 {
		op.Release = release{}
	}
	add := func(name string, n int, role model.Role, script ...model.Op) {
		for i := range n {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint(name, i+1), Role: role, Script: script, New: func() model.Node { return &mixer{plan: p} }})
		}
	}
	first := r.IntN(2) == 0 // clients may come before servers
	if first {
		add("c", clients, model.Client, op)
	}
	for i := range servers {
		p.servers = append(p.servers, model.NodeID(len(s.Nodes)+i))
	}
	add("s", servers, model.Server)
	if !first {
		add("c", clients, model.Client, op)
	}
	return s
}

// draw draws a turn. An alarm that does something leads to the next phase, so that it
// ends.
func draw(r *rand.Rand, role, phase, trigger int) turn {
	d := turn{
		grows: phase < 2 && (trigger == ringing || r.IntN(3) == 0), befriend: r.IntN(4), to: r.IntN(5), of: r.IntN(5),
		arms: max(0, r.IntN(8)-5), holds: r.IntN(6) == 0, asks: r.IntN(6) == 0, notes: max(0, r.IntN(6)-3),
	}
	if phase == 2 {
		d.arms = 0
	}
	if role == 0 && trigger == invoking && d.to == 0 {
		d.to = 3 + r.IntN(2)
	}
	return d
}

// A gossip is a monitor that remembers who was named last by whom, and is broken by the
// third note; it sets alarms and holds of its own, and may have to branch.
type gossip struct {
	Of    map[model.NodeID][]model.NodeID
	Notes int
	Late  bool
}

func (g *gossip) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted {
		return
	}
	w.Witness()
	if b, ok := o.Value.(bond); ok {
		g.Of[o.Node] = b.Friends
	}
	if g.Notes = min(g.Notes+1, 3); g.Notes == 3 {
		w.Violate("%v is noted", o.Value)
	}
	if g.Notes == 2 && w.Held("bell") {
		g.Late = true
	}
	w.Hold("bell", model.Through(1))
	w.After("bell", model.Between(0, 1))
}

func (g *gossip) Expire(w model.Watch, _ any) { g.Late = false }

// gossiping cannot be refuted as a whole, so that each search is of everything.
var gossiping = []model.Claim{
	{Name: "gossip", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &gossip{} }},
	{Name: "stops", Kind: model.Always, Done: true},
	tells("1 is told", model.Sometimes, 1),
	tells("2 is told", model.Sometimes, 2),
	never(0),
}
