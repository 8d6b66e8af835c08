package suzukikasami

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// options are readings of the text, and edits that look like bugs but are not. None makes
// the claim of happened-before order: it is the same finding as of the protocol as it stands.
var options = unordered(
	model.Variant{
		Name: "queue-rebuilt", Title: "reading: the token carries no queue, \"TOKEN (LN)\"; each holder makes a queue from RN and LN",
		Edit: tune(func(c *Config) { c.Carried = none }), Show: model.Check{Config: model.Config{N: 3}, Claims: safety},
	},
	model.Variant{
		Name: "queue-as-printed", Title: "reading: the queue is kept, and every P_j with RN[j] = LN[j]+1 is appended, even twice",
		Edit: tune(func(c *Config) {
			c.Carried, c.Kept = none, all
			c.Append = func(queue []model.NodeID, j model.NodeID) []model.NodeID { return append(slices.Clone(queue), j) }
		}),
		Unclaimed: []string{"every request is granted", "bounded overtaking"}, // as the finding has it, and worse
		Show:      model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(4)), Claims: safety},
	},
	model.Variant{
		Name: "queued-on-exit", Title: "reading: a process in its section queues nobody before it leaves, as in the list of steps",
		Edit: replace(func(p Process) model.Node { return &lateProcess{p} }),
	},
	model.Variant{
		Name: "from-the-next", Title: "on leaving, P_i queues those after itself first: the text gives no order",
		Edit: tune(func(c *Config) {
			c.Order = func(all []model.NodeID, self model.NodeID) []model.NodeID {
				return slices.Concat(all[self+1:], all[:self+1])
			}
		}),
	},
	model.Variant{
		Name: "asks-at-least", Title: "P_j waits if RN[j] ≥ LN[j]+1",
		Edit: tune(func(c *Config) { c.Asks = func(rn, ln int) bool { return rn >= ln+1 } }),
	},
	model.Variant{
		Name: "free-entries-count", Title: "an entry that needs no message has a sequence number too",
		Edit: replace(func(p Process) model.Node { return &countingProcess{p} }),
	},
	model.Variant{
		Name: "token-teaches", Title: "a process that gets the token raises RN to LN: it has then missed no granted request",
		Edit: replace(func(p Process) model.Node { return &learningProcess{p} }),
	},
)

func unordered(variants ...model.Variant) []model.Variant {
	for i := range variants {
		variants[i].Unclaimed = append(variants[i].Unclaimed, "happened-before order")
	}
	return variants
}

func tune(f func(*Config)) func(*model.System) {
	return func(s *model.System) { f(s.Setup.(*Config)) }
}

func replace(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			s.Nodes[i].New = func() model.Node { return f(Process{cfg: s.Setup.(*Config)}) }
		}
	}
}

// A lateProcess takes note of a request that comes while it is inside, and no more.
type lateProcess struct{ Process }

// Receive takes a request or the token.
func (p *lateProcess) Receive(env model.Env, from model.NodeID, m any) {
	if r, asks := m.(Request); asks && p.Inside {
		p.RN[from] = p.cfg.Recorded(p.RN[from], r.H)
		return
	}
	p.Process.Receive(env, from, m)
}

// A countingProcess counts each of its entries.
type countingProcess struct{ Process }

// Invoke requests the section, or leaves it.
func (p *countingProcess) Invoke(env model.Env, op any) {
	if _, asks := op.(mutex.Acquire); asks && p.Holds {
		p.RN[env.Self()]++
	}
	p.Process.Invoke(env, op)
}

// A learningProcess takes from the token what requests there have been.
type learningProcess struct{ Process }

// Receive takes a request or the token.
func (p *learningProcess) Receive(env model.Env, from model.NodeID, m any) {
	if token, ok := m.(Token); ok {
		for j, granted := range token.LN {
			p.RN[j] = p.cfg.Recorded(p.RN[j], granted)
		}
	}
	p.Process.Receive(env, from, m)
}
