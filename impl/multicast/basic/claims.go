package basic

import (
	"fmt"
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/claims"
)

const (
	properties = "SDX lecture, desired properties for reliable multicast"
	source     = "SDX lecture, basic reliable multicasting"
	proofs     = "docs/proofs/multicast-basic.md#"
)

// The lecture's "assuming that processes do not fail and do not join/leave the group". It does not assume
// that no message is lost.
var claimed = []model.Claim{
	multicast.Claim(multicast.Group, multicast.Integrity, properties+" 1", proofs+"integrity-and-order"),
	multicast.Claim(multicast.Group, multicast.Validity, properties+" 2", proofs+"validity"),
	multicast.Claim(multicast.Group, multicast.Agreement, properties+" 3", proofs+"agreement", model.NoCrash),
	multicast.Claim(multicast.Group, multicast.FIFOOrder, "SDX lecture, implementing FIFO ordering", proofs+"integrity-and-order"),
	{
		Name: "all or none", Kind: model.Eventually, Source: "SDX lecture, multicast communication: 'to all processes in a group or to none at all'",
		Proof: proofs + "agreement", Assumes: failFree,
		Monitor: newAllOrNone,
	},
	claims.Vacuous(multicast.QueuedAreDelivered(source, proofs+"agreement", failFree...),
		multicast.Once, "nobody multicasts twice"),
	{
		Name: "history kept", Kind: model.Always, Source: source, Proof: proofs + "the-history-buffer",
		Assumes: []model.Assumption{model.NoMemoryLoss}, Invariant: historyKept,
	},
	{
		Name: "history emptied", Kind: model.Eventually, Source: source, Proof: proofs + "the-history-buffer", Assumes: failFree,
		Monitor: func(*model.System) model.Monitor { return &emptied{} },
	},
	multicast.Returns(proofs + "sending-returns"),
}

var failFree = []model.Assumption{model.NoCrash, model.NoMemoryLoss}

// allOrNone claims that all processes eventually deliver every message that one process has delivered. A
// process that is down and may restart owes nothing. After the restart the claim applies to it again.
type allOrNone struct {
	processes []model.NodeID
	Outage    multicast.Outage
	Owed      map[multicast.Message]owed // what somebody has not delivered
}

type owed struct {
	Begun bool // somebody has delivered it
	By    map[model.NodeID]bool
}

func newAllOrNone(s *model.System) model.Monitor {
	return &allOrNone{processes: s.IDs(func(model.NodeSpec) bool { return true })}
}

func (a *allOrNone) Observe(w model.Watch, o model.Observation) {
	a.Outage.Follow(o)
	switch o.Kind {
	case model.Invoked:
		a.Owed[multicast.Message{Sender: o.Node, Number: o.Value.(Multicast).Number}] = owed{By: setOf(a.processes)}
	case model.Delivered:
		w.Witness()
		a.delivered(o.Node, o.Value.(multicast.Message))
	}
}

func (a *allOrNone) delivered(by model.NodeID, m multicast.Message) {
	of, is := a.Owed[m]
	if !is {
		return // all had delivered it
	}
	delete(of.By, by)
	of.Begun = true
	if a.Owed[m] = of; len(of.By) == 0 {
		delete(a.Owed, m)
	}
}

// Reached reports whether nobody owes what another has delivered.
func (a *allOrNone) Reached() bool {
	for _, of := range a.Owed {
		if of.Begun && !a.Outage.Lasts() {
			return false
		}
	}
	return true
}

// emptied claims that each message is eventually removed from the history buffer of its sender.
type emptied struct {
	Outage multicast.Outage
	Kept   map[multicast.Message]bool
}

func (e *emptied) Observe(w model.Watch, o model.Observation) {
	e.Outage.Follow(o)
	switch v := o.Value.(type) {
	case Multicast:
		if o.Kind == model.Invoked {
			w.Witness()
			e.Kept[multicast.Message{Sender: o.Node, Number: v.Number}] = true
		}
	case Removed:
		delete(e.Kept, v.Message)
	}
}

// Reached reports whether all history buffers are empty.
func (e *emptied) Reached() bool { return len(e.Kept) == 0 || e.Outage.Lasts() }

// Misses returns the messages that are still in the buffers.
func (e *emptied) Misses(name func(model.NodeID) string) (all []string) {
	for m := range e.Kept {
		all = append(all, fmt.Sprintf("%s still keeps its message %d", name(m.Sender), m.Number))
	}
	slices.Sort(all)
	return all
}

// historyKept checks the converse of "removes a message from the history buffer when everyone has
// acknowledged receipt": a message that some process has not received is in the buffer.
func historyKept(nodes []model.Node) error {
	for i, p := range processes(nodes) {
		for j, q := range processes(nodes) {
			if p == nil || q == nil || i == j {
				continue
			}
			for number := q.L[model.NodeID(i)] + 1; number <= p.S; number++ {
				_, kept := p.History[number]
				_, held := q.HoldBack[model.NodeID(i)][number]
				if !kept && !held {
					return fmt.Errorf("p%d has not received message %d of p%d, which p%d does not keep", j+1, number, i+1, i+1)
				}
			}
		}
	}
	return nil
}

// processes returns the nodes that are up, of any variant. It has nil for a node that is down.
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
