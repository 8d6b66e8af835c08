package nack

import (
	"fmt"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/claims"
)

const (
	properties = "SDX lecture, desired properties for reliable multicast"
	source     = "SDX lecture, scalable reliable multicasting"
	proofs     = "docs/proofs/multicast-nack.md#"
)

// As in the basic protocol, processes do not fail. Messages may be lost.
var claimed = []model.Claim{
	multicast.Claim(multicast.Group, multicast.Integrity, properties+" 1", proofs+"integrity-and-order"),
	multicast.Claim(multicast.Group, multicast.Validity, properties+" 2", proofs+"validity"),
	multicast.Claim(multicast.Group, multicast.Agreement, properties+" 3", proofs+"agreement", model.NoCrash),
	multicast.Claim(multicast.Group, multicast.FIFOOrder, "SDX lecture, implementing FIFO ordering", proofs+"integrity-and-order"),
	claims.Vacuous(multicast.QueuedAreDelivered("SDX lecture, basic reliable multicasting", proofs+"agreement", model.NoCrash, model.NoMemoryLoss),
		multicast.Once, "nobody multicasts twice"),
	{
		Name: "only one NACK", Kind: model.Always, Source: source, Proof: proofs + "only-one-nack",
		Assumes: []model.Assumption{model.Timed, model.AtMostOnce, model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &onlyOne{} },
	},
	claims.Vacuous(model.Claim{
		Name: "suppression", Kind: model.Always, Source: source, Proof: proofs + "only-one-nack",
		Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &suppression{} },
	}, func(s *model.System) bool { return len(s.Nodes) < 3 || multicast.Once(s) }, "no two processes miss one message"),
	{
		Name: "history kept", Kind: model.Always, Source: source, Proof: proofs + "agreement",
		Assumes: []model.Assumption{model.NoMemoryLoss}, Invariant: historyKept,
	},
	multicast.Returns(proofs + "sending-returns"),
}

// onlyOne checks that the sender of a message receives at most one NACK for it.
type onlyOne struct{ Told map[NACK]bool }

func (n *onlyOne) Observe(w model.Watch, o model.Observation) {
	told, is := o.Value.(Told)
	if !is {
		return
	}
	w.Witness()
	if n.Told[told.By] {
		w.Violate("a second NACK of message %d is delivered to its sender", told.By.Number)
	}
	n.Told[told.By] = true
}

// suppression checks that a process sends no NACK for a missing message after it receives such a NACK.
type suppression struct {
	Heard map[model.NodeID]map[NACK]bool
}

func (s *suppression) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Suppressed:
		w.Witness()
		if s.Heard[o.Node] == nil {
			s.Heard[o.Node] = map[NACK]bool{}
		}
		s.Heard[o.Node][v.By] = true
	case Asks:
		if s.Heard[o.Node][v.For] {
			w.Violate("it sends a NACK of message %d, of which it has heard one", v.For.Number)
		}
	}
}

// historyKept checks "keep messages in the history buffer … to guarantee all retransmissions": the buffer has every
// message that some process has not received.
func historyKept(nodes []model.Node) error {
	for i, p := range processes(nodes) {
		for j, q := range processes(nodes) {
			if p == nil || q == nil || i == j {
				continue
			}
			for number := q.L[model.NodeID(i)] + 1; number <= p.S; number++ {
				if !p.History[number] && !q.HoldBack[model.NodeID(i)][number] {
					return fmt.Errorf("p%d has not received message %d of p%d, which p%d does not keep", j+1, number, i+1, i+1)
				}
			}
		}
	}
	return nil
}

// processes returns the processes of all nodes, also of variants. A crashed node has nil.
func processes(nodes []model.Node) []*Process {
	up := make([]*Process, len(nodes))
	for i, n := range nodes {
		if n != nil {
			up[i] = n.(interface{ process() *Process }).process()
		}
	}
	return up
}

func (p *Process) process() *Process { return p }
