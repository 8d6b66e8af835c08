package verify

import (
	"errors"
	"sync/atomic"

	"contend/model"
)

// one is the one process that each of them has.
var one = []model.Parameter{model.N.WithDefault(1)}

// badSuite are protocols that are wrong in one way each.
var badSuite = []*model.Protocol{
	bad("pointer", func() model.Node { return &pointerNode{} }),
	bad("panics", func() model.Node { return &panickingNode{} }),
	bad("misuse", func() model.Node { return &misusingNode{} }),
	{
		Name: "fickle", Params: one, Build: func(c model.Config) (*model.System, error) {
			asked.Store(false)
			return single(func() model.Node { return &idleNode{} })(c)
		},
		Claims: []model.Claim{fickle, idle}, Checks: []model.Check{{}},
	},
	{
		Name: "toothless", Params: one, Build: single(func() model.Node { return &idleNode{} }),
		Claims: []model.Claim{idle},
		Variants: []model.Variant{
			{Name: "harmless", Title: "no bug at all", Breaks: "idle", Edit: func(*model.System) {}},
			{Name: "harmful", Title: "an option that breaks a claim", Edit: func(s *model.System) {
				s.Nodes[0].New = func() model.Node { return &busyNode{} }
			}},
		},
		Checks: []model.Check{{}},
	},
}

// fickle is a claim that is broken the first time that it is asked about, and not when the
// interpreter asks.
var fickle = model.Claim{
	Name: "fickle", Kind: model.Always, Source: "nowhere",
	Invariant: func([]model.Node) error {
		if asked.CompareAndSwap(false, true) {
			return errors.New("it is asked for the first time")
		}
		return nil
	},
}

var asked atomic.Bool

// idle is the claim that nothing is ever noted.
var idle = model.Claim{
	Name: "idle", Kind: model.Always, Source: "nowhere",
	Monitor: func(*model.System) model.Monitor { return &silence{} },
}

type silence struct{}

func (*silence) Observe(w model.Watch, o model.Observation) {
	w.Witness()
	if o.Kind == model.Noted {
		w.Violate("it notes something")
	}
}

// poke is the operation that each of the nodes is asked for.
type poke struct{}

func bad(name string, node func() model.Node) *model.Protocol {
	return &model.Protocol{
		Name: name, Params: one, Build: single(node),
		Claims: []model.Claim{idle}, Checks: []model.Check{{}},
	}
}

// single builds a system of one node that is invoked once.
func single(node func() model.Node) func(c model.Config) (*model.System, error) {
	return func(c model.Config) (*model.System, error) {
		return &model.System{
			Config: c, Network: model.Network{Delay: model.Anytime()}, Types: []any{poke{}},
			Nodes: []model.NodeSpec{{
				Name: "p1", Role: model.Peer, New: node,
				Script: []model.Op{{Call: poke{}, After: model.Anytime()}},
			}},
		}, nil
	}
}

type pointerNode struct{ Next *int }

func (*pointerNode) Invoke(env model.Env, _ any) { env.Return(nil) }

type panickingNode struct{ Seen map[int]bool }

func (n *panickingNode) Invoke(model.Env, any) { panic("a bug in a handler") }

type misusingNode struct{ Sent int }

func (n *misusingNode) Invoke(env model.Env, _ any) { env.Send(7, poke{}) }

type idleNode struct{ Done bool }

func (n *idleNode) Invoke(env model.Env, _ any) { env.Return(nil) }

type busyNode struct{ Done bool }

func (n *busyNode) Invoke(env model.Env, _ any) { env.Note(poke{}); env.Return(nil) }
