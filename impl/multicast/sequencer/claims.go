package sequencer

import (
	"fmt"

	"contend/impl/multicast"
	"contend/model"
)

const (
	desired = "SDX lecture, desired properties for reliable multicast"
	total   = "SDX lecture, common ordering requirements C"
	way     = "SDX lecture, implementing total ordering a)"
	proofs  = "docs/proofs/multicast-sequencer.md"
)

// Each claim needs less than the lecture's reliable multicast needs. A crash of the sequencer, or a lost
// message, stops deliveries, but violates no order.
var claimed = []model.Claim{
	multicast.Claim(multicast.Group, multicast.Integrity, desired+" 1", proofs+"#integrity", model.AtMostOnce),
	multicast.Claim(multicast.Group, multicast.Validity, desired+" 2", proofs+"#validity", model.NoLoss, model.NoCrash),
	multicast.Claim(multicast.Group, multicast.Agreement, desired+" 3", proofs+"#agreement", model.NoLoss),
	multicast.Claim(multicast.Group, multicast.UniformAgreement, desired+" 3, also of processes that crash", proofs+"#agreement", model.NoLoss),
	multicast.Claim(multicast.Group, multicast.TotalOrder, total, proofs+"#total-order", model.AtMostOnce),
	multicast.Claim(multicast.Group, multicast.UniformTotalOrder, total+", also of processes that crash", proofs+"#total-order", model.AtMostOnce),
	{
		Name: "one message a number", Kind: model.Always, Source: way, Proof: proofs + "#total-order",
		Assumes: []model.Assumption{model.NoMemoryLoss}, Invariant: oneMessage,
	},
	multicast.Returns(proofs + "#sending-returns"),
}

// process returns the process that a node is or contains.
func (p *Process) process() *Process { return p }

// oneMessage claims that no two processes hold back different messages with the same number.
func oneMessage(nodes []model.Node) error {
	held := map[int]multicast.Message{}
	for _, n := range nodes {
		p, is := n.(interface{ process() *Process })
		if !is {
			continue
		}
		for number, m := range p.process().HoldBack {
			if other, known := held[number]; known && other != m {
				return fmt.Errorf("number %d is that of messages %v and %v", number, other, m)
			}
			held[number] = m
		}
	}
	return nil
}
