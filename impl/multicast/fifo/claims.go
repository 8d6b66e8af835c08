package fifo

import (
	"fmt"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/claims"
)

const (
	properties = "SDX lecture, desired properties for reliable multicast"
	orders     = "SDX lecture, common ordering requirements, A"
	source     = "SDX lecture, implementing FIFO ordering"
	details    = "SDX lecture, basic reliable multicasting"
	proofs     = "docs/proofs/multicast-fifo.md#"
)

// Order needs neither arrivals nor live processes. Agreement needs both, because no message is sent twice.
var claimed = []model.Claim{
	multicast.Claim(multicast.Group, multicast.FIFOOrder, orders, proofs+"fifo-order"),
	multicast.Claim(multicast.Group, multicast.Integrity, properties+" 1", proofs+"integrity"),
	multicast.Claim(multicast.Group, multicast.Validity, properties+" 2", proofs+"validity"),
	multicast.Claim(multicast.Group, multicast.Agreement, properties+" 3", proofs+"agreement", model.NoLoss, model.NoCrash),
	claims.From(multicast.Group.Reach(), properties+" 2 and 3, of a sender that does not crash", proofs+"agreement", model.NoLoss),
	multicast.InSequence(source, proofs+"fifo-order", model.NoMemoryLoss),
	claims.Vacuous(multicast.QueuedAreDelivered(details, proofs+"agreement", model.NoLoss, model.NoCrash, model.NoMemoryLoss),
		multicast.Once, "nobody multicasts twice"),
	{
		Name: "no longer than needed", Kind: model.Always, Source: source + ": 'until its sequence number is reached'",
		Proof: proofs + "no-longer-than-needed", Assumes: []model.Assumption{model.NoMemoryLoss}, Invariant: drained,
	},
	claims.From(model.Claim{
		Name: "a message is held back", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &holds{} },
		Apart: func(c model.Check) model.Check { // the smallest check that reaches the goal
			c.Config = multicast.Sized(2, 1, 2)
			return c
		},
	}, source+": 'delayed (in a hold-back queue)'", proofs+"a-message-is-held-back"),
	multicast.Returns(proofs + "sending-returns"),
}

// drained checks that no process holds back its next message.
func drained(nodes []model.Node) error {
	for i, n := range nodes {
		p, up := n.(interface{ process() *Process })
		if !up {
			continue
		}
		for from, held := range p.process().HoldBack {
			last := p.process().L[from]
			if _, holds := held[last+1]; holds {
				return fmt.Errorf("p%d holds back message %d of p%d, and has delivered %d", i+1, last+1, from+1, last)
			}
		}
	}
	return nil
}

func (p *Process) process() *Process { return p }

// holds has the goal that a message is held back and delivered later.
type holds struct {
	Held map[model.NodeID]map[multicast.Message]bool
	Did  bool
}

func (h *holds) Observe(w model.Watch, o model.Observation) {
	if h.Did {
		return
	}
	switch v := o.Value.(type) {
	case multicast.Held:
		if h.Held[o.Node] == nil {
			h.Held[o.Node] = map[multicast.Message]bool{}
		}
		h.Held[o.Node][v.Message] = true
	case multicast.Message:
		if h.Held[o.Node][v] {
			w.Witness()
			h.Did, h.Held = true, nil
		}
	}
}

// Reached reports whether such a message was delivered.
func (h *holds) Reached() bool { return h.Did }
