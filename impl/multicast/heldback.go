package multicast

import (
	"contend/model"
	"contend/model/claims"
)

// Held is what a process notes, for monitors, when it puts a message into its hold-back queue.
type Held struct{ Message Message }

// HeldDelivered claims that a process that has put a message into its hold-back queue, and does
// not crash, delivers it in the end.
func HeldDelivered(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{
		Name: "held messages are delivered", Kind: model.Eventually,
		Monitor: func(*model.System) model.Monitor { return &held{} },
	}, source, proof, assumes...)
}

type held struct {
	By map[model.NodeID]map[Message]bool // what each holds
}

func (h *held) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Held:
		w.Witness()
		if h.By[o.Node] == nil {
			h.By[o.Node] = map[Message]bool{}
		}
		h.By[o.Node][v.Message] = true
	case Message:
		delete(h.By[o.Node], v)
	}
	if o.Kind == model.Crashed || len(h.By[o.Node]) == 0 {
		delete(h.By, o.Node)
	}
}

// Reached reports whether nothing is held back.
func (h *held) Reached() bool { return len(h.By) == 0 }

// InSequence claims that each process delivers the messages of each sender one after another,
// from the first on, none twice and none left out. Unlike integrity and FIFO order it holds a
// process that was down to what it delivered before.
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
