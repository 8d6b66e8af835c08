package agreed

import (
	"contend/impl/multicast"
	"contend/model"
)

const (
	desired = "SDX lecture, desired properties for reliable multicast"
	total   = "SDX lecture, common ordering requirements C"
	way     = "SDX lecture, implementing total ordering b)"
	proofs  = "docs/proofs/multicast-agreed.md"
)

var (
	// safe assumes less than the lecture's reliable multicast: processes may crash, and messages may be lost.
	safe = []model.Assumption{model.AtMostOnce}
	live = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash}
)

var claimed = []model.Claim{
	multicast.Claim(multicast.Group, multicast.Integrity, desired+" 1", proofs+"#integrity", safe...),
	multicast.Claim(multicast.Group, multicast.Validity, desired+" 2", proofs+"#validity-and-agreement", live...),
	multicast.Claim(multicast.Group, multicast.Agreement, desired+" 3", proofs+"#validity-and-agreement", live...),
	multicast.Claim(multicast.Group, multicast.TotalOrder, total, proofs+"#total-order", safe...),
	multicast.Claim(multicast.Group, multicast.UniformTotalOrder, total+", also of processes that crash", proofs+"#total-order", safe...),
	step("no proposal above the agreed number", "#facts", func() model.Monitor { return &ceiling{} }),
	step("one message a number", "#facts", func() model.Monitor { return &unique{} }),
	step("delivered numbers increase", "#total-order", func() model.Monitor { return &increasing{} }),
	multicast.Returns(proofs + "#sending-returns"),
}

// step returns a claim of a step of the proof.
func step(name, proof string, monitor func() model.Monitor) model.Claim {
	return model.Claim{
		Name: name, Kind: model.Always, Source: way, Proof: proofs + proof,
		Assumes: append([]model.Assumption{model.NoMemoryLoss}, safe...),
		Monitor: func(*model.System) model.Monitor { return monitor() },
	}
}
