package twophase

import (
	"fmt"

	"contend/model"
)

const (
	source = "Gray–Lamport 2004, "
	proofs = "docs/proofs/twophase.md#"

	consistent = "TCConsistent"
	commitment = "TPSpec implements TCSpec"
	terminates = "all decide"
)

// Became is noted by a resource manager whose state has changed.
type Became struct{ State State }

var claimed = []model.Claim{
	{
		Name: consistent, Kind: model.Always, Source: source + "TCommit.tla", Proof: proofs + "consistency", Invariant: agree,
	},
	{
		Name: commitment, Kind: model.Always, Source: source + "TwoPhase.tla, theorem TPSpec => TC!TCSpec",
		Proof: proofs + "consistency", Monitor: func(s *model.System) model.Monitor { return &commit{all: s.Config.N} },
	},
	{
		Name: "a transaction commits", Kind: model.Sometimes, Source: source + "TCommit.tla: committed",
		Monitor: func(s *model.System) model.Monitor { return &reaches{state: Committed, all: s.Config.N} },
	},
	{
		Name: terminates, Kind: model.Eventually, Source: "2PCwithBTM.tla, Termination", Proof: proofs + "termination",
		Assumes: []model.Assumption{model.NoLoss, model.NoCrash, model.NoMemoryLoss},
		Monitor: func(s *model.System) model.Monitor { return &decide{all: s.Config.N} },
	},
}

// agree checks TCConsistent: no two resource managers have made conflicting decisions.
func agree(nodes []model.Node) error {
	var aborted, committed bool
	for _, n := range nodes {
		if rm, is := n.(interface{ resource() *Resource }); is {
			aborted = aborted || rm.resource().State == Aborted
			committed = committed || rm.resource().State == Committed
		}
	}
	if aborted && committed {
		return fmt.Errorf("one resource manager has committed, and another aborted")
	}
	return nil
}

func (rm *Resource) resource() *Resource { return rm }

// States stores rmState. Working resource managers are missing.
type States struct{ Of map[model.NodeID]State }

func (s *States) count(state State) (n int) {
	for _, at := range s.Of {
		if at == state {
			n++
		}
	}
	return n
}

// follow stores the state in a note Became. It ignores other observations.
func (s *States) follow(o model.Observation) {
	if b, is := o.Value.(Became); is {
		s.Of[o.Node] = b.State
	}
}

// commit checks that each step of a resource manager is a step of TCNext: Prepare(rm) or Decide(rm).
type commit struct {
	all int
	States
}

func (c *commit) Observe(w model.Watch, o model.Observation) {
	b, is := o.Value.(Became)
	if !is {
		return
	}
	w.Witness()
	was := c.Of[o.Node]
	canCommit := c.count(Ready)+c.count(Committed) == c.all
	var next bool
	switch b.State {
	case Ready:
		next = was == Working
	case Committed:
		next = was == Ready && canCommit
	case Aborted:
		next = (was == Working || was == Ready) && c.count(Committed) == 0
	}
	if !next {
		w.Violate("it was %v and is %v, where %d of %d are prepared or committed and %d committed", was, b.State,
			c.count(Ready)+c.count(Committed), c.all, c.count(Committed))
	}
	c.follow(o)
}

// reaches has the goal that all resource managers are in one state.
type reaches struct {
	state State
	all   int
	States
}

func (r *reaches) Observe(w model.Watch, o model.Observation) {
	r.follow(o)
	if r.Reached() {
		w.Witness()
	}
}

// Reached reports whether all resource managers are in that state.
func (r *reaches) Reached() bool { return r.count(r.state) == r.all }

// decide has the goal that all resource managers have committed or aborted.
type decide struct {
	all int
	States
}

func (d *decide) Observe(w model.Watch, o model.Observation) {
	d.follow(o)
	if d.Reached() {
		w.Witness()
	}
}

// Reached reports whether all resource managers have decided.
func (d *decide) Reached() bool { return d.count(Committed)+d.count(Aborted) == d.all }

// Misses returns a line for each undecided resource manager.
func (d *decide) Misses(name func(model.NodeID) string) (waiting []string) {
	for id := range model.NodeID(d.all) {
		if s := d.Of[id]; s < Committed {
			waiting = append(waiting, fmt.Sprintf("%s is %v and cannot decide by itself", name(id), s))
		}
	}
	return waiting
}
