package mutex

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/claims"
	"contend/model/costs"
)

// Peers are the processes of a lock that has no coordinator.
type Peers struct {
	Processes []model.NodeID
	Holder    model.NodeID // the first holder of the token, if the lock has a token; by default the first process
}

// NewPeers returns n processes.
func NewPeers(n int) *Peers {
	p := &Peers{}
	for i := range n {
		p.Processes = append(p.Processes, model.NodeID(i))
	}
	return p
}

// Others returns all processes except one.
func (p *Peers) Others(self model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(p.Processes), func(id model.NodeID) bool { return id == self })
}

// Specs returns the nodes of a configuration, each with the [Script] of its process. It calls made for each new node.
func Specs(c model.Config, made func() model.Node) (specs []model.NodeSpec) {
	for i := range c.N {
		specs = append(specs, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Script: Script(c, i), Crash: model.CrashStopRecovery, New: made,
		})
	}
	return specs
}

// Of returns the configuration of n processes with a number of entries each.
func Of(n, ops int) model.Config { return model.Config{N: n}.With(model.Ops.Is(ops)) }

// The assumptions of claims about locks with a token. The sources ignore faults. Exclusion and the order of entries
// hold although messages are lost and processes crash.
var (
	Kept     = []model.Assumption{model.AtMostOnce, model.NoMemoryLoss}
	FailFree = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss}
)

// A TokenNode is a process of a lock by a token.
type TokenNode interface {
	// HasToken reports whether the process holds the token, and whether it is inside.
	HasToken() (holds, inside bool)
}

// OneToken claims that at most one process holds the token, and that only the holder is in the section.
func OneToken(source, proof string) model.Claim {
	return claims.From(model.Claim{Name: "one token", Kind: model.Always, Invariant: oneToken}, source, proof, Kept...)
}

func oneToken(nodes []model.Node) error {
	tokens := 0
	for i, n := range nodes {
		if n == nil {
			continue
		}
		switch holds, inside := n.(TokenNode).HasToken(); {
		case inside && !holds:
			return fmt.Errorf("p%d is inside without the token", i+1)
		case holds:
			tokens++
		}
	}
	if tokens > 1 {
		return fmt.Errorf("%d processes hold the token", tokens)
	}
	return nil
}

// TokenBehalf returns the process whose entry a message serves. A request serves its sender, and a token its receiver.
func TokenBehalf[Request, Token any](o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case Request:
		return o.Node, true
	case Token:
		return o.To, true
	}
	return 0, false
}

// TokenCosts returns the costs of a lock with a token: the costs of its source, and the common costs of locks.
func TokenCosts(source string, behalf func(model.Observation) (model.NodeID, bool)) []*model.Cost {
	messages, asked, latency := costs.PerOperation(behalf), costs.PerOperationThatSends(behalf), costs.Latency()
	messages.Name, messages.Source = "messages per entry", source
	messages.Meaning = "Requests of a process, and the token sent to it, from its request to its entry."
	// An entry of the token's holder costs nothing. The cost of every other entry is the same.
	asked.Name, asked.Source = "messages per entry that asks", source
	asked.Meaning = "Requests of a process, and the token sent to it, from its request to its entry; entries without messages do not count."
	latency.Name = "latency of an entry"
	return slices.Concat([]*model.Cost{messages, asked, latency}, costs.OfLock(behalf), costs.DelaysInTime())
}
