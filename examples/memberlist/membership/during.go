package membership

import (
	"fmt"
	"slices"

	"contend/examples/memberlist/inert"
	"contend/model"

	"github.com/hashicorp/memberlist"
)

// A View has a process's entries for all nodes, including itself.
type View struct{ Of map[model.NodeID]Sight }

func view(m *member) View {
	v := View{Of: map[model.NodeID]Sight{}}
	if m.Off {
		return v
	}
	for _, s := range m.List.Sees() {
		v.Of[node(s.Name)] = Sight{State: state(s.State), Incarnation: s.Incarnation, Port: s.Port}
	}
	return v
}

// during prepares for a handler of the library. The returned function sends the library's messages, sets
// alarms for the timers that it has started, and notifies monitors of changes of the list.
func (m *member) during(env model.Env) (done func()) {
	before, life := view(m).Of, m.Life
	return func() {
		if m.Life != life {
			before = nil
		}
		for _, p := range m.List.Gossip() {
			if !m.cfg.Direct || p.Text != m.heard {
				to := model.NodeID(p.To%moved - 1)
				env.Send(to, packed(p, m.cfg.Forgets[to]))
			}
		}
		m.heard = ""
		m.alarms(env)
		now := view(m).Of
		for id := range model.NodeID(m.cfg.N) {
			if now[id] != before[id] {
				env.Note(Changed{Of: id, From: before[id], To: now[id]})
			}
		}
	}
}

// alarms sets the alarms that are due, and cancels the alarms that would have no effect.
func (m *member) alarms(env model.Env) {
	suspected := map[model.NodeID]bool{}
	for _, s := range m.List.Suspects() {
		suspected[node(s)] = true
	}
	for _, id := range m.others() {
		switch {
		case suspected[id] && !m.Timed[id]:
			m.Timed[id] = true
			env.After(Suspicion{id}, model.Anytime())
		case !suspected[id] && m.Timed[id]:
			delete(m.Timed, id)
			env.Cancel(Suspicion{id})
		}
		m.late(env, id)
		switch again := m.Down[id] && m.sees(id).State == alive; {
		case again && !m.Again[id]:
			m.Again[id] = true
			env.After(Again{id}, model.Anytime())
		case !again && m.Again[id]:
			delete(m.Again, id)
			env.Cancel(Again{id})
		}
	}
}

// late sets an alarm for a timer whose suspicion is over, or forgets that it will go off.
func (m *member) late(env model.Env, of model.NodeID) {
	for n := name(of); len(m.List.Late[n]) > 0; m.List.Drop(n) {
		if m.cfg.Late {
			env.After(Late{of}, model.Anytime())
			return
		}
	}
}

// noteNews returns a function to call after the process has handled news. It notes news of its own death, and
// news of deaths that its list does not have.
func (m *member) noteNews(env model.Env, news []inert.News) (done func()) {
	was, leaves := view(m).Of, m.Leaves
	return func() {
		for _, n := range news {
			switch of := node(n.Name); {
			case n.State == memberlist.StateAlive:
			case of == m.self && n.Incarnation >= was[of].Incarnation && !leaves:
				env.Note(Accused{Incarnation: n.Incarnation, Now: m.sees(m.self).Incarnation})
			case of == m.self || n.State == memberlist.StateSuspect || was[of].State == unknown:
			case n.Incarnation > m.sees(of).Incarnation:
				env.Note(Told{Of: of, Incarnation: n.Incarnation})
			}
		}
	}
}

// fail handles a probe that fails. The library probes nodes that it considers alive or suspect.
func (m *member) fail(env model.Env, of model.NodeID) {
	env.Note(Failed{of})
	m.List.Fail(name(of))
}

// ask begins an exchange of lists.
func (m *member) ask(env model.Env, to model.NodeID, join bool) {
	m.Asks[to] = true
	at := port(to)
	if s := m.sees(to); s.State != unknown {
		at = s.Port
	}
	env.Send(to, Ask{Port: at, From: m.Port, Life: m.Life, Join: join, Text: m.List.Ask(name(to), at, join)})
}

// sync begins one with a node that the checker picks, unless one is under way.
func (m *member) sync(env model.Env) {
	if to, any := m.pick(env, alive); any && len(m.Asks) == 0 {
		m.ask(env, to, false)
	}
}

// pick makes the checker pick another node in one of these states, if there is any.
func (m *member) pick(env model.Env, in ...State) (of model.NodeID, any bool) {
	those := slices.DeleteFunc(m.others(), func(id model.NodeID) bool { return !slices.Contains(in, m.sees(id).State) })
	if len(those) == 0 {
		return 0, false
	}
	return those[env.Choose(len(those))], true
}

// sees returns the process's entry for a node.
func (m *member) sees(id model.NodeID) Sight { return view(m).Of[id] }

func (m *member) others() []model.NodeID {
	var all []model.NodeID
	for id := range model.NodeID(m.cfg.N) {
		if id != m.self {
			all = append(all, id)
		}
	}
	return all
}

func name(id model.NodeID) string { return fmt.Sprintf("p%d", id+1) }

func node(name string) (id model.NodeID) {
	_, err := fmt.Sscanf(name, "p%d", &id)
	model.Assert(err == nil, "a node has the name %s", name)
	return id - 1
}

// port returns the first port of a node.
func port(id model.NodeID) int { return int(id) + 1 }
