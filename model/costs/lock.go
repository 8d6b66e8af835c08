package costs

import (
	"slices"

	"contend/model"
)

// OfLock returns the costs by which locks are compared: [PerPassage], [ClientDelay] and [SynchronizationDelay].
// An operation of the script is a passage: its invocation requests the section, its return is the entry, and
// its release is the exit.
func OfLock(behalf func(o model.Observation) (model.NodeID, bool)) []*model.Cost {
	return []*model.Cost{PerPassage(behalf), ClientDelay(), SynchronizationDelay()}
}

// PerPassage counts the messages sent on behalf of a passage: for the request, for the release, and messages
// that arrive too late to matter. So it is measured at the end of a run. The function behalf is as for
// [PerOperation]. A message on behalf of a node counts for its latest passage, and for none before the first.
// For a node that crashes only later passages count.
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
	Sent   map[model.NodeID][]int // by node, for each of its passages
}

func (p *perPassage) Observe(_ model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		p.Sent[o.Node] = append(p.Sent[o.Node], 0)
	case model.Sent:
		if node, ok := p.behalf(o); ok {
			if last := len(p.Sent[node]) - 1; last >= 0 {
				p.Sent[node][last] = p.cost.Counted(p.Sent[node][last])
			}
		}
	case model.Crashed:
		delete(p.Sent, o.Node)
	}
}

func (p *perPassage) Totals() []int {
	var all []int
	for _, counts := range p.Sent {
		all = append(all, counts...)
	}
	slices.Sort(all)
	return all
}

// BetweenEntries counts all messages sent between two consecutive entries of any nodes. It is the measure of a
// lock whose messages are not on behalf of a node, such as a circulating token.
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
	Begun bool // some node has entered
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

// ClientDelay is the length of the longest chain of messages from a request to the entry, if no other node is
// in the section or waits. Each message of the chain was sent after the request, and after the previous
// message had arrived at its sender. The chain may begin at any node. Messages sent before the request do not
// count.
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
	Alone bool                  // no other node was busy since the last request
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

// SynchronizationDelay is the length of the longest chain of messages from an exit to the next entry, if
// exactly one node waits in between. Each message of the chain was sent after the exit, and after the
// previous message had arrived at its sender. The chain may begin at any node. Messages sent before the exit
// do not count.
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
	Handing bool // a node has left, and exactly one has waited since
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
