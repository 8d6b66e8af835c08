package maekawa

import (
	"fmt"

	"contend/impl/mutex"
	"contend/model"
)

const (
	lecture = "SDX lecture, Maekawa's voting algorithm"
	proofs  = "docs/proofs/maekawa.md#"
)

var claimed = []model.Claim{
	mutex.Exclusion(lecture+", safety", proofs+"mutual-exclusion", model.AtMostOnce, model.NoMemoryLoss),
	mutex.Linearizable(lecture+", safety", proofs+"mutual-exclusion", model.AtMostOnce, model.NoMemoryLoss),
	{
		Name: "one candidate", Kind: model.Always, Source: lecture + ", on the intersection of two sets", Proof: proofs + "mutual-exclusion",
		Assumes:   []model.Assumption{model.AtMostOnce, model.NoMemoryLoss},
		Invariant: oneCandidate,
	},
	circular("only a circular wait blocks", "problem 1", "liveness", nobody, model.NoCrash),
	mutex.DeadlockFreedom(lecture+", liveness", proofs+"liveness", failFree...),
	mutex.Granted(lecture+", liveness", proofs+"liveness", failFree...),
	mutex.HappenedBefore(lecture+", happened-before ordering", proofs+"happened-before-order", model.AtMostOnce, model.NoMemoryLoss),
	circular("failures in other sets", "problem 2", "failures", ownSet),
	circular("failures in no set that is asked", "problem 2", "failures", anySet),
}

// failFree is "assuming that processes do not fail and message delivery is reliable".
var failFree = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss}

// oneCandidate checks that all members of its voting set have voted for a process in the section: "processes in the
// intersection of two sets ensure the safety property by voting for only one candidate".
func oneCandidate(nodes []model.Node) error {
	for i, n := range nodes {
		p, is := n.(candidate)
		if !is {
			continue // it failed
		}
		for _, v := range p.supporters(model.NodeID(i)) {
			if voter, up := nodes[v].(candidate); up && voter.votedFor() != model.Some(model.NodeID(i)) {
				return fmt.Errorf("p%d is inside, but the vote of p%d is not for it", i, v)
			}
		}
	}
	return nil
}

// A candidate is the view that [oneCandidate] has of a process.
type candidate interface {
	// supporters returns the voting set of a process in the section, and otherwise nil.
	supporters(self model.NodeID) []model.NodeID
	votedFor() model.Optional[model.NodeID]
}

func (p *Process) supporters(self model.NodeID) []model.NodeID {
	if !p.Accessing {
		return nil
	}
	return p.cfg.Sets[self]
}

func (p *Process) votedFor() model.Optional[model.NodeID] { return p.Vote }
