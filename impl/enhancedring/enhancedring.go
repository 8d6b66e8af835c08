package enhancedring

import (
	"cmp"
	"slices"

	"contend/impl/election"
	"contend/model"
)

// Config is the configuration that the processes of a system share.
type Config struct {
	// All is the number of processes, whether up or not.
	All model.NodeID
	// Patience is the time that a process waits for a response before it polls the next successor.
	Patience model.Ticks
}

// The messages carry lists of IDs.
type (
	Election    struct{ List []model.NodeID }
	Coordinator struct {
		ID   model.NodeID
		List []model.NodeID
	}
	// Message contains an Election or a Coordinator message, with a number by which its sender distinguishes
	// responses.
	Message struct {
		Number int
		Body   any
	}
	// Response confirms to the sender of a message that it has arrived.
	Response struct{ Number int }
)

// Ring notes a process's view of "who the members of the new ring are", for monitors.
type Ring struct{ Members []model.NodeID }

// Handed is a message that was sent and is not responded to yet. It is the key of the alarm too.
type Handed struct {
	To      model.NodeID
	Message Message
}

// A Process is a process of the ring.
type Process struct {
	cfg       *Config
	Initiated bool                  // an election that has not ended, as far as it knows
	Asked     bool                  // its application waits for the coordinator
	Leader    model.NodeID          // the process that it considers the coordinator, up or not
	Silent    map[model.NodeID]bool // processes that do not respond, by the failure detector
	Handed    []Handed
	Booted    bool `contend:"stable"`
}

// Start makes a process that "has just recovered from failure" "initiate an election".
func (p *Process) Start(env model.Env) {
	if p.Booted {
		p.initiate(env)
	}
	p.Booted = true
}

// Invoke handles the application's request: it "notes that coordinator is not responding".
func (p *Process) Invoke(env model.Env, _ any) {
	p.Asked = true
	p.initiate(env)
}

// Suspect makes P note "that coordinator is not responding" from a failure detector.
func (p *Process) Suspect(env model.Env, node model.NodeID) {
	p.Silent[node] = true
	p.heed(env)
}

// Trust handles a report that a process is up again, or after all.
func (p *Process) Trust(_ model.Env, node model.NodeID) { delete(p.Silent, node) }

func (p *Process) heed(env model.Env) {
	if p.Silent[p.Leader] {
		p.initiate(env)
	}
}

func (p *Process) initiate(env model.Env) {
	if p.Initiated {
		return // "it can only initiate one at a time"
	}
	p.Initiated = true
	env.Note(election.Begun{})
	p.elect(env, nil) // "a) P sends an Election message (with its process ID)"
}

// elect sends an Election message on.
func (p *Process) elect(env model.Env, list []model.NodeID) {
	env.Note(election.Undecided{})
	p.send(env, Election{with(list, env.Self())}) // "b) … each process adds its ID to the list in the message"
}

// with returns the list with an additional ID.
func with(list []model.NodeID, id model.NodeID) []model.NodeID { return append(slices.Clone(list), id) }

// send sends "to its closest alive successor".
func (p *Process) send(env model.Env, m any) { p.poll(env, p.successor(env.Self()), m) }

// successor returns the next process of the ring. "Each process must know all nodes in the ring", to go on to the successor of a
// successor.
func (p *Process) successor(id model.NodeID) model.NodeID { return (id + 1) % p.cfg.All }

// poll implements "Sequentially poll successors until one responds": it polls the first successor, or the
// next.
func (p *Process) poll(env model.Env, to model.NodeID, m any) {
	h := Handed{to, Message{p.number(to), m}}
	env.Send(to, h.Message)
	p.Handed = append(slices.Clone(p.Handed), h)
	slices.SortFunc(p.Handed, Handed.compare)
	env.After(h, model.Exactly(p.cfg.Patience))
}

// number returns the least number that no unanswered message to a process has.
func (p *Process) number(to model.NodeID) (n int) {
	for slices.ContainsFunc(p.Handed, func(h Handed) bool { return h.To == to && h.Message.Number == n }) {
		n++
	}
	return n
}

// compare orders messages by receiver and number: in which order they were sent does not matter.
func (h Handed) compare(other Handed) int {
	return cmp.Or(cmp.Compare(h.To, other.To), cmp.Compare(h.Message.Number, other.Message.Number))
}

// Timeout continues with the next successor.
func (p *Process) Timeout(env model.Env, key any) { p.silent(env, key.(Handed)) }

func (p *Process) silent(env model.Env, h Handed) {
	p.drop(env, h.To, h.Message.Number)
	p.poll(env, p.successor(h.To), h.Message.Body)
}

// drop forgets a message that was handed on, and returns it.
func (p *Process) drop(env model.Env, to model.NodeID, number int) (h Handed, ok bool) {
	i := slices.IndexFunc(p.Handed, func(h Handed) bool { return h.To == to && h.Message.Number == number })
	if i < 0 {
		return h, false // passed over already
	}
	h = p.Handed[i]
	env.Cancel(h)
	p.Handed = slices.Concat(p.Handed[:i], p.Handed[i+1:])
	return h, true
}

// Receive handles a message, and responds to it.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Response:
		p.drop(env, from, m.Number)
	case Message:
		env.Send(from, Response{m.Number})
		p.take(env, m.Body)
	}
}

func (p *Process) take(env model.Env, m any) {
	switch m := m.(type) {
	case Election:
		p.received(env, m.List)
	case Coordinator:
		p.coordinated(env, m)
	}
}

func (p *Process) received(env model.Env, list []model.NodeID) {
	if !slices.Contains(list, env.Self()) {
		p.elect(env, list)
		return
	}
	// "c) When the message gets back to the initiator (i.e. the first process that detects its ID in the message), it
	id := slices.Max(list) // elects as coordinator the process with the highest ID
	p.decide(env, id)
	p.send(env, Coordinator{id, with(nil, env.Self())}) // and sends a Coordinator message with this ID"
}

func (p *Process) coordinated(env model.Env, m Coordinator) {
	if slices.Contains(m.List, env.Self()) {
		p.back(env, m) // "e) Once Coordinator message gets back to initiator …"
		return
	}
	p.decide(env, m.ID)
	list := with(m.List, env.Self()) // "d) Again, each process adds its ID to the message"
	env.Note(Ring{list})
	p.send(env, Coordinator{m.ID, list})
}

func (p *Process) back(env model.Env, m Coordinator) {
	p.Initiated = false
	if !slices.Contains(m.List, m.ID) {
		p.initiate(env) // "Otherwise, the election is re-initiated"
		return
	}
	env.Note(election.Over{}) // "If elected process is in the ID list, election is over
	env.Note(Ring{m.List})    // Everyone knows … who the members of the new ring are"
	p.answer(env)
	p.heed(env)
}

// decide decides on a process as the coordinator, and notes it if that process does not respond.
func (p *Process) decide(env model.Env, id model.NodeID) {
	p.Leader = id
	env.Note(election.Decided{Coordinator: id})
	p.answer(env)
	p.heed(env)
}

func (p *Process) answer(env model.Env) {
	if p.Asked {
		p.Asked = false
		env.Return(p.Leader)
	}
}
