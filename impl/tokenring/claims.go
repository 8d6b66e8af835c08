package tokenring

import (
	"errors"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/claims"
)

const (
	properties = "SDX lecture, desired properties"
	steps      = "SDX lecture, token ring algorithm"
	problems   = "SDX lecture, token ring algorithm, problems"
	proofs     = "docs/proofs/tokenring.md"
)

var claimed = []model.Claim{
	mutex.Exclusion(properties+" 1", proofs+"#safety", safe...),
	mutex.Linearizable(properties+" 1", proofs+"#safety", safe...),
	{
		Name: "one holder", Kind: model.Always, Source: steps, Proof: proofs + "#safety",
		Assumes: safe, Invariant: oneHolder,
	},
	claims.Vacuous(mutex.DeadlockFreedom(properties+" 2", proofs+"#liveness", failFree...), func(*model.System) bool { return true },
		"the token circulates for ever, so no run stops"),
	mutex.Granted(properties+" 2", proofs+"#liveness", failFree...),
	claims.From(claims.BoundedOvertaking(1, nil), properties+" 2", proofs+"#liveness", safe...),
	mutex.HappenedBefore(properties+" 3", proofs+"#happened-before-order", safe...),
	regenerated(),
	grantedInTime(),
	claims.From(claims.CrashSurvived(), problems+": 'send the token to the next member down the line'", proofs+"#a-process-that-crashes", model.AtMostOnce, model.NoCrash, model.NoMemoryLoss),
	{
		Name: "no loss is final", Kind: model.PossibleFromEverywhere, Done: true, Source: problems, Proof: proofs + "#a-lost-token",
		Assumes: failFree,
	},
}

var (
	// safe is less than the lecture assumes: processes may crash and messages may be lost.
	safe = []model.Assumption{model.AtMostOnce, model.NoMemoryLoss}
	// failFree is "assuming that processes do not fail and message delivery is reliable".
	failFree = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss}
)

// oneHolder says that one process at most is in the section by its own state, from the
// arrival of the token until it passes it on.
func oneHolder(nodes []model.Node) error {
	holders := 0
	for _, n := range nodes {
		if m, is := n.(member); is && m.holds() {
			holders++
		}
	}
	if holders > 1 {
		return errors.New("two processes hold the token")
	}
	return nil
}

// A member is a process, or a node that embeds one.
type member interface{ holds() bool }

func (p *Process) holds() bool { return p.Inside }

// regenerated is mutual exclusion where the token may be regenerated, which takes time to tell
// whether it is lost.
func regenerated() model.Claim {
	c := mutex.Exclusion(problems, proofs+"#a-lost-token", append([]model.Assumption{model.Timed, model.NoCrash}, safe...)...)
	c.Name = "mutual exclusion, timed"
	return c
}

// grantedInTime is that every request is granted, if the token may be regenerated: the new token
// lets waiting processes enter.
func grantedInTime() model.Claim {
	c := mutex.Granted(problems+": 'it must be regenerated'", proofs+"#a-lost-token", append([]model.Assumption{model.Timed}, failFree...)...)
	c.Name = "every request is granted, timed"
	return c
}
