package membership

import (
	"contend/examples/memberlist/inert"
	"contend/model"
)

// A member is a process with a list of members. A node runs one process at a time.
type member struct {
	cfg   *Config
	self  model.NodeID
	heard string // in the handler that runs

	List *inert.List
	Port int // where it is reached
	Life int // its place among the processes of its node
	// Joins means that the process has not joined yet and knows nobody. Off means that it does not run yet.
	// Leaves means that it has left, or is about to leave.
	Joins, Off, Leaves bool
	LeavesIn           int                   // the incarnation that a torn Leave has read
	Asks               map[model.NodeID]bool // nodes that have not answered yet, in exchanges of lists that this process began
	Timed              map[model.NodeID]bool // the suspicion of it has an alarm
	Down               map[model.NodeID]bool // all probes of it fail
	Again              map[model.NodeID]bool // there is an alarm for the next one
}

func newMember(cfg *Config, self model.NodeID, life, port int) *member {
	return &member{
		cfg: cfg, self: self, Life: life, Port: port, List: inert.New(name(self), port, cfg.Options),
		Asks: map[model.NodeID]bool{}, Timed: map[model.NodeID]bool{}, Down: map[model.NodeID]bool{},
		Again: map[model.NodeID]bool{},
	}
}

// formed makes a member of a group in which all know each other.
func formed(cfg *Config, self model.NodeID) *member {
	m := newMember(cfg, self, 0, port(self))
	for _, id := range m.others() {
		m.List.Answer(cfg.hello()[id])
	}
	m.List.Forget()
	return m
}

// next returns the process that replaces this process. It inherits nothing.
func (m *member) next(port int) *member {
	n := newMember(m.cfg, m.self, m.Life+1, port)
	n.Joins = true
	return n
}

// Start makes a new process join the group.
func (m *member) Start(env model.Env) {
	defer m.during(env)()
	m.join(env)
	m.pause(env)
}

// pause sets the alarm of the next exchange of lists.
func (m *member) pause(env model.Env) {
	if m.cfg.Syncs {
		env.After(Pause{}, model.Anytime())
	}
}

func (m *member) join(env model.Env) {
	if m.Joins {
		m.Joins = false
		for _, to := range m.cfg.Seeds(env, m.others()) {
			m.ask(env, to, true)
		}
	}
}

// Invoke handles an event of a process: a call, or an external event.
func (m *member) Invoke(env model.Env, op any) {
	defer m.during(env)()
	defer env.Return(nil)
	switch op := op.(type) {
	case Probe:
		if of, any := m.pick(env, alive, suspect); any {
			m.fail(env, of)
		}
	case Sync:
		m.sync(env)
	case Leave:
		m.Leaves = true
		env.Note(Left{})
		m.cfg.Leave(m, env)
	case End:
		m.unset(env)
		*m = *m.next(m.Port)
		m.Off = true
		env.Note(Ended{})
	case Reboot:
		if !m.Off {
			m.unset(env)
			*m = *m.next(m.Port + op.Moves)
		}
		m.Off = false
		env.Note(Rebooted{})
		m.join(env)
		m.pause(env)
	case Reap:
		m.List.Reap()
	}
}

// unset cancels the alarms of a process that ends.
func (m *member) unset(env model.Env) {
	for _, id := range m.others() {
		for _, key := range []any{Suspicion{id}, Late{id}, Again{id}} {
			env.Cancel(key)
		}
	}
	env.Cancel(Pause{})
	env.Cancel(Leaving{})
}

// Receive handles a gossip message, or one side of an exchange of lists.
func (m *member) Receive(env model.Env, from model.NodeID, message any) {
	if m.Off {
		return
	}
	defer m.during(env)()
	switch message := message.(type) {
	case Alive:
		m.hear(env, packet(message))
	case AliveToNew:
		m.hear(env, packet(message))
	case Suspect:
		m.hear(env, packet(message))
	case SuspectToNew:
		m.hear(env, packet(message))
	case Dead:
		m.hear(env, packet(message))
	case DeadToNew:
		m.hear(env, packet(message))
	case Ask:
		if message.Port == m.Port {
			defer m.noteNews(env, inert.Exchanged(message.Text))()
			env.Send(from, Answer{Port: message.From, Life: message.Life, Join: message.Join, Text: m.List.Answer(message.Text)})
		}
	case Answer:
		if message.Life == m.Life && m.Asks[from] && !m.cfg.Deaf {
			defer m.noteNews(env, inert.Exchanged(message.Text))()
			delete(m.Asks, from)
			m.List.Hear(name(from), message.Port, message.Join, message.Text)
		}
	}
}

// hear handles a gossip message, unless its address is not an address of the process.
func (m *member) hear(env model.Env, p packet) {
	if p.Port == m.Port {
		defer m.noteNews(env, inert.Said(p.Text))()
		m.heard = p.Text
		m.List.Receive(p.Text)
	}
}

// Timeout handles the end of a suspicion, of a pause between two probes, or of a pause between the halves of
// a torn operation.
func (m *member) Timeout(env model.Env, key any) {
	defer m.during(env)()
	switch key := key.(type) {
	case Suspicion:
		delete(m.Timed, key.Of)
		m.List.Expire(name(key.Of))
	case Late:
		was := m.sees(key.Of)
		m.List.ExpireLate(name(key.Of))
		env.Note(Over{Of: key.Of, From: was, To: m.sees(key.Of)})
	case Again:
		delete(m.Again, key.Of)
		m.fail(env, key.Of)
	case Pause:
		m.sync(env)
		m.pause(env)
	case Leaving:
		m.List.LeaveAs(m.LeavesIn)
	}
}

// Suspect reports that a node is down: all probes of this node fail until Trust.
func (m *member) Suspect(env model.Env, of model.NodeID) {
	defer m.during(env)()
	m.Down[of] = true
}

// Trust reports that a node is up again.
func (m *member) Trust(env model.Env, of model.NodeID) {
	defer m.during(env)()
	delete(m.Down, of)
}
