package tokenring

import (
	"contend/impl/mutex"
	"contend/model"
)

const table = "SDX lecture, token ring algorithm, table"

// costed are the lecture's metrics. The token is the only message, and each of its messages is sent
// after the one before has arrived, so that to count messages is to follow their chain. No run ends
// by itself, so nothing is read at the end of one.
var costed = []*model.Cost{bandwidth(), clientDelay(), synchronizationDelay()}

// Behalf says for whose entry a message is sent: that of the process that gets the token. Of a
// token that passes by who does not want it, and so of most messages where few want to enter, this
// says little; the lecture counts all messages between two entries.
func Behalf(o model.Observation) (model.NodeID, bool) {
	if _, word := o.Value.(Word); word {
		return 0, false
	}
	return o.To, true
}

// bandwidth are the messages of an entry and the exit before it: "1 (all enter) to ∞ (none enter)".
func bandwidth() *model.Cost {
	c := &model.Cost{
		Name: "messages between entries", Unit: "messages", Source: table, Sends: true, Most: 64,
		Meaning: "Messages that are sent between an entry and the one before it, by whomever, or the start.",
	}
	c.Meter = func(*model.System) model.Monitor { return &between{cost: c} }
	return c
}

type between struct {
	cost *model.Cost
	Sent int // since the last entry
}

func (b *between) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Sent:
		b.Sent = b.cost.Counted(b.Sent)
	case model.Returned:
		w.Measure(b.Sent)
		b.Sent = 0
	}
}

// clientDelay is how far the token has to go for an entry: "0 (token just received) to N-1 (token
// just departed)", where one process asks.
func clientDelay() *model.Cost {
	c := &model.Cost{
		Name: "client delay", Unit: "messages, one after another", Source: table, Sends: true, Most: 64,
		Meaning: "Messages from a request to the entry, where no other process is in the section or waits.",
	}
	c.Meter = func(*model.System) model.Monitor { return &delay{cost: c, from: model.Invoked} }
	c.Check.Config = sized(4, 2).With(mutex.Asking.Is(1))
	return c
}

// synchronizationDelay is how far the token has to go from an exit to the next entry, of a process that
// waited at the exit: "1 (successor will access) to N-1 (predecessor will access)".
func synchronizationDelay() *model.Cost {
	c := &model.Cost{
		Name: "synchronization delay", Unit: "messages, one after another", Source: table, Sends: true, Most: 64,
		Meaning: "Messages from an exit to the next entry, where one process waits, and no other asks in between.",
	}
	c.Meter = func(*model.System) model.Monitor { return &delay{cost: c, from: model.Released} }
	c.Check.Config = sized(4, 2).With(mutex.Asking.Is(2))
	return c
}

// A delay counts messages from a request while nobody else is busy, or from an exit after which one
// process is, to the entry; not where another request comes in between.
type delay struct {
	cost    *model.Cost
	from    model.ObservationKind
	Sent    int
	Running bool
	Busy    map[model.NodeID]bool // those who have asked and not left
}

func (d *delay) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Sent:
		if d.Running {
			d.Sent = d.cost.Counted(d.Sent)
		}
		return
	case model.Returned:
		if d.Running {
			w.Measure(d.Sent)
		}
	case model.Invoked:
		d.Busy[o.Node] = true
	case model.Released, model.Crashed:
		delete(d.Busy, o.Node)
	}
	d.Sent, d.Running = 0, o.Kind == d.from && len(d.Busy) == 1
}
