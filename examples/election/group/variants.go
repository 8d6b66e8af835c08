package group

import "contend/model"

var variants = []model.Variant{
	{Name: "releases", Title: "ReleaseOnCancel is set", Edit: func(s *model.System) { s.Setup.(*Setup).Releases = true }},
	{Name: "short", Title: "the last candidate has a lease of 5 seconds, as while a new configuration is rolled out",
		Edit: func(s *model.System) { s.Setup.(*Setup).Short = true }},
	mistake("outlives", "a leader works for 8 seconds after its context was cancelled", false),
	mistake("cancels-first", "a candidate cancels its election 8 seconds before its work has ended", true),
	mistake("compares-nothing", "the store does not compare resource versions", false),
	mistake("no-sync", "the store does not sync the lease", false),
}

// mistake returns a variant with a mistake in the code around the library.
func mistake(name, title string, releases bool) model.Variant {
	return model.Variant{Name: name, Title: title, Edit: func(s *model.System) {
		setup := s.Setup.(*Setup)
		setup.Flags, setup.Releases = append(setup.Flags, "-mistake="+name), releases
	}}
}
