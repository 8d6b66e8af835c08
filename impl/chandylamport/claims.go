package chandylamport

import (
	"fmt"

	"contend/model"
)

const (
	paper  = "Chandy–Lamport 1985, "
	afp    = "; AFP Snapshot.thy, "
	proofs = "docs/proofs/chandylamport.md#"

	consistent = "consistent cut"
	theorem    = "Theorem 1"
	conserved  = "money is conserved"
	stable     = "stable property detection"
	terminates = "the snapshot terminates"
	unaltered  = "the computation is not altered"
	transfers  = "every transfer is made"
	neverWas   = "a state that never was"
)

// The notes of processes: the events of the computation, and the records.
type (
	Sent struct {
		To     model.NodeID
		Amount int
		Now    State // after the event
	}
	Received struct {
		From   model.NodeID
		Amount int
		Now    State // after the event
	}
	Kept struct { // in the record of a channel
		From   model.NodeID
		Amount int
	}
	RecordedState   struct{ State State }
	RecordedChannel struct {
		From     model.NodeID
		Messages []int
	}
)

// The paper's channels neither lose nor duplicate messages.
var reliable = []model.Assumption{model.NoLoss, model.AtMostOnce}

var claimed = []model.Claim{
	{
		Name: consistent, Kind: model.Always, Source: paper + "proof of Theorem 1", Proof: proofs + "a-consistent-cut",
		Assumes: reliable, Monitor: func(*model.System) model.Monitor { return &inconsistency{} },
	},
	{
		Name: theorem, Kind: model.Always, Source: paper + "§3.2" + afp + "snapshot_algorithm_is_correct", Proof: proofs + "theorem-1",
		Assumes: reliable, Monitor: func(s *model.System) model.Monitor { return &between{cfg: s.Setup.(*Config)} },
	},
	{
		Name: conserved, Kind: model.Always, Source: paper + "§2, single-token conservation", Proof: proofs + "stable-properties",
		Assumes: reliable, Monitor: func(s *model.System) model.Monitor { return &conservation{cfg: s.Setup.(*Config)} },
	},
	{
		Name: stable, Kind: model.Always, Source: paper + "§4" + afp + "Stable_Property_Detection", Proof: proofs + "stable-properties",
		Assumes: reliable, Monitor: func(s *model.System) model.Monitor { return &detection{cfg: s.Setup.(*Config)} },
	},
	{
		Name: terminates, Kind: model.Eventually, Source: paper + "§3.1" + afp + "Termination", Proof: proofs + "termination",
		Assumes: []model.Assumption{model.NoLoss, model.NoCrash},
		Monitor: func(s *model.System) model.Monitor { return &ends{cfg: s.Setup.(*Config)} },
	},
	{
		Name: unaltered, Kind: model.Always, Source: paper + "§1", Proof: proofs + "the-computation",
		Monitor: func(s *model.System) model.Monitor { return &events{cfg: s.Setup.(*Config)} },
	},
	{
		Name: transfers, Kind: model.Eventually, Source: paper + "§1", Proof: proofs + "the-computation",
		Assumes: []model.Assumption{model.NoCrash},
		Monitor: func(s *model.System) model.Monitor { return &sends{Left: s.Setup.(*Config).total().Left} },
	},
	{
		Name: neverWas, Kind: model.Sometimes, Source: paper + "§4; AFP Example.thy", Proof: proofs + "a-state-that-never-was",
		Monitor: func(s *model.System) model.Monitor { return &never{cfg: s.Setup.(*Config)} },
		Apart: func(c model.Check) model.Check { // the smallest check that reaches the goal
			c.Config = sized(2, 1, 1)
			return c
		},
	},
}

// Parts are the recorded states of processes and channels.
type Parts struct {
	States   map[model.NodeID]bool
	Channels map[Link]bool
}

// follow stores an observation, and reports whether it completes the snapshot.
func (p *Parts) follow(cfg *Config, o model.Observation) (last bool) {
	was := len(p.States) + len(p.Channels)
	switch v := o.Value.(type) {
	case RecordedState:
		p.States[o.Node] = true
	case RecordedChannel:
		p.Channels[Link{v.From, o.Node}] = true
	}
	is := len(p.States) + len(p.Channels)
	return is > was && is == len(cfg.In)+cfg.channels()
}

// conservation checks that the recorded state has all the money.
type conservation struct {
	cfg   *Config
	Total int
	Parts
}

func (c *conservation) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case RecordedState:
		c.Total += v.State.Balance
	case RecordedChannel:
		for _, amount := range v.Messages {
			c.Total += amount
		}
	}
	if !c.follow(c.cfg, o) {
		return
	}
	w.Witness()
	if want := c.cfg.total().Balance; c.Total != want {
		w.Violate("the recorded state has %d units of money, and there are %d", c.Total, want)
	}
}

// detection checks the stable property that the computation has ended. The recorded state has it if it held when the
// snapshot began. The recorded state has it only if it holds when the snapshot ends.
type detection struct {
	cfg         *Config
	Events      int  // of the computation
	EndedBefore bool // the property, when the first state was recorded
	GoesOn      bool // in the recorded state, the computation has not ended
	Parts
}

func (d *detection) ended() bool { return d.Events == 2*d.cfg.total().Left }

func (d *detection) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Sent, Received:
		d.Events++
	case RecordedState:
		if len(d.States) == 0 {
			d.EndedBefore = d.ended()
		}
		d.GoesOn = d.GoesOn || v.State.Left > 0
	case RecordedChannel:
		d.GoesOn = d.GoesOn || len(v.Messages) > 0
	}
	if !d.follow(d.cfg, o) {
		return
	}
	switch {
	case !d.GoesOn && !d.ended():
		w.Violate("in the recorded state the computation has ended, and it has not")
	case d.GoesOn && d.EndedBefore:
		w.Violate("the computation had ended when the snapshot began, and in the recorded state it goes on")
	case !d.GoesOn:
		w.Witness()
	}
}

// ends has the goal that every process has recorded its state, and the states of its incoming channels.
type ends struct {
	cfg      *Config
	Recorded map[model.NodeID]int // notes of each process
}

func (e *ends) Observe(w model.Watch, o model.Observation) {
	switch o.Value.(type) {
	case RecordedState, RecordedChannel:
		e.Recorded[o.Node]++
		if e.Reached() {
			w.Witness()
		}
	}
}

// Reached reports whether every process has recorded both.
func (e *ends) Reached() bool {
	for id, in := range e.cfg.In {
		if e.Recorded[model.NodeID(id)] < 1+len(in) {
			return false
		}
	}
	return true
}

// Misses returns a line for each process whose records are not complete.
func (e *ends) Misses(name func(model.NodeID) string) (waiting []string) {
	for id, in := range e.cfg.In {
		switch n := e.Recorded[model.NodeID(id)]; {
		case n == 0:
			waiting = append(waiting, fmt.Sprintf("%s has not recorded its state", name(model.NodeID(id))))
		case n < 1+len(in):
			waiting = append(waiting, fmt.Sprintf("%s has recorded %d of the %d channels that lead to it", name(model.NodeID(id)), n-1, len(in)))
		}
	}
	return waiting
}

// events checks that each event of the computation has its effect on the state of its process, and no other effect.
type events struct {
	cfg    *Config
	States map[model.NodeID]State // the states that an event has changed
}

func (e *events) Observe(w model.Watch, o model.Observation) {
	is, changed := e.States[o.Node]
	if !changed {
		is = e.cfg.Begins(o.Node)
	}
	var now State
	switch v := o.Value.(type) {
	case Sent:
		is, now = State{is.Balance - v.Amount, is.Left - 1}, v.Now
	case Received:
		is, now = State{is.Balance + v.Amount, is.Left}, v.Now
	default:
		return
	}
	w.Witness()
	if now != is {
		w.Violate("after its events it is in %+v, and without the snapshot it would be in %+v", now, is)
	}
	e.States[o.Node] = is
}

// sends has the goal that all transfers are made.
type sends struct{ Left int }

func (s *sends) Observe(w model.Watch, o model.Observation) {
	if _, is := o.Value.(Sent); is {
		w.Witness()
		s.Left--
	}
}

// Reached reports whether all transfers are made.
func (s *sends) Reached() bool { return s.Left == 0 }
