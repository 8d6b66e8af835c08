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

// NoFailure claims that no program notes a failure, a string with a prefix, in a run whose disks do not fail: see [FullDisks] and [BadSyncs]. Kind
// always, no assumptions. A run tests it if a call returns.
func NoFailure(prefix string) model.Claim {
	return model.Claim{Name: "no call fails", Kind: model.Always, Monitor: func(s *model.System) model.Monitor {
		return &noFailure{prefix: prefix, disksFail: FullDisks.Of(s.Config)+BadSyncs.Of(s.Config) > 0}
	}}
}

type noFailure struct {
	prefix    string
	disksFail bool
}

func (f *noFailure) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Returned {
		w.Witness()
	}
	if what, is := o.Note(f.prefix); is && !f.disksFail {
		w.Violate("it fails: %s", what)
	}
}

// Reopens claims that a program does not end by itself once it has been open, also after a crash. Open reports whether a program is open at an
// observation. The claim is for programs whose [Config.Exits] is set. Kind always, no assumptions.
func Reopens(open func(model.Observation) bool) model.Claim {
	return model.Claim{Name: "what was open opens", Kind: model.Always,
		Monitor: func(*model.System) model.Monitor { return &reopens{Open: map[model.NodeID]bool{}, opens: open} }}
}

type reopens struct {
	Open  map[model.NodeID]bool // has been open
	opens func(model.Observation) bool
}

func (r *reopens) Observe(w model.Watch, o model.Observation) {
	if r.opens(o) {
		r.Open[o.Node] = true
	}
	if r.Open[o.Node] && o.Kind == model.Recovered {
		w.Witness()
	}
	if _, is := o.Value.(Exited); is && r.Open[o.Node] {
		w.Violate("it has been open, but ends by itself")
	}
}
