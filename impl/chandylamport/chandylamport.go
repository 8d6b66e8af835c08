package chandylamport

import (
	"slices"

	"contend/model"
)

// The messages: money of the computation, and the marker.
type (
	Money  struct{ Amount int }
	Marker struct{}
)

// The alarms of a process.
type (
	transfer struct{} // Send
	snapshot struct{} // Snapshot
)

// A State is the state of a process in the computation.
type State struct {
	Balance int
	Left    int // the number of transfers left
}

// A Channel is the record of an incoming channel, channel_snapshot.
type Channel struct {
	Messages []int // amounts, in the order of their arrival
	Done     bool  // else it is Recording
}

// A Process takes part in the computation and in the snapshot.
type Process struct {
	cfg      *Config
	State    State
	Recorded model.Optional[State]    // process_snapshot
	Channels map[model.NodeID]Channel // channel_snapshot, by sender; a missing channel is NotStarted
}

// Start sets the alarms of a transfer, and of the snapshot if the process initiates one.
func (p *Process) Start(env model.Env) {
	p.work(env)
	if p.cfg.Initiates(env.Self()) {
		env.After(snapshot{}, model.Anytime())
	}
}

func (p *Process) work(env model.Env) {
	if p.State.Left > 0 {
		env.After(transfer{}, model.Anytime())
	}
}

// Timeout implements Send and Snapshot.
func (p *Process) Timeout(env model.Env, event any) {
	switch event.(type) {
	case transfer:
		p.send(env)
	case snapshot:
		p.record(env)
		p.mark(env)
	}
}

// Receive implements Recv and RecvMarker.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Money:
		p.receive(env, from, m.Amount)
	case Marker:
		p.receiveMarker(env, from)
	}
}

// send implements Send: a transfer over any outgoing channel. The k-th transfer is of k units, so messages on a channel
// differ.
func (p *Process) send(env model.Env) {
	out := p.cfg.Out[env.Self()]
	to, amount := out[env.Choose(len(out))], 1+p.cfg.Transfers-p.State.Left
	p.State.Balance -= amount
	p.State.Left--
	env.Note(Sent{to, amount, p.State})
	env.Send(to, Money{amount})
	p.work(env)
}

// receive implements Recv. A message on a channel whose record is open is added to the record.
func (p *Process) receive(env model.Env, from model.NodeID, amount int) {
	p.State.Balance += amount
	env.Note(Received{from, amount, p.State})
	if c, started := p.Channels[from]; started && !c.Done {
		p.Channels[from] = Channel{Messages: append(slices.Clone(c.Messages), amount)}
		env.Note(Kept{from, amount})
	}
}

// receiveMarker implements RecvMarker, the Marker-Receiving Rule. At the first marker the process records its state.
// Each marker closes the record of its channel.
func (p *Process) receiveMarker(env model.Env, from model.NodeID) {
	if !p.Recorded.Known {
		p.record(env)
		p.mark(env)
	}
	p.close(env, from)
}

// record records the state of the process, and opens the records of its incoming channels.
func (p *Process) record(env model.Env) {
	env.Cancel(snapshot{})
	p.Recorded = model.Some(p.State)
	env.Note(RecordedState{p.State})
	for _, from := range p.cfg.In[env.Self()] {
		p.Channels[from] = Channel{}
	}
}

// mark implements the Marker-Sending Rule: it sends a marker on each channel, before any further message.
func (p *Process) mark(env model.Env) { env.Broadcast(p.cfg.Out[env.Self()], Marker{}) }

// close closes the record of a channel.
func (p *Process) close(env model.Env, from model.NodeID) {
	c := p.Channels[from]
	c.Done = true
	p.Channels[from] = c
	env.Note(RecordedChannel{from, c.Messages})
}
