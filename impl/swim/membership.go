package swim

import "contend/model"

// A State is the state of a member in a membership list.
type State int

// The states.
const (
	Alive State = iota
	Suspected
	Failed // "confirmed"
)

func (s State) String() string { return [...]string{"alive", "suspected", "failed"}[s] }

// An Entry is an entry of a membership list, and news of a member. A member without an entry is alive in incarnation 0.
type Entry struct {
	State       State
	Incarnation int
}

// suspicion is the alarm that declares a suspected member as failed.
type suspicion struct{ Of model.NodeID }

// learn adopts news of other members, and refutes a suspicion of the member itself.
func (m *Member) learn(env model.Env, news map[model.NodeID]Entry) {
	for id := range model.NodeID(m.cfg.N) {
		e, said := news[id]
		switch {
		case !said:
		case id == env.Self():
			m.refute(env, e)
		case m.cfg.Rules.Overrides(e, m.Members[id]):
			m.set(env, id, e)
		}
	}
}

// refute answers a suspicion of the current incarnation with the next incarnation.
func (m *Member) refute(env model.Env, e Entry) {
	if n := m.cfg.Rules.Refutes(e, m.Incarnation); n != m.Incarnation {
		m.Incarnation = n
		env.Note(Reborn{n})
	}
	if e.State == Suspected {
		env.Note(Accused{e.Incarnation})
	}
}

// set changes an entry. It starts or cancels the alarm of a suspicion.
func (m *Member) set(env model.Env, id model.NodeID, e Entry) {
	if e == m.Members[id] {
		return
	}
	m.Members[id] = e
	env.Note(Listed{id, e})
	env.Cancel(suspicion{id})
	switch e.State {
	case Suspected:
		env.After(suspicion{id}, model.Exactly(m.cfg.Suspicion))
	case Failed:
		delete(m.Unasked, id)
	}
}

// suspect lists an alive member as suspected.
func (m *Member) suspect(env model.Env, id model.NodeID) {
	if e := m.Members[id]; e.State == Alive {
		m.set(env, id, Entry{Suspected, e.Incarnation})
	}
}

// confirm declares a suspected member as failed.
func (m *Member) confirm(env model.Env, id model.NodeID) {
	m.set(env, id, Entry{Failed, m.Members[id].Incarnation})
}
