package changroberts

import (
	"contend/impl/election"
	"contend/model"
)

const (
	properties = "SDX lecture, desired properties for election algorithms"
	algorithm  = "SDX lecture, Chang and Roberts' ring algorithm"
	proofs     = "docs/proofs/changroberts.md"
)

// The text assumes no more than that the "system is asynchronous". That nobody fails is what it
// says of liveness; that nobody who has won crashes is part of safety.
var (
	failFree = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss}
	upright  = []model.Assumption{model.NoCrash, model.NoMemoryLoss}
	once     = []model.Assumption{model.AtMostOnce, model.NoMemoryLoss}
)

var claimed = []model.Claim{
	election.Safety(properties+" 1", proofs+"#safety", upright...),
	election.OneCoordinator("SDX lecture, election algorithms: 'pick a unique coordinator'", proofs+"#safety"),
	election.Liveness(properties+" 2", proofs+"#liveness", failFree...),
	election.Concludes("SDX lecture, election algorithms: 'all the processes agreeing'", proofs+"#liveness", failFree...),
	election.LargestInTheEnd(properties+" 1", proofs+"#liveness", failFree...),
	{
		Name: "elections conclude", Kind: model.Eventually, Done: true, Source: "SDX lecture, election algorithms: 'an election concludes'",
		Proof: proofs + "#liveness", Assumes: failFree,
	},
	{
		Name: "all participate", Kind: model.Always, Source: properties + " 2", Proof: proofs + "#all-participate",
		Assumes: once, Monitor: func(*model.System) model.Monitor { return &participation{} },
	},
	{
		Name: "killed off", Kind: model.Always, Source: algorithm + ": 'redundant election messages are killed off'",
		Proof: proofs + "#killed-off", Assumes: append([]model.Assumption{model.NoLoss}, once...), Monitor: func(*model.System) model.Monitor { return &redundancy{} },
	},
	election.Told(proofs + "#the-answer"),
}

// participation says that a process decides only on an election in which it has participated,
// and once on each.
type participation struct{ In map[model.NodeID]bool }

func (p *participation) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Crashed:
		delete(p.In, o.Node)
	case o.Kind == model.Noted && o.Value == any(election.Undecided{}):
		p.In[o.Node] = true
	case o.Kind == model.Noted:
		if _, decides := o.Value.(election.Decided); decides {
			w.Witness()
			if !p.In[o.Node] {
				w.Violate("it decides on an election in which it has not participated")
			}
			delete(p.In, o.Node)
		}
	}
}

// redundancy says that in an election, until it decides, a process sends no smaller ID than its own, and
// each once. So of n processes that with the k-th ID sends n-k+1 Election messages at most, and
// all together send n(n+1)/2.
type redundancy struct {
	Sent map[model.NodeID]uint32 // a bit for each ID
}

func (r *redundancy) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		delete(r.Sent, o.Node)
	}
	if o.Kind != model.Noted {
		return
	}
	switch note := o.Value.(type) {
	case election.Decided:
		delete(r.Sent, o.Node)
	case Sent:
		w.Witness()
		if note.ID < o.Node || r.Sent[o.Node]>>note.ID&1 == 1 {
			w.Violate("it sends an Election message that is redundant")
		}
		r.Sent[o.Node] |= 1 << note.ID
	}
}
