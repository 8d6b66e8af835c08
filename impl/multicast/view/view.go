package view

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
)

// Config is the configuration that the nodes of a system share.
type Config struct {
	Service  model.NodeID   // the membership service
	Founders []model.NodeID // the members of the first view
	spec     Definitions
}

// Join and Leave are an application's operations, and its process's requests to the membership service: "View
// changes when processes join/leave the group".
type (
	Join  struct{}
	Leave struct{}
)

// A View is one of the "view messages of group membership".
type View struct {
	Number  int // from 1
	Members []model.NodeID
	Leavers []model.NodeID // processes that leave by this change: the others wait for their flush, too
	Down    []model.NodeID // processes that have crashed so far, member or not
}

// Data is a multicast: "Each message is associated with a group view".
type Data struct {
	View    int // "The one the sender had when transmitting"
	Message multicast.Message
}

// Flush notifies that its sender has sent all its messages of views before View.
type Flush struct{ View int }

// What processes and the service note, for the claims.
type (
	// Installed notes that a view takes effect at the process.
	Installed struct{ View View }
	// Announced notes that the service sends a view.
	Announced struct{ View View }
	// Transmitted notes that a process sends its next message, in its current view.
	Transmitted struct{}
)

// A Service is the membership service: it "keeps all members updated on who the current members
// of the group are".
type Service struct {
	cfg  *Config
	View View
	Past []model.NodeID // processes that have left
}

// Start installs the first view. The founders know it.
func (s *Service) Start(env model.Env) { s.announce(env, s.cfg.Founders, nil) }

// Receive handles requests: "View changes when processes join/leave".
func (s *Service) Receive(env model.Env, from model.NodeID, m any) {
	is := slices.Contains(s.View.Members, from)
	was := slices.Contains(s.Past, from) || slices.Contains(s.View.Down, from)
	switch m.(type) {
	case Join:
		if !is && !was {
			s.announce(env, append(slices.Clone(s.View.Members), from), nil)
		}
	case Leave:
		if is {
			s.Past = append(s.Past, from)
			s.announce(env, without(s.View.Members, from), []model.NodeID{from})
		}
	}
}

// Suspect removes a crashed process from the group: a message is delivered "only to the current non-faulty
// members". Other processes may still wait for the flush of a process that was leaving.
func (s *Service) Suspect(env model.Env, id model.NodeID) {
	if slices.Contains(s.View.Down, id) {
		return
	}
	s.View.Down = append(s.View.Down, id)
	if slices.Contains(s.View.Members, id) || slices.Contains(s.Past, id) {
		s.announce(env, without(s.View.Members, id), nil)
	}
}

// Trust does nothing: no process restarts.
func (*Service) Trust(model.Env, model.NodeID) {}

// announce sends a view. Views "must be delivered to members in total order", here the order of their
// numbers.
func (s *Service) announce(env model.Env, members, leavers []model.NodeID) {
	s.View.Number, s.View.Members, s.View.Leavers = s.View.Number+1, members, leavers
	env.Note(Announced{s.View})
	if s.View.Number > 1 {
		env.Broadcast(append(slices.Clone(members), leavers...), s.View)
	}
}

// A Process multicasts to the members of its view.
type Process struct {
	cfg     *Config
	View    View                 // that is in effect here; number 0 before the first
	Next    []View               // announced, and not in effect yet, in order
	Flushed map[model.NodeID]int // the last view for which each process has flushed
	Log     []Unstable           // of the view in effect, delivered; and of later ones, held back
	Sent    int                  // number of its own messages
	Blocked bool                 // its own message waits for the next view
	Left    bool
	Out     []Letter // copies that have not left yet
}

// An Unstable message may have reached only some members. Stable is set when this process has sent it to all
// processes that need it.
type Unstable struct {
	Data   Data
	Stable bool
}

// Start adds the founders to the first view.
func (p *Process) Start(env model.Env) {
	if slices.Contains(p.cfg.Founders, env.Self()) {
		p.View = View{Number: 1, Members: p.cfg.Founders}
		env.Note(Installed{p.View})
	}
}

// Invoke multicasts, joins or leaves.
func (p *Process) Invoke(env model.Env, op any) {
	switch op.(type) {
	case multicast.Multicast:
		if len(p.Next) > 0 { // "Multicasts cannot pass across view changes"
			p.Blocked = true
			return
		}
		p.transmit(env)
	case Join, Leave:
		env.Send(p.cfg.Service, op)
	}
}

// transmit sends a message in the view that is in effect, and delivers it here.
func (p *Process) transmit(env model.Env) {
	p.Sent++
	d := Data{p.View.Number, multicast.Message{Sender: env.Self(), Number: p.Sent}}
	env.Note(Transmitted{})
	p.take(env, d)
	p.cfg.spec.Send(p, env, without(p.View.Members, env.Self()), d)
	env.Return(nil)
}

// Receive handles a view message, a multicast or a flush.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	if p.Left || !p.cfg.spec.Accepts(m, from, p.last().Down) {
		return // the others may not have a message that arrives too late
	}
	switch m := m.(type) {
	case View:
		p.announced(env, m)
	case Data:
		p.received(env, m)
	case Flush:
		p.Flushed[from] = max(p.Flushed[from], m.View)
		p.install(env)
	}
}

// received handles a message that is new to the process.
func (p *Process) received(env model.Env, d Data) {
	had := slices.ContainsFunc(p.Log, func(u Unstable) bool { return u.Data.Message == d.Message })
	if had || !p.cfg.spec.Keeps(d, p.first()) {
		return
	}
	p.take(env, d)
	if len(p.Next) > 0 {
		p.cfg.spec.Late(p, env) // the others have to have it as well before the next view
	}
}

// take delivers a message of the view that is in effect, and stores it or holds it back.
func (p *Process) take(env model.Env, d Data) {
	p.Log = append(p.Log, Unstable{Data: d})
	if p.cfg.spec.Deliver(d, p.View.Number) {
		env.Deliver(d.Message)
	}
}

// announced handles a view message. "All multicasts that are in transit while a view change occurs must be
// completed before the new view comes into effect": a process that has them sends them to all.
func (p *Process) announced(env model.Env, v View) {
	if v.Number <= p.last().Number {
		return // a repetition
	}
	p.Next = append(p.Next, v)
	p.prune()
	p.forward(env)
	if p.cfg.spec.Flushes() {
		p.flush(env, v)
	}
}

// flush notifies that everything has been sent. A process that leaves has finished then.
func (p *Process) flush(env model.Env, v View) {
	p.cfg.spec.Send(p, env, without(v.Members, env.Self()), Flush{v.Number})
	if slices.Contains(v.Members, env.Self()) {
		p.Flushed[env.Self()] = v.Number
		p.install(env)
		return
	}
	p.View, p.Next, p.Log, p.Left = View{}, nil, nil, true
	clear(p.Flushed)
	env.Return(nil)
}

// forward sends the unstable messages of earlier views to the members of the last announced view, "and
// subsequently marks it as being stable" (Tanenbaum).
func (p *Process) forward(env model.Env) {
	to := p.last()
	for i, u := range p.Log {
		if !u.Stable && u.Data.View < to.Number && p.cfg.spec.Forward(env.Self(), u.Data, to) {
			p.cfg.spec.Send(p, env, without(to.Members, env.Self()), u.Data)
			p.Log[i].Stable = true
		}
	}
}

// install puts a view into effect if all flushes that it waits for have arrived, and the views before it, in
// "total order".
func (p *Process) install(env model.Env) {
	ready := 0
	for i := range p.Next {
		if p.flushed(i) {
			ready = i + 1
		}
	}
	views := p.Next[:ready]
	p.Next = p.Next[ready:]
	for _, v := range p.cfg.spec.InEffect(views) {
		p.takesEffect(env, v)
	}
	if ready > 0 && len(p.Next) == 0 && p.Blocked {
		p.Blocked = false
		p.transmit(env)
	}
}

// flushed reports whether all flushes that the i-th announced view waits for have arrived: the flushes of its
// members, and of the processes that left before it.
func (p *Process) flushed(i int) bool {
	for _, id := range p.Next[i].Members {
		if p.cfg.spec.Awaits(id, p.Flushed[id], p.Next[i]) {
			return false
		}
	}
	for _, v := range p.Next[:i+1] {
		for _, id := range v.Leavers {
			if !slices.Contains(p.Next[i].Down, id) && p.cfg.spec.Awaits(id, p.Flushed[id], v) {
				return false
			}
		}
	}
	return true
}

// takesEffect installs a view: messages of earlier views are not delivered from now on.
func (p *Process) takesEffect(env model.Env, v View) {
	joins := p.View.Number == 0
	p.View = v
	env.Note(Installed{v})
	p.prune()
	if joins {
		env.Return(nil)
	}
	for _, u := range p.Log {
		if p.cfg.spec.Deliver(u.Data, v.Number) {
			env.Deliver(u.Data.Message)
		}
	}
}

// prune drops data that are not needed any more.
func (p *Process) prune() {
	in := p.first()
	p.Log = slices.DeleteFunc(p.Log, func(u Unstable) bool { return !p.cfg.spec.Keeps(u.Data, in) })
}

// first returns the number of the view in effect, or of the first view that will be in effect, if that is
// known.
func (p *Process) first() int {
	if p.View.Number == 0 && len(p.Next) > 0 {
		return p.Next[0].Number
	}
	return p.View.Number
}

// last returns the view that was announced last at this process.
func (p *Process) last() View {
	if len(p.Next) > 0 {
		return p.Next[len(p.Next)-1]
	}
	return p.View
}

func without(all []model.NodeID, id model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(all), func(other model.NodeID) bool { return other == id })
}
