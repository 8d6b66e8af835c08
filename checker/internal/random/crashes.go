package random

import (
	"math/rand/v2"

	"contend/model"
)

// crashModel draws which crashes may strike a node.
func crashModel(r *rand.Rand) model.CrashModel {
	return one(r, model.ByRole, model.ByRole, model.ByRole, model.NoCrashes, model.CrashStop, model.CrashRecovery, model.CrashRecovery, model.CrashStopRecovery)
}

// striking leaves of a budget what can strike a node.
func striking(s *model.System, f model.Faults) model.Faults {
	if s.IDs(model.NodeSpec.MayStop) == nil {
		f.Crashes = 0
	}
	if s.IDs(model.NodeSpec.MayRecover) == nil {
		f.Restarts = 0
	}
	return f
}
