package multicast

import (
	"contend/model"
	"contend/model/claims"
)

// InSequence claims that each process delivers the messages of each sender in sequence from the first on,
// none twice and none omitted. Unlike integrity and FIFO order, a restart does not reset the deliveries that
// count.
func InSequence(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{
		Name: "in sequence", Kind: model.Always,
		Monitor: func(*model.System) model.Monitor { return &sequence{} },
	}, source, proof, assumes...)
}

type sequence struct {
	Last map[model.NodeID]map[model.NodeID]int // of each process, by sender
}

func (s *sequence) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Delivered {
		return
	}
	w.Witness()
	m := o.Value.(Message)
	last := s.Last[o.Node]
	if last == nil {
		last = map[model.NodeID]int{}
		s.Last[o.Node] = last
	}
	if m.Number != last[m.Sender]+1 {
		w.Violate("it delivers message %d of a sender after %d", m.Number, last[m.Sender])
	}
	last[m.Sender] = m.Number
}
