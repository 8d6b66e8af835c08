package costs

import (
	"slices"

	"contend/model"
)

// OfLock returns the costs by which locks are compared: [PerPassage], [ClientDelay] and
// [SynchronizationDelay]. An operation of the script is a passage: it is invoked to ask for the
// section, returns when the node enters, and is released to leave.
func OfLock(behalf func(o model.Observation) (model.NodeID, bool)) []*model.Cost {
	return []*model.Cost{PerPassage(behalf), ClientDelay(), SynchronizationDelay()}
}

// PerPassage counts the messages sent on behalf of a passage: those of the request, those of the
// release, and those that arrive too late to matter. It is therefore read when nothing is in flight
// any more. The function behalf is as for [PerOperation]. A message sent on behalf of a node counts
// for the passage that the node began last, and for none before the first. Of a node that crashes
// only later passages count.
func PerPassage(behalf func(o model.Observation) (model.NodeID, bool)) *model.Cost {
	c := &model.Cost{
		Name: "messages per entry and exit", Unit: "messages",
		Meaning: "Messages that are sent on behalf of a passage, by whomever, also after it: read at the end of the run.",
		Sends:   true, AtEnd: true,
	}
	c.Meter = func(*model.System) model.Monitor { return &perPassage{cost: c, behalf: behalf} }
	return c
}

type perPassage struct {
	cost   *model.Cost
	behalf func(o model.Observation) (model.NodeID, bool)
	Sent   map[model.NodeID][]int // by node, of each passage that it began
}

func (p *perPassage) Observe(_ model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		p.Sent[o.Node] = append(p.Sent[o.Node], 0)
	case model.Sent:
		if of, ok := p.behalf(o); ok {
			if last := len(p.Sent[of]) - 1; last >= 0 {
				p.Sent[of][last] = p.cost.Counted(p.Sent[of][last])
			}
		}
	case model.Crashed:
		delete(p.Sent, o.Node)
	}
}

func (p *perPassage) Totals() []int {
	var all []int
	for _, of := range p.Sent {
		all = append(all, of...)
	}
	slices.Sort(all)
	return all
}

// BetweenEntries counts all messages sent from one entry of any node to the next. It is the measure
// of a lock whose messages are sent on nobody's behalf, such as a token that circulates.
func BetweenEntries() *model.Cost {
	c := &model.Cost{
		Name: "messages between entries", Unit: "messages",
		Meaning: "Messages that are sent, by whomever, from one entry to the next.",
		Sends:   true,
	}
	c.Meter = func(*model.System) model.Monitor { return &betweenEntries{cost: c} }
	return c
}

type betweenEntries struct {
	cost  *model.Cost
	Begun bool // somebody has entered
	Sent  int  // since the last entry
}

func (b *betweenEntries) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Sent && b.Begun:
		b.Sent = b.cost.Counted(b.Sent)
	case o.Kind == model.Returned:
		if b.Begun {
			w.Measure(b.Sent)
		}
		b.Begun, b.Sent = true, 0
	}
}

// ClientDelay is how many messages an entry waits for one after another, from the request on, when
// nobody else is in the section or waits for it: the length of the longest chain that ends at the
// entry, in which each message was sent after the request and after the one before had arrived at
// its sender. The chain may begin at any node. What was sent before the request takes no time.
func ClientDelay() *model.Cost {
	return &model.Cost{
		Name: "client delay", Unit: "messages, one after another",
		Meaning: "Messages of the longest chain that is sent after a request and arrives before the entry, while nobody else is in the section or waits.",
		Chains:  true,
		Since:   func(o model.Observation) bool { return o.Kind == model.Invoked },
		Meter:   func(*model.System) model.Monitor { return &clientDelay{} },
	}
}

type clientDelay struct {
	Busy  map[model.NodeID]bool // in the section, or waiting
	Alone bool                  // nobody else was busy since the last request
}

func (d *clientDelay) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		d.Alone = len(d.Busy) == 0
		d.Busy[o.Node] = true
	case model.Returned:
		if d.Alone {
			w.Measure(o.Chain)
		}
		d.Alone = false
	case model.Released, model.Crashed:
		delete(d.Busy, o.Node)
	}
}

// SynchronizationDelay is how many messages pass one after another between an exit and the next
// entry, where exactly one node waits in between: the length of the longest chain that ends at the
// entry, in which each message was sent after the exit and after the one before had arrived at its
// sender. The chain may begin at any node. What was sent before the exit takes no time.
func SynchronizationDelay() *model.Cost {
	return &model.Cost{
		Name: "synchronization delay", Unit: "messages, one after another",
		Meaning: "Messages of the longest chain that is sent after an exit and arrives before the entry of the only one who waits.",
		Chains:  true,
		Since:   func(o model.Observation) bool { return o.Kind == model.Released },
		Meter:   func(*model.System) model.Monitor { return &synchronizationDelay{} },
	}
}

type synchronizationDelay struct {
	Waiting map[model.NodeID]bool
	Handing bool // somebody has left, and one alone has waited since
}

func (d *synchronizationDelay) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		d.Waiting[o.Node], d.Handing = true, false
	case model.Released:
		d.Handing = len(d.Waiting) == 1
	case model.Returned:
		if d.Handing {
			w.Measure(o.Chain)
		}
		delete(d.Waiting, o.Node)
		d.Handing = false
	case model.Crashed:
		delete(d.Waiting, o.Node)
		d.Handing = false
	}
}
