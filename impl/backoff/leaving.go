package backoff

import "contend/model"

// Leave is the operation of an application that leaves the section, in the option leaving. Figure 1 has no exit: the
// section ends by itself, at most Δ after it began.
type Leave struct{}

// leaving makes exits visible, for delays between an exit and the next entry.
var leaving = model.Variant{
	Name: "leaving", Title: "the application says when it leaves the section, within Δ, and sends nothing: to measure the synchronization delay",
	Edit: func(s *model.System) {
		taught(func(*Setup, model.NodeID) habit {
			return habit{ignores: func(op any) bool { return op == any(Leave{}) }}
		})(s)
		for i := range s.Nodes {
			for k := range s.Nodes[i].Script {
				op := &s.Nodes[i].Script[k]
				op.Release, op.Stay = Leave{}, model.By(setup(s).Section)
			}
		}
	},
	Show: model.Check{Config: model.Config{N: 2}, Reading: model.Dense, Claims: lemma1},
}
