package multicast

import "contend/model"

// Returns claims that each multicast returns to its application in the end: to send waits for
// nobody that has failed.
func Returns(proof string, assumes ...model.Assumption) model.Claim {
	return model.Claim{
		Name: "sending returns", Kind: model.Eventually, Done: true, Source: "SDX lecture, multicast communication: 'multicast(g, m)' is an operation of the application",
		Proof: proof, Assumes: append([]model.Assumption{model.NoLoss, model.NoCrash, model.NoMemoryLoss}, assumes...),
	}
}
