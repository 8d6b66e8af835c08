package group

import "contend/model"

// The variants are mistakes in what stands around the library.
var variants = []model.Variant{
	flagged("no-sync", "the log is not synced", "log matching", model.Faults{Restarts: 3}),
	flagged("forgets-votes", "the term and the vote are kept in memory only", "election safety", model.Faults{Restarts: 2}),
}

// flagged is a mistake that the program makes when it is told to.
func flagged(name, title, breaks string, f model.Faults) model.Variant {
	return model.Variant{Name: name, Title: title, Breaks: breaks, Show: sampled(f, 3000),
		Edit: func(s *model.System) { s.Setup.(*Setup).Flags = []string{"-" + name} }}
}
