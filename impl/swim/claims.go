package swim

import (
	"fmt"

	"contend/model"
)

const (
	paper  = "Das–Gupta–Motivala 2002, "
	proofs = "docs/proofs/swim.md#"

	completeness = "time-bounded completeness"
	infection    = "dissemination"
	accuracy     = "accuracy"
	helped       = "k failures are survived"
	confirmed    = "no false confirmation"
	precedence   = "precedence"
	ownNumber    = "incarnation numbers"
	answered     = "a member refutes its suspicion"
	refuted      = "a suspicion is refuted"
)

// The notes of members: a changed entry of a membership list, a new incarnation, an answer in time, a suspicion of the
// member itself after the member has handled it.
type (
	Listed struct {
		Of    model.NodeID
		Entry Entry
	}
	Reborn  struct{ Incarnation int }
	Heard   struct{ From model.NodeID }
	Accused struct{ Incarnation int }
)

// timely are the assumptions of bounds on time.
var timely = []model.Assumption{model.Timed, model.Synchronous}

var claimed = []model.Claim{
	{
		Name: completeness, Kind: model.Always, Source: paper + "§2, strong completeness; §4.3", Proof: proofs + "completeness", Assumes: timely,
		Monitor: func(s *model.System) model.Monitor { return &complete{cfg: s.Setup.(*Config)} },
		Vacuous: func(s *model.System) string {
			if s.Faults.Crashes == 0 {
				return "nobody crashes"
			}
			return ""
		},
	},
	{
		Name: infection, Kind: model.Always, Source: paper + "§4.1", Proof: proofs + "dissemination", Assumes: timely,
		Monitor: func(s *model.System) model.Monitor { return &infectious{cfg: s.Setup.(*Config)} },
		Vacuous: func(s *model.System) string {
			if s.Faults.Crashes == 0 || len(s.Nodes) < 3 {
				return "nobody crashes, or nobody is left to tell"
			}
			return ""
		},
	},
	{
		Name: accuracy, Kind: model.Always, Source: paper + "§3.1", Proof: proofs + "accuracy", Assumes: timely,
		Monitor: func(*model.System) model.Monitor { return &accurate{least: Suspected} },
	},
	tolerates(helped, "§3.1", "accuracy", Suspected, func(cfg *Config) int { return cfg.Helpers }),
	tolerates(confirmed, "§4.2", "suspicion", Failed, func(cfg *Config) int { return cfg.Helpers + 1 }),
	{
		Name: precedence, Kind: model.Always, Source: paper + "§4.2", Proof: proofs + "precedence",
		Monitor: func(*model.System) model.Monitor { return &ordered{} },
	},
	{
		Name: ownNumber, Kind: model.Always, Source: paper + "§4.2", Proof: proofs + "precedence",
		Monitor: func(*model.System) model.Monitor { return &numbered{} },
	},
	{
		Name: answered, Kind: model.Always, Source: paper + "§4.2", Proof: proofs + "precedence",
		Monitor: func(*model.System) model.Monitor { return &answers{} },
		Vacuous: func(s *model.System) string {
			if s.Faults.Loss+s.Faults.Partitions == 0 {
				return "nobody is suspected that is up"
			}
			return ""
		},
	},
	{
		Name: refuted, Kind: model.Sometimes, Source: paper + "§4.2",
		Monitor: func(s *model.System) model.Monitor { return &refutes{Did: s.Faults.Loss+s.Faults.Partitions == 0} },
	},
}

// tolerates returns the claim that no member lists a live member in a state of at least least. The claim bounds the
// number of lost messages and crashes. Systems with more faults do not test it.
func tolerates(name, place, anchor string, least State, failures func(cfg *Config) int) model.Claim {
	excess := func(s *model.System) bool {
		return s.Faults.Loss+s.Faults.Crashes > failures(s.Setup.(*Config)) || len(s.Nodes) < s.Setup.(*Config).Helpers+2
	}
	return model.Claim{
		Name: name, Kind: model.Always, Source: paper + place, Proof: proofs + anchor,
		Assumes: []model.Assumption{model.Timed, model.NoPartition},
		Monitor: func(s *model.System) model.Monitor {
			if excess(s) {
				return &accurate{least: Failed + 1}
			}
			return &accurate{least: least}
		},
		Vacuous: func(s *model.System) string {
			if excess(s) {
				return "more may fail than it allows"
			}
			return ""
		},
	}
}

// overdue is an alarm of a monitor. It rings at the latest time at which To may learn that Of has failed.
type overdue struct{ Of, To model.NodeID }

// complete checks that all live members learn of a crash in bounded time.
type complete struct {
	cfg  *Config
	Down map[model.NodeID]bool
	Know map[overdue]bool
}

func (c *complete) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Listed:
		if v.Entry.State == Failed {
			c.Know[overdue{v.Of, o.Node}] = true
			w.Cancel(overdue{v.Of, o.Node})
		}
	default:
		if o.Kind == model.Crashed {
			c.crashes(w, o.Node)
		}
	}
}

func (c *complete) crashes(w model.Watch, id model.NodeID) {
	c.Down[id] = true
	for other := range model.NodeID(c.cfg.N) {
		w.Cancel(overdue{other, id})
		if !c.Down[other] && !c.Know[overdue{id, other}] {
			w.Witness()
			w.After(overdue{id, other}, model.Exactly(c.bound()+1))
		}
	}
}

// Expire reports a violation: the time is over.
func (c *complete) Expire(w model.Watch, key any) {
	late := key.(overdue)
	w.Violate("m%d crashed more than %d ticks ago, and m%d has not confirmed it", late.Of+1, c.bound(), late.To+1)
}

// bound returns the time limit of detection.
func (c *complete) bound() model.Ticks { return c.cfg.Detects() + c.cfg.Suspicion }

// accurate checks that no member suspects a live member, or lists it as failed.
type accurate struct {
	least State
	Down  map[model.NodeID]bool
}

func (a *accurate) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		a.Down[o.Node] = true
		return
	}
	if _, is := o.Value.(Heard); is {
		w.Witness()
	}
	if l, is := o.Value.(Listed); is && l.Entry.State >= a.least && !a.Down[l.Of] {
		w.Violate("it takes m%d for %v, which is up", l.Of+1, l.Entry.State)
	}
}

// ordered checks the order of an entry's values in a membership list. The incarnation increases. Within an incarnation,
// alive precedes suspected. Failed is the last value.
type ordered struct{ Last map[overdue]Entry }

func (p *ordered) Observe(w model.Watch, o model.Observation) {
	l, is := o.Value.(Listed)
	if !is {
		return
	}
	w.Witness()
	was := p.Last[overdue{l.Of, o.Node}]
	to := l.Entry
	later := to.State == Failed || to.Incarnation > was.Incarnation || to.Incarnation == was.Incarnation && to.State > was.State
	if was.State == Failed || !later {
		w.Violate("m%d was %v in incarnation %d, and is %v in %d", l.Of+1, was.State, was.Incarnation, to.State, to.Incarnation)
	}
	p.Last[overdue{l.Of, o.Node}] = l.Entry
}

// numbered checks that only the member itself increments its incarnation number, each time by one.
type numbered struct{ Own map[model.NodeID]int }

func (n *numbered) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Reborn:
		w.Witness()
		if v.Incarnation != n.Own[o.Node]+1 {
			w.Violate("its incarnation was %d and is %d", n.Own[o.Node], v.Incarnation)
		}
		n.Own[o.Node] = v.Incarnation
	case Listed:
		w.Witness()
		if is := n.Own[v.Of]; v.Entry.Incarnation > is {
			w.Violate("it lists incarnation %d of m%d, which is in %d", v.Entry.Incarnation, v.Of+1, is)
		}
	}
}

// answers checks that a member is in a later incarnation after it hears of its suspicion.
type answers struct{ Own map[model.NodeID]int }

func (a *answers) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Reborn:
		a.Own[o.Node] = v.Incarnation
	case Accused:
		w.Witness()
		if is := a.Own[o.Node]; is <= v.Incarnation {
			w.Violate("it hears that it is suspected in incarnation %d, and is in %d", v.Incarnation, is)
		}
	}
}

// refutes has the goal that a suspected member is listed as alive again.
type refutes struct{ Did bool }

func (r *refutes) Observe(w model.Watch, o model.Observation) {
	if l, is := o.Value.(Listed); is && l.Entry.State == Alive && !r.Did {
		r.Did = true
		w.Witness()
	}
}

// Reached reports whether a suspicion was refuted.
func (r *refutes) Reached() bool { return r.Did }

// String returns the alarm as m1 to m2.
func (o overdue) String() string { return fmt.Sprintf("m%d to m%d", o.Of+1, o.To+1) }
