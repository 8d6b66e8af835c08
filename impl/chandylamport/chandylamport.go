package chandylamport

import (
	"slices"

	"contend/model"
)

// The messages: those of the computation, and the marker.
type (
	Money  struct{ Amount int }
	Marker struct{}
)

// What a process does of itself, each an alarm.
type (
	transfer struct{} // Send
	snapshot struct{} // Snapshot
)

// A State is that of a process in the computation.
type State struct {
	Balance int
	Left    int // transfers that it has yet to make
}

// A Channel is what a process records of a channel that leads to it, channel_snapshot.
type Channel struct {
	Messages []int // amounts, in the order of their arrival
	Done     bool  // else it is Recording
}

// A Process takes part in the computation and in the snapshot.
type Process struct {
	cfg      *Config
	State    State
	Recorded model.Optional[State]    // process_snapshot
	Channels map[model.NodeID]Channel // channel_snapshot, by sender; a channel that is missing is NotStarted
}

// Start lets the computation run, and at some time a snapshot begin.
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

// Timeout is Send or Snapshot.
func (p *Process) Timeout(env model.Env, event any) {
	switch event.(type) {
	case transfer:
		p.send(env)
	case snapshot:
		p.record(env)
		p.mark(env)
	}
}

// Receive is Recv or RecvMarker.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Money:
		p.receive(env, from, m.Amount)
	case Marker:
		p.receiveMarker(env, from)
	}
}

// send is Send: a transfer to any process that a channel leads to. The k-th is of k units, so that
// messages on a channel differ.
func (p *Process) send(env model.Env) {
	out := p.cfg.Out[env.Self()]
	to, amount := out[env.Choose(len(out))], 1+p.cfg.Transfers-p.State.Left
	p.State.Balance -= amount
	p.State.Left--
	env.Note(Sent{to, amount})
	env.Send(to, Money{amount})
	p.work(env)
}

// receive is Recv: a message on a channel that is being recorded belongs to the channel's state.
func (p *Process) receive(env model.Env, from model.NodeID, amount int) {
	p.State.Balance += amount
	env.Note(Received{from, amount})
	if c, started := p.Channels[from]; started && !c.Done {
		p.Channels[from] = Channel{Messages: append(slices.Clone(c.Messages), amount)}
		env.Note(Kept{from, amount})
	}
}

// receiveMarker is RecvMarker, the Marker-Receiving Rule: the first marker has the process record its
// state, and each ends the recording of the channel that it comes on.
func (p *Process) receiveMarker(env model.Env, from model.NodeID) {
	if !p.Recorded.Known {
		p.record(env)
		p.mark(env)
	}
	p.close(env, from)
}

// record has the process record its state, and begins to record its incoming channels.
func (p *Process) record(env model.Env) {
	env.Cancel(snapshot{})
	p.Recorded = model.Some(p.State)
	env.Note(RecordedState{p.State})
	for _, from := range p.cfg.In[env.Self()] {
		p.Channels[from] = Channel{}
	}
}

// mark is the Marker-Sending Rule: a marker on each channel, before any further message.
func (p *Process) mark(env model.Env) { env.Broadcast(p.cfg.Out[env.Self()], Marker{}) }

// close ends the recording of a channel.
func (p *Process) close(env model.Env, from model.NodeID) {
	c := p.Channels[from]
	c.Done = true
	p.Channels[from] = c
	env.Note(RecordedChannel{from, c.Messages})
}
