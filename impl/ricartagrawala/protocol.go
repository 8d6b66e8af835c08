package ricartagrawala

import (
	_ "embed" // the kept traces of findings
	"fmt"
	"slices"

	"contend/model"
	"contend/model/claims"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "ricartagrawala",
	Title:  "mutual exclusion by logical clocks",
	Source: "Ricart–Agrawala 1981; SDX lecture",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithDefault(3),
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, Section,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: variants, Checks: checks,
	Findings: []model.Finding{
		{Name: "happened-before", Claim: "happened-before order", Trace: happenedBefore},
	},
}

// Section is Δ: how long a process may stay inside.
var Section = model.Param[model.Ticks]{
	Name: "section", Meaning: "Δ, the length of the critical section", Symbol: "Δ", Least: 1, Most: 1000, Default: 1,
}

//go:embed findings/happened-before.json
var happenedBefore []byte

func build(c model.Config) (*model.System, error) {
	cfg := &Config{
		Needed: c.N - 1,
		Before: func(a, b Stamp) bool { return a.Time < b.Time || a.Time == b.Time && a.ID < b.ID },
		Merge:  func(mine, theirs int) int { return max(mine, theirs) },
		Told:   func(int) int { return 0 },
	}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, Reply{}, Acquire{}, Release{}},
		Setup:   cfg,
	}
	script := make([]model.Op, model.Ops.Of(c))
	for k := range script {
		script[k] = model.Op{Call: Acquire{}, After: model.Anytime(), Release: Release{}, Stay: model.By(Section.Of(c))}
	}
	for i := range c.N {
		cfg.Processes = append(cfg.Processes, model.NodeID(i))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Script: script,
			New: func() model.Node { return &Process{cfg: cfg} },
		})
	}
	return s, nil
}

var checks = []model.Check{
	{Config: model.Config{N: 2}.With(model.Ops.Is(6))},
	{Config: model.Config{N: 3}.With(model.Ops.Is(4))},
	{Config: model.Config{N: 3}.With(model.Ops.Is(2)), Variant: "stamped-replies"},
	{Config: model.Config{N: 3}.With(model.Ops.Is(2)), Reading: model.Grid, Claims: []string{"mutual exclusion", "deadlock freedom"}},
	{Config: model.Config{N: 5}.With(model.Ops.Is(3)), Reading: model.Dense, Schedules: 2_000, Claims: []string{"mutual exclusion", "lock", "deadlock freedom"}},
}

const lecture = "SDX lecture, desired properties"

var claimed = []model.Claim{
	claims.From(claims.MutualExclusion(), lecture+" 1", "docs/proofs/ricartagrawala.md#mutual-exclusion", model.AtMostOnce, model.NoMemoryLoss),
	{
		Name: "lock", Kind: model.Linearizable, Source: lecture + " 1", Proof: "docs/proofs/ricartagrawala.md#mutual-exclusion",
		Assumes: []model.Assumption{model.AtMostOnce, model.NoMemoryLoss},
		Object:  Lock,
	},
	{
		Name: "deadlock freedom", Kind: model.Always, Source: lecture + " 2", Proof: "docs/proofs/ricartagrawala.md#liveness",
		Assumes: []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss},
		Done:    true,
	},
	{
		Name: "every request is granted", Kind: model.Eventually, Source: lecture + " 2", Proof: "docs/proofs/ricartagrawala.md#liveness",
		Assumes: []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss},
		Done:    true,
	},
	{
		Name: "happened-before order", Kind: model.Always, Source: lecture + " 3", Proof: "docs/proofs/ricartagrawala.md#happened-before-order",
		Assumes: []model.Assumption{model.AtMostOnce, model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &order{} },
		Causal:  func(o model.Observation) bool { return o.Kind == model.Invoked },
		Apart: func(c model.Check) model.Check {
			c.Config = c.Config.With(model.Ops.Is(min(model.Ops.Of(c.Config), 2)))
			return c
		},
	},
}

// Lock is the sequential specification of a lock: it is acquired when nobody holds
// it, and released by its holder.
var Lock = model.Object{
	Name: "lock", Init: Holder{}, Types: []any{Holder{}},
	Step: func(state any, client model.NodeID, op any) []model.Effect {
		h := state.(Holder)
		switch op.(type) {
		case Acquire:
			if !h.Held {
				return []model.Effect{{State: Holder{true, client}}}
			}
		case Release:
			if h == (Holder{true, client}) {
				return []model.Effect{{State: Holder{}}}
			}
		}
		return nil
	},
}

// A Holder is a lock's state.
type Holder struct {
	Held bool
	By   model.NodeID
}

// order is "if a request to enter the critical section happened-before another,
// then entry … is granted in that order": whoever enters must not overtake a
// request in the causal past of its own.
type order struct {
	Behind  map[model.NodeID][]int32 // for a waiting process, how many requests of each came before its own
	Entered map[model.NodeID]int32
}

func (h *order) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		h.Behind[o.Node] = slices.Clone(o.Past)
	case model.Returned:
		h.Entered[o.Node]++
		for p, requests := range h.Behind[o.Node] {
			if requests > 0 && model.NodeID(p) != o.Node {
				w.Witness()
			}
			if h.Entered[model.NodeID(p)] < requests {
				w.Violate("it enters before a request that happened before its own")
			}
		}
		delete(h.Behind, o.Node)
	}
}
