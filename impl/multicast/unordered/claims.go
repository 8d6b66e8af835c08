package unordered

import (
	"contend/impl/multicast"
	"contend/model"
)

const (
	desired = "SDX lecture, desired properties for reliable multicast"
	proofs  = "docs/proofs/multicast-unordered.md"
)

// claimed is reliable multicast. Here the channels provide it. Agreement is violated if a process that sends
// to one receiver after another crashes half-way.
var claimed = []model.Claim{
	multicast.Claim(multicast.Group, multicast.Integrity, desired+" 1", proofs+"#integrity", model.AtMostOnce),
	multicast.Claim(multicast.Group, multicast.Validity, desired+" 2", proofs+"#validity-and-agreement", model.NoLoss),
	multicast.Claim(multicast.Group, multicast.Agreement, desired+" 3", proofs+"#validity-and-agreement", model.NoLoss, model.NoCrash),
	multicast.Returns(proofs + "#sending-returns"),
}
