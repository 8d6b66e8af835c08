package chandylamport

import (
	"slices"

	"contend/model"
)

// A Link is a channel, named by its ends.
type Link struct{ From, To model.NodeID }

// inconsistency checks that the recorded states form a consistent cut. A message that was sent after its sender
// recorded its state must not be received before its receiver does.
type inconsistency struct {
	Recorded map[model.NodeID]bool
	After    map[Link][]int // sent after the sender recorded its state, to a receiver that has not
}

func (c *inconsistency) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case RecordedState:
		w.Witness()
		c.Recorded[o.Node] = true
		for link := range c.After {
			if link.To == o.Node {
				delete(c.After, link)
			}
		}
	case Sent:
		if link := (Link{o.Node, v.To}); c.Recorded[o.Node] && !c.Recorded[v.To] {
			c.After[link] = append(c.After[link], v.Amount)
		}
	case Received:
		if slices.Contains(c.After[Link{v.From, o.Node}], v.Amount) {
			w.Violate("it received %d before it recorded its state, and p%d had sent it after recording its own", v.Amount, v.From+1)
		}
	}
}

// between checks that some run with the same events passes through the recorded state. It executes the prerecording
// events, those before their process recorded its state, in their order. It leaves out all other events. So it builds
// the run of Theorem 1 up to its state S*. Each event must be possible in that run. Each process must record its state
// there, and each channel its messages there. After S* the run is the same.
type between struct {
	cfg      *Config
	States   map[model.NodeID]State // the states that an event has changed
	Channels map[Link][]int         // the channels that hold a message
	Recorded map[model.NodeID]bool
	Seen     map[Link]Contents // records that wait until both ends have recorded their states
	Closed   map[Link]bool     // channels whose record is closed
	Settled  int               // the number of compared channels
}

// Contents are messages of a channel.
type Contents struct{ Messages []int }

func (b *between) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Sent:
		if !b.Recorded[o.Node] {
			b.sends(o.Node, v)
		}
	case Received:
		if !b.Recorded[o.Node] {
			b.receives(w, o.Node, v)
		}
	case RecordedState:
		b.Recorded[o.Node] = true
		if is := b.state(o.Node); v.State != is {
			w.Violate("it recorded %+v, and after its prerecording events it is in %+v", v.State, is)
		}
	case Kept:
		b.keeps(w, o.Node, v)
		return
	case RecordedChannel:
		b.Seen[Link{v.From, o.Node}] = Contents{v.Messages}
		b.Closed[Link{v.From, o.Node}] = true
	default:
		return
	}
	b.settle(w)
}

// state returns the state of a process after its prerecording events.
func (b *between) state(id model.NodeID) State {
	if s, changed := b.States[id]; changed {
		return s
	}
	return b.cfg.Begins(id)
}

func (b *between) sends(id model.NodeID, v Sent) {
	s, link := b.state(id), Link{id, v.To}
	b.States[id] = State{s.Balance - v.Amount, s.Left - 1}
	b.Channels[link] = append(slices.Clone(b.Channels[link]), v.Amount)
}

func (b *between) receives(w model.Watch, id model.NodeID, v Received) {
	s, link := b.state(id), Link{v.From, id}
	in := b.Channels[link]
	if len(in) == 0 || in[0] != v.Amount {
		w.Violate("it received %d before it recorded its state, and prerecording events leave %v in the channel", v.Amount, in)
		return
	}
	b.States[id] = State{s.Balance + v.Amount, s.Left}
	if b.Channels[link] = slices.Clone(in[1:]); len(in) == 1 {
		delete(b.Channels, link)
	}
}

// keeps reports a violation if a process adds to the record of a closed channel. Additions before the process
// records its own state may be dropped later.
func (b *between) keeps(w model.Watch, id model.NodeID, v Kept) {
	if b.Closed[Link{v.From, id}] {
		w.Violate("it added %d to its record of the channel from p%d, which it had recorded before", v.Amount, v.From+1)
	}
}

// settle compares the channels whose records are final.
func (b *between) settle(w model.Watch) {
	for _, link := range b.settled() {
		got, want := b.Seen[link].Messages, b.Channels[link]
		if !slices.Equal(got, want) {
			w.Violate("of the channel from p%d to p%d it was recorded that it holds %v, and in the state it holds %v", link.From+1, link.To+1, got, want)
		}
		delete(b.Seen, link)
		delete(b.Channels, link)
		if b.Settled++; b.Settled == b.cfg.channels() {
			w.Witness()
		}
	}
}

func (b *between) settled() (links []Link) {
	for link := range b.Seen {
		if b.Recorded[link.From] && b.Recorded[link.To] {
			links = append(links, link)
		}
	}
	slices.SortFunc(links, func(x, y Link) int { return int(x.From-y.From)*64 + int(x.To-y.To) })
	return links
}

// never has the goal that the run was never in the recorded state, although another run with the same events was. It
// stores every state, and is meant for two processes.
type never struct {
	cfg       *Config
	Was       []Global
	Now, Star Global
	Recorded  int // the number of recorded parts of Star
	Did       bool
}

// A Global is the state of two processes and two channels.
type Global struct {
	States   [2]State
	Channels [2]Contents
}

func (g Global) equal(h Global) bool {
	return g.States == h.States && slices.Equal(g.Channels[0].Messages, h.Channels[0].Messages) &&
		slices.Equal(g.Channels[1].Messages, h.Channels[1].Messages)
}

func (n *never) Observe(w model.Watch, o model.Observation) {
	if n.Did {
		return
	}
	if len(n.Was) == 0 {
		n.Now.States = [2]State{n.cfg.Begins(0), n.cfg.Begins(1)}
		n.Was = append(n.Was, n.Now)
	}
	if !n.follow(o) {
		n.Was = append(n.Was, n.Now)
	}
	if n.Recorded == 4 && !slices.ContainsFunc(n.Was, n.Star.equal) {
		w.Witness()
		*n = never{cfg: n.cfg, Did: true}
	}
}

// follow applies an observation, and reports whether it belongs to the snapshot.
func (n *never) follow(o model.Observation) bool {
	at := &n.Now.States[o.Node]
	switch v := o.Value.(type) {
	case Sent:
		at.Balance, at.Left = at.Balance-v.Amount, at.Left-1
		in := &n.Now.Channels[v.To].Messages
		*in = append(slices.Clone(*in), v.Amount)
		return false
	case Received:
		at.Balance += v.Amount
		in := &n.Now.Channels[o.Node].Messages
		*in = slices.Clone((*in)[1:])
		return false
	case RecordedState:
		n.Star.States[o.Node] = v.State
		n.Recorded++
	case RecordedChannel:
		n.Star.Channels[o.Node] = Contents{v.Messages}
		n.Recorded++
	}
	return true
}

// Reached reports whether such a state was recorded.
func (n *never) Reached() bool { return n.Did }
