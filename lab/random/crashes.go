package random

import (
	"math/rand/v2"

	"contend/model"
)

// crashModel draws the possible crashes of a node.
func crashModel(r *rand.Rand) model.CrashModel {
	return one(r, model.ByRole, model.ByRole, model.NoCrashes, model.CrashStop, model.CrashRecovery, model.CrashRecovery, model.CrashRecovery, model.CrashStopRecovery)
}

// striking returns the part of a budget that can strike some node.
func striking(s *model.System, f model.Faults) model.Faults {
	if s.IDs(model.NodeSpec.MayStop) == nil {
		f.Crashes = 0
	}
	if s.IDs(model.NodeSpec.MayRecover) == nil {
		f.Restarts = 0
	}
	return f
}

// detected adds network partitions to some systems. Half of these systems get a failure detector.
func detected(r *rand.Rand, s *model.System) {
	if r.IntN(5) == 0 {
		s.Faults.Partitions = 1
	}
	window := func() model.Window { return one(r, model.Window{}, model.By(1), model.Between(1, 2), model.Anytime()) }
	s.Network.Partition = window()
	if r.IntN(2) == 0 {
		return
	}
	s.Detector = model.Detector{Kind: one(r, model.Perfect, model.EventuallyPerfect), Report: window(), Mistake: window()}
	if s.Detector.Kind == model.EventuallyPerfect && r.IntN(2) == 0 {
		s.Faults.Suspicions = 1
	}
}

// crashing draws a crash model for all askers and one for all keepers, and the budget of restarts.
func crashing(r *rand.Rand, c Case) {
	models := map[model.Role]model.CrashModel{model.Client: crashModel(r), model.Server: crashModel(r)}
	for i := range c.System.Nodes {
		c.System.Nodes[i].Crash = models[c.System.Nodes[i].Role]
	}
	if c.Reading != model.Dense && r.IntN(2) == 0 {
		c.System.Faults.Restarts = 1
	}
	c.System.Faults = striking(c.System, c.System.Faults)
	c.System.Network.Once = len(c.System.Nodes)%2 == 0 // not drawn: it depends on the number of nodes
}
