// Package multicast has the common parts of the multicast protocols: the application's multicasts and
// deliveries, the processes that multicast, and the claims about deliveries.
//
// The processes of a group are the nodes of the system. An operation multicasts the next message of its
// process and returns as soon as the protocol has accepted it. The protocol delivers a [Message], at the
// sender as well. The claims and their names are the SDX lecture's ("desired properties for reliable
// multicast", "common ordering requirements"). Their monitors are from [claims.Group].
//
// [QueuedAreDelivered] monitors a hold-back queue. An [Outbox] makes a process send to one receiver after
// another, so that it may crash half-way.
package multicast

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/claims"
	"contend/model/costs"
)

// Multicast is the application's operation. It returns once the protocol has accepted the message. The
// message has the next number of its sender.
type Multicast struct{}

// A Message is a delivered message. Sender and Number identify it: Number counts the messages of the sender,
// from 1.
type Message struct {
	Sender model.NodeID
	Number int
}

// Group reads the operations and the deliveries of a group that nobody joins or leaves.
var Group = claims.Group{Message: Named}

// Named returns the name of a delivered [Message], for a [claims.Group].
func Named(delivered any) claims.Message {
	m := delivered.(Message)
	return claims.Message{Sender: m.Sender, Number: m.Number}
}

// Senders is the number of processes that multicast: the first ones.
var Senders = model.Param[int]{
	Name: "senders", Meaning: "how many processes multicast: the first ones", Most: 32, All: true,
}

// Processes and Messages are the sizes of a group.
var (
	Processes = model.N.WithMeaning("processes").WithDefault(3)
	Messages  = model.Ops.WithMeaning("messages of each sender")
)

// CheckSenders refuses a configuration in which more processes multicast than there are.
func CheckSenders(c model.Config) error {
	if senders := Senders.Of(c); senders > c.N {
		return fmt.Errorf("senders is %d, but must be at most n = %d", senders, c.N)
	}
	return nil
}

// Script returns the operations of a process's application. The index of the process counts from 0. The
// application multicasts [Messages] times, at any times, if the process is one of the [Senders], and
// otherwise never.
func Script(c model.Config, index int) []model.Op {
	if senders := Senders.Of(c); senders != 0 && index >= senders {
		return nil
	}
	return slices.Repeat([]model.Op{{Call: Multicast{}, After: model.Anytime()}}, Messages.Of(c))
}

// Specs returns the nodes p1 to pN. They are peers that run the results of process and multicast by [Script].
func Specs(c model.Config, process func(id model.NodeID) model.Node) []model.NodeSpec {
	specs := make([]model.NodeSpec, c.N)
	for i := range specs {
		specs[i] = model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Script: Script(c, i),
			New: func() model.Node { return process(model.NodeID(i)) },
		}
	}
	return specs
}

// The names of the claims.
const (
	Integrity         = "integrity"
	Validity          = "validity"
	Agreement         = "agreement"
	UniformAgreement  = "uniform agreement"
	FIFOOrder         = "FIFO order"
	CausalOrder       = "causal order"
	TotalOrder        = "total order"
	UniformTotalOrder = "uniform total order"
)

// Claim returns the claim with a name about a group, with its source, its proof and its assumptions besides
// [model.NoMemoryLoss].
func Claim(g claims.Group, name, source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(all(g)[name], source, proof, assumes...)
}

// Others returns the claims about a group that a protocol does not make, for [model.Protocol.Properties].
func Others(g claims.Group, claimed []model.Claim) []model.Claim {
	var others []model.Claim
	for _, name := range []string{Integrity, Validity, Agreement, UniformAgreement, FIFOOrder, CausalOrder, TotalOrder, UniformTotalOrder} {
		if !slices.ContainsFunc(claimed, func(c model.Claim) bool { return c.Name == name }) {
			others = append(others, all(g)[name])
		}
	}
	return others
}

func all(g claims.Group) map[string]model.Claim {
	byName := map[string]model.Claim{}
	for _, c := range []model.Claim{
		g.Integrity(), g.Validity(), g.Agreement(), g.UniformAgreement(),
		g.FIFOOrder(), g.CausalOrder(), g.TotalOrder(), g.UniformTotalOrder(),
	} {
		byName[c.Name] = c
	}
	return byName
}

// PerMulticast returns the cost of messages that are sent on behalf of a multicast, also after its return.
// Read it at the end of the run. The function behalf is as for [costs.PerOperation].
func PerMulticast(behalf func(o model.Observation) (model.NodeID, bool)) *model.Cost {
	c := costs.PerPassage(behalf)
	c.Name = "messages per multicast"
	c.Meaning = "Messages that any process sends on behalf of a multicast, in a whole run."
	return c
}
