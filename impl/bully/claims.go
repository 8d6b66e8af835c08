package bully

import (
	"slices"

	"contend/impl/election"
	"contend/model"
	"contend/model/claims"
)

const (
	properties = "SDX lecture, desired properties for election algorithms"
	algorithm  = "SDX lecture, bully algorithm"
	proofs     = "docs/proofs/bully.md"
)

var (
	// synchronous is "the system is synchronous" and "message delivery between processes is reliable".
	synchronous = []model.Assumption{model.Synchronous, model.NoLoss, model.NoPartition, model.AtMostOnce}
	// unrestarted leaves out that a process "restarts with an ongoing election".
	unrestarted = append(slices.Clip(synchronous), model.NoMemoryLoss)
	failFree    = append(slices.Clip(unrestarted), model.NoCrash)
)

var claimed = []model.Claim{
	election.Safety(properties+" 1", proofs+"#safety", failFree...),
	withCrashes(),
	{
		Name: "no smaller coordinator", Kind: model.Always, Source: properties + " 1, but for who has crashed since it won",
		Proof: proofs + "#safety", Assumes: unrestarted,
		Monitor: func(s *model.System) model.Monitor { return &bounded{election.NewStanding(s)} },
	},
	election.OneCoordinator("SDX lecture, election algorithms: 'pick a unique coordinator'", proofs+"#safety", unrestarted...),
	election.Liveness(properties+" 2", proofs+"#liveness", synchronous...),
	election.Concludes("SDX lecture, election algorithms: 'all the processes agreeing'", proofs+"#liveness", unrestarted...),
	election.LargestInTheEnd(properties+" 1", proofs+"#liveness", unrestarted...),
	claims.Vacuous(model.Claim{
		Name: "elections conclude", Kind: model.Eventually, Done: true, Source: "SDX lecture, election algorithms: 'an election concludes'",
		Proof: proofs + "#liveness", Assumes: unrestarted,
	}, election.Unasked, "no application initiates one"),
	{
		Name: "one at a time", Kind: model.Always, Source: "SDX lecture, election algorithms: 'it can only initiate one at a time'",
		Proof: proofs + "#one-at-a-time", Monitor: func(*model.System) model.Monitor { return &single{} },
	},
	{
		Name: "no needless reinitiation", Kind: model.Always, Source: algorithm + ", d: 'if this message is not received'",
		Proof: proofs + "#the-time-outs", Assumes: failFree, Monitor: func(*model.System) model.Monitor { return &patience{} },
	},
	election.Told(proofs + "#the-answer"),
}

// withCrashes claims safety with crashes, for each decision. The claim about the end of a run is
// [election.LargestInTheEnd].
func withCrashes() model.Claim {
	c := election.Safety(properties+" 1, read of each moment", proofs+"#safety-where-processes-crash", unrestarted...)
	c.Name = crashSafety
	return c
}

// crashSafety is a claim that options do not make: it fails of each for the same reason.
const crashSafety = "safety, with crashes"

// bounded claims that a process never decides on a process smaller than the largest that is up. It decides on
// the largest that is up, or on a larger process that has crashed.
type bounded struct{ election.Standing }

func (b *bounded) Observe(w model.Watch, o model.Observation) {
	if !b.Follow(o) {
		return
	}
	w.Witness()
	if largest, ok := b.Largest(); ok && b.On[o.Node] < largest {
		w.Violate("it decides on a process that is smaller than the largest that is up")
	}
}

// single claims that a process begins an election only when its previous election has ended: the process has
// decided, or has stopped waiting.
type single struct{ In map[model.NodeID]bool }

func (s *single) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		delete(s.In, o.Node)
	}
	if o.Kind != model.Noted {
		return
	}
	switch o.Value.(type) {
	case election.Begun:
		w.Witness()
		if s.In[o.Node] {
			w.Violate("it begins an election during another of its own")
		}
		s.In[o.Node] = true
	case election.Decided, Reinitiates:
		delete(s.In, o.Node)
	}
}

// patience claims that no process has to restart an election.
type patience struct{}

func (*patience) Observe(w model.Watch, o model.Observation) {
	switch o.Value.(type) {
	case election.Begun:
		w.Witness()
	case Reinitiates:
		w.Violate("it begins its election anew, though nobody has crashed")
	}
}
