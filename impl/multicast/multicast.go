// Package multicast is what the multicast protocols have in common: what an application multicasts
// and what it is delivered, which processes multicast, and the claims about deliveries.
//
// The processes of a group are the nodes of the system. An operation multicasts the next
// message of its process and returns as soon as the protocol has taken it; what the protocol
// delivers, at the sender as well, is a [Message]. The claims and their names are the SDX
// lecture's ("desired properties for reliable multicast", "common ordering requirements"), their
// monitors those of [claims.Group].
//
// A hold-back queue is watched by [QueuedAreDelivered]; an [Outbox] has a process send to one after
// another, so that it may crash half-way.
package multicast

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/claims"
	"contend/model/costs"
)

// Multicast is what the application invokes. It returns once the protocol has taken the
// message, whose number is the next of its sender.
type Multicast struct{}

// A Message is what is delivered. Sender and Number name it: Number counts the messages of
// the sender, from 1.
type Message struct {
	Sender model.NodeID
	Number int
}

// Group reads the operations and the deliveries of a group that nobody joins or leaves.
var Group = claims.Group{Message: Named}

// Named is the name of a delivered [Message], for a [claims.Group].
func Named(delivered any) claims.Message {
	m := delivered.(Message)
	return claims.Message{Sender: m.Sender, Number: m.Number}
}

// Senders is how many of the processes ever multicast: the first ones.
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

// Script is what the application of the process with an index, from 0, does: it multicasts as
// often as [Messages] says, whenever it likes; nothing where the process is not one of the
// [Senders].
func Script(c model.Config, index int) []model.Op {
	if senders := Senders.Of(c); senders != 0 && index >= senders {
		return nil
	}
	return slices.Repeat([]model.Op{{Call: Multicast{}, After: model.Anytime()}}, Messages.Of(c))
}

// Specs are the nodes p1 to pN, peers that run what process makes and multicast as [Script] says.
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

// Claim is the claim of a name about a group, with its source, its proof and what it assumes
// besides [model.NoMemoryLoss].
func Claim(g claims.Group, name, source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(all(g)[name], source, proof, assumes...)
}

// Others are the claims about a group that a protocol does not make, for
// [model.Protocol.Properties]: all but those of the given names.
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

// PerMulticast are the messages that are sent on behalf of a multicast, also after its return:
// read at the end of the run. behalf is as for [costs.PerOperation].
func PerMulticast(behalf func(o model.Observation) (model.NodeID, bool)) *model.Cost {
	c := costs.PerPassage(behalf)
	c.Name = "messages per multicast"
	c.Meaning = "Messages that any process sends on behalf of a multicast, in a whole run."
	return c
}
