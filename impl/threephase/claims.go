package threephase

import (
	"fmt"

	"contend/model"
)

const (
	commitment = "Bernstein–Hadzilacos–Goodman 1987, §7"
	proofs     = "docs/proofs/threephase.md#"

	same      = "AC1"
	final     = "AC2"
	unanimous = "AC3"
	diligent  = "AC4"
	lively    = "AC5"
	certain   = "NB"
	commits   = "a transaction commits"
	survives  = "survivors commit"
)

// Became is noted by a process whose state has changed.
type Became struct{ State State }

// A decision may leave out a process that is up but suspected.
var accurate = []model.Assumption{model.NoSuspicion}

var claimed = []model.Claim{
	always(same, "atomic-commitment", func(a *atomic, id model.NodeID, to State) error {
		if other, is := a.first(Committed + Aborted - to); to.decided() && is {
			return fmt.Errorf("it is %v, and p%d is %v", to, other+1, Committed+Aborted-to)
		}
		return nil
	}, accurate...),
	always(final, "atomic-commitment", func(a *atomic, id model.NodeID, to State) error {
		if was := a.States[id]; was.decided() {
			return fmt.Errorf("it was %v and is %v", was, to)
		}
		return nil
	}, accurate...),
	always(unanimous, "atomic-commitment", func(a *atomic, id model.NodeID, to State) error {
		if to == Committed && len(a.Yes) < a.all {
			return fmt.Errorf("it is committed, and only %d of %d have voted yes", len(a.Yes), a.all)
		}
		return nil
	}),
	always(diligent, "atomic-commitment", func(a *atomic, id model.NodeID, to State) error {
		if _, no := a.first(Aborted); to == Aborted && a.States[id] != Idle && !no && !a.Failed {
			return fmt.Errorf("it aborts, though nobody has voted no or crashed")
		}
		return nil
	}, model.NoSuspicion),
	always(certain, "nonblocking", func(a *atomic, id model.NodeID, to State) error {
		a.States[id] = to
		uncertain, is := a.first(Ready)
		if committed, has := a.first(Committed); is && has {
			return fmt.Errorf("p%d is committed, while p%d is up and uncertain", committed+1, uncertain+1)
		}
		return nil
	}, accurate...),
	{
		Name: lively, Kind: model.Eventually, Source: commitment, Proof: proofs + "termination",
		Assumes: []model.Assumption{model.NoLoss, model.NoSuspicion},
		Monitor: func(s *model.System) model.Monitor { return &decide{all: s.Config.N} },
	},
	{
		Name: commits, Kind: model.Sometimes, Source: commitment,
		Monitor: func(s *model.System) model.Monitor { return &reaches{all: s.Config.N} },
	},
	{
		Name: survives, Kind: model.Sometimes, Source: "Skeen 1981",
		Monitor: func(s *model.System) model.Monitor {
			return &reaches{all: s.Config.N, orphans: true, Did: s.Faults.Crashes == 0}
		},
	},
}

// always returns a claim about state changes. The monitor calls holds before each change. An error of holds is a
// violation.
func always(name, anchor string, holds func(a *atomic, id model.NodeID, to State) error, assumes ...model.Assumption) model.Claim {
	return model.Claim{
		Name: name, Kind: model.Always, Source: commitment, Proof: proofs + anchor, Assumes: assumes,
		Monitor: func(s *model.System) model.Monitor { return &atomic{all: s.Config.N, holds: holds} },
	}
}

// atomic stores the states of processes. States of crashed processes are stored only if they are decided.
type atomic struct {
	all    int
	holds  func(a *atomic, id model.NodeID, to State) error
	States map[model.NodeID]State
	Yes    map[model.NodeID]bool // the processes that have voted yes
	Failed bool                  // a process has crashed
}

func (a *atomic) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		a.Failed = true
		if !a.States[o.Node].decided() {
			delete(a.States, o.Node)
		}
		return
	}
	b, is := o.Value.(Became)
	if !is {
		return
	}
	if b.State.decided() {
		w.Witness()
	}
	if b.State == Ready {
		a.Yes[o.Node] = true
	}
	if err := a.holds(a, o.Node, b.State); err != nil {
		w.Violate("%v", err)
	}
	a.States[o.Node] = b.State
}

// first returns the first process in a state, if any.
func (a *atomic) first(s State) (model.NodeID, bool) {
	for id := range model.NodeID(a.all) {
		if is, known := a.States[id]; known && is == s {
			return id, true
		}
	}
	return 0, false
}

// decide has the goal that every process that is up has decided.
type decide struct {
	all  int
	Open map[model.NodeID]State // the states of processes that are up and undecided, but not idle
	Done map[model.NodeID]bool  // the processes that have decided or crashed
}

func (d *decide) Observe(w model.Watch, o model.Observation) {
	if b, is := o.Value.(Became); is && !b.State.decided() {
		d.Open[o.Node] = b.State
		return
	} else if !is && o.Kind != model.Crashed {
		return
	}
	d.Done[o.Node] = true
	delete(d.Open, o.Node)
	if d.Reached() {
		w.Witness()
	}
}

// Reached reports whether the goal is reached.
func (d *decide) Reached() bool { return len(d.Done) == d.all }

// Misses returns a line for each undecided process.
func (d *decide) Misses(name func(model.NodeID) string) (waiting []string) {
	for id := range model.NodeID(d.all) {
		if !d.Done[id] {
			waiting = append(waiting, fmt.Sprintf("%s is %v and has not decided", name(id), d.Open[id]))
		}
	}
	return waiting
}

// reaches has the goal that all processes have committed. With orphans, the first coordinator must crash before it
// decides, and all others must commit.
type reaches struct {
	all       int
	orphans   bool
	Committed int
	Orphaned  bool
	Did       bool // or nobody can crash
}

func (r *reaches) Observe(w model.Watch, o model.Observation) {
	b, is := o.Value.(Became)
	switch {
	case r.Did:
		return
	case o.Kind == model.Crashed:
		r.Orphaned = r.Orphaned || o.Node == 0 && r.Committed == 0
	case is && b.State == Committed:
		r.Committed++
	}
	if r.Did = r.Committed == r.all; r.orphans {
		r.Did = r.Orphaned && r.Committed == r.all-1
	}
	if r.Did {
		w.Witness()
	}
}

// Reached reports whether the goal is reached.
func (r *reaches) Reached() bool { return r.Did }
