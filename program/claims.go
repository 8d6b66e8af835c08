package program

import "contend/model"

// NoExit claims that no program ends by itself, for programs whose [Config.Exits] is set. Kind always, no assumptions.
func NoExit() model.Claim {
	return model.Claim{Name: "no program ends", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &noExit{} }}
}

type noExit struct{}

func (*noExit) Observe(w model.Watch, o model.Observation) {
	w.Witness() // a program may end at any time
	if exit, is := o.Value.(Exited); is {
		w.Violate("it ends by itself, with the exit code %d", exit.Code)
	}
}
