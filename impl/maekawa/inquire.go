package maekawa

import (
	"slices"

	"contend/impl/clocks"
	"contend/impl/mutex"
	"contend/model"
)

// inquiring avoids deadlocks as Maekawa's paper does, with Sanders' correction (The Information Structure of
// Distributed Mutual Exclusion Algorithms, ACM TOCS 5(3), 1987). Requests are ordered by logical time. A voter may ask
// for its vote back for an earlier request. Messages between two processes arrive in the order sent.
var inquiring = model.Variant{
	Name: "inquire", Title: "Maekawa 1985 with Sanders' correction: a vote may be asked back for an earlier request; FIFO channels",
	Edit: inquire, Unclaimed: unordered,
	Show: model.Check{Config: sized(3, 3, 1)},
}

func inquire(s *model.System) {
	cfg := s.Setup.(*Config)
	s.Network.Channel = model.FIFO
	s.Types = append(s.Types, Timed{}, Failed{}, Inquire{}, Relinquish{})
	for i := range s.Nodes {
		s.Nodes[i].New = func() model.Node { return &Inquirer{cfg: cfg} }
	}
}

// The further messages.
type (
	Timed      struct{ Time clocks.Lamport } // a request with its logical time
	Failed     struct{}                      // an earlier request is before yours
	Inquire    struct{}                      // may I have my vote back?
	Relinquish struct{}                      // you may
)

// An Inquirer is a [Process] that may return votes.
type Inquirer struct {
	cfg       *Config
	Clock     clocks.Lamport
	Waiting   bool
	Accessing bool
	Has       []model.NodeID               // the members whose votes it has, in the order of ids
	Lacks     []model.NodeID               // the members that sent Failed or got their votes back, and have not voted since
	Inquiries []model.NodeID               // the members that wait for their votes
	Vote      model.Optional[clocks.Stamp] // the request for which it has voted
	Inquired  bool                         // it has requested its vote back
	Queue     []clocks.Stamp               // the other requests, the earliest first
}

// Invoke requests the section, or leaves it.
func (p *Inquirer) Invoke(env model.Env, op any) {
	set := p.cfg.Sets[env.Self()]
	if _, leaving := op.(mutex.Release); leaving {
		p.Accessing, p.Has, p.Lacks, p.Inquiries = false, nil, nil, nil
		env.Broadcast(set, Release{})
		return
	}
	p.Clock = p.Clock.Tick()
	p.Waiting = true
	env.Broadcast(set, Timed{p.Clock})
}

// Receive handles a message, also of the process itself.
func (p *Inquirer) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Timed:
		p.Clock = p.Clock.Merge(m.Time)
		p.requested(env, m.Time.At(from))
	case Release:
		p.next(env)
	case Relinquish:
		p.queue(p.Vote.Value)
		p.next(env)
	case OK:
		p.Has, p.Lacks = with(p.Has, from), without(p.Lacks, from)
		p.enter(env)
	case Failed:
		p.Lacks = with(p.Lacks, from)
		p.relinquish(env)
	case Inquire:
		if p.Waiting && slices.Contains(p.Has, from) { // else it has left since, or is inside and will leave
			p.Inquiries = with(p.Inquiries, from)
			p.relinquish(env)
		}
	}
}

// requested votes for a request, or queues it. For the earliest of all requests it asks for its vote back. All other
// requests fail, and so does the previous earliest request of the queue.
func (p *Inquirer) requested(env model.Env, r clocks.Stamp) {
	if !p.Vote.Known {
		p.vote(env, r)
		return
	}
	p.queue(r)
	if p.Queue[0] != r || p.Vote.Value.Before(r) {
		env.Send(r.ID, Failed{})
		return
	}
	if len(p.Queue) > 1 { // Sanders' correction
		env.Send(p.Queue[1].ID, Failed{})
	}
	if !p.Inquired {
		p.Inquired = true
		env.Send(p.Vote.Value.ID, Inquire{})
	}
}

// next votes for the earliest request in the queue, if any.
func (p *Inquirer) next(env model.Env) {
	p.Vote, p.Inquired = model.Optional[clocks.Stamp]{}, false
	if len(p.Queue) > 0 {
		first := p.Queue[0]
		p.Queue = p.Queue[1:]
		p.vote(env, first)
	}
}

func (p *Inquirer) vote(env model.Env, r clocks.Stamp) {
	p.Vote = model.Some(r)
	env.Note(Voted{r.ID})
	env.Send(r.ID, OK{})
}

func (p *Inquirer) queue(r clocks.Stamp) {
	p.Queue = append(p.Queue, r)
	slices.SortFunc(p.Queue, func(a, b clocks.Stamp) int {
		if a.Before(b) {
			return -1
		}
		return 1
	})
}

// enter enters the section after the last vote. Members that want their votes back must wait for the exit.
func (p *Inquirer) enter(env model.Env) {
	if len(p.Has) == len(p.cfg.Sets[env.Self()]) {
		p.Waiting, p.Accessing, p.Inquiries = false, true, nil
		env.Return(nil)
	}
}

// relinquish returns votes to the members that want them, once the process knows that it lacks another vote.
func (p *Inquirer) relinquish(env model.Env) {
	if len(p.Lacks) == 0 {
		return
	}
	env.Broadcast(p.Inquiries, Relinquish{})
	for _, v := range p.Inquiries {
		p.Has, p.Lacks = without(p.Has, v), with(p.Lacks, v)
	}
	p.Inquiries = nil
}

// with and without return a sorted set with and without an id.
func with(set []model.NodeID, id model.NodeID) []model.NodeID {
	set = append(without(set, id), id)
	slices.Sort(set)
	return set
}

func without(set []model.NodeID, id model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(set), func(is model.NodeID) bool { return is == id })
}

func (p *Inquirer) supporters(self model.NodeID) []model.NodeID {
	if !p.Accessing {
		return nil
	}
	return p.cfg.Sets[self]
}

func (p *Inquirer) votedFor() model.Optional[model.NodeID] {
	if !p.Vote.Known {
		return model.Optional[model.NodeID]{}
	}
	return model.Some(p.Vote.Value.ID)
}
