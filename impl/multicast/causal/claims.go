package causal

import (
	"fmt"
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/claims"
)

const (
	properties = "SDX lecture, desired properties for reliable multicast"
	orders     = "SDX lecture, common ordering requirements, B"
	source     = "SDX lecture, implementing causal ordering"
	proofs     = "docs/proofs/multicast-causal.md#"
)

// Order needs neither arrivals nor live processes. Agreement needs both, because no message is sent twice.
var claimed = []model.Claim{
	multicast.Claim(multicast.Group, multicast.CausalOrder, source+": 'only if all causally preceding messages have already been delivered'", proofs+"causal-order"),
	multicast.Claim(multicast.Group, multicast.FIFOOrder, orders+": 'Causal ordering implies FIFO ordering'", proofs+"fifo-order"),
	multicast.Claim(multicast.Group, multicast.Integrity, properties+" 1", proofs+"integrity"),
	multicast.Claim(multicast.Group, multicast.Validity, properties+" 2", proofs+"validity"),
	multicast.Claim(multicast.Group, multicast.Agreement, properties+" 3", proofs+"agreement", model.NoLoss, model.NoCrash),
	multicast.InSequence(source+", 2.a: 'the next expected message'", proofs+"integrity", model.NoMemoryLoss),
	multicast.QueuedAreDelivered(source+", 2: 'until the following conditions are met'", proofs+"agreement",
		model.NoLoss, model.NoCrash, model.NoMemoryLoss, model.AtMostOnce),
	{
		Name: "no longer than needed", Kind: model.Always, Source: source + ", 2: 'until the following conditions are met'",
		Proof: proofs + "vectors", Assumes: []model.Assumption{model.NoMemoryLoss}, Invariant: each(drained),
	},
	{
		Name: "own entries lead", Kind: model.Always, Source: source + ", 1 and 3",
		Proof: proofs + "vectors", Assumes: []model.Assumption{model.NoMemoryLoss}, Invariant: lead,
	},
	claims.From(model.Claim{
		Name: ofReceipts, Kind: model.Always,
		Monitor: func(*model.System) model.Monitor { return &receipts{} },
		Causal:  func(o model.Observation) bool { return o.Kind == model.Invoked },
	}, orders+": 'happened-before-related messages', where a receipt is an event", proofs+"what-happened-before", model.NoMemoryLoss, model.NoCrash),
	claims.From(model.Claim{
		Name: "concurrent messages in either order", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &either{} },
		Apart: func(c model.Check) model.Check { // the smallest check that reaches the goal
			c.Config = multicast.Sized(2, 2, 1)
			return c
		},
	}, orders+" and C", proofs+"total-order"),
	multicast.Returns(proofs + "sending-returns"),
}

const ofReceipts = "causal order, of receipts"

func (p *Process) process() *Process { return p }

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

// each returns an invariant of all processes that are up. It calls f for each such process in each state. An error of f
// is a violation.
func each(f func(j model.NodeID, p *Process) error) func([]model.Node) error {
	return func(nodes []model.Node) error {
		for j, p := range processes(nodes) {
			if p == nil {
				continue
			}
			if err := f(model.NodeID(j), p); err != nil {
				return fmt.Errorf("p%d: %w", j+1, err)
			}
		}
		return nil
	}
}

// drained checks that the conditions of no postponed message are met.
func drained(j model.NodeID, p *Process) error {
	for _, m := range p.HoldBack {
		if p.ready(m, j) {
			return fmt.Errorf("it postpones %v, whose conditions are met", m.Data.Message)
		}
	}
	return nil
}

// lead checks that no process knows more messages of a sender than the sender has sent: VC_j[i] ≤ VC_i[i].
func lead(nodes []model.Node) error {
	up := processes(nodes)
	for i, own := range up {
		for j, p := range up {
			if own != nil && p != nil && p.VC[model.NodeID(i)] > own.VC[model.NodeID(i)] {
				return fmt.Errorf("p%d has delivered %d messages of p%d, which has sent %d",
					j+1, p.VC[model.NodeID(i)], i+1, own.VC[model.NodeID(i)])
			}
		}
	}
	return nil
}

// receipts checks causal order by happened-before between events. A message precedes another message if its multicast
// happened before the other's multicast. Receipts count, whether or not the message was delivered by then.
type receipts struct {
	Before    map[model.NodeID][][]int32 // by message of a sender: the number of each process's messages that happened before it, with itself
	Delivered map[model.NodeID]map[multicast.Message]bool
}

func (r *receipts) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		r.Before[o.Node] = append(r.Before[o.Node], o.Past)
	case model.Crashed:
		delete(r.Delivered, o.Node)
	case model.Delivered:
		r.delivers(w, o.Node, o.Value.(multicast.Message))
	}
}

func (r *receipts) delivers(w model.Watch, j model.NodeID, m multicast.Message) {
	if r.Delivered[j] == nil {
		r.Delivered[j] = map[multicast.Message]bool{}
	}
	r.Delivered[j][m] = true
	for sender, count := range r.Before[m.Sender][m.Number-1] {
		for number := 1; number <= int(count); number++ {
			before := multicast.Message{Sender: model.NodeID(sender), Number: number}
			if before != m {
				w.Witness()
			}
			if !r.Delivered[j][before] {
				w.Violate("it delivers a message, but not yet one whose multicast happened before")
				return
			}
		}
	}
}

// either has the goal that two processes deliver two messages in different orders.
type either struct {
	Delivered map[model.NodeID][]multicast.Message
	Did       bool
}

func (e *either) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Delivered || e.Did {
		return
	}
	m := o.Value.(multicast.Message)
	for _, earlier := range e.Delivered[o.Node] {
		for _, other := range e.Delivered {
			if after(other, earlier, m) {
				w.Witness()
				e.Did = true
			}
		}
	}
	e.Delivered[o.Node] = append(e.Delivered[o.Node], m)
	if e.Did {
		e.Delivered = nil
	}
}

// after reports whether one message follows another in a list.
func after(list []multicast.Message, one, other multicast.Message) bool {
	at := slices.Index(list, other)
	return at >= 0 && slices.Contains(list[at+1:], one)
}

// Reached reports whether there were two such messages.
func (e *either) Reached() bool { return e.Did }
