package group

import "contend/model"

// The variants are mistakes in the code around the library.
var variants = []model.Variant{
	mistake("joins-anew", "a node that returns removes its snapshot, and joins another"),
	mistake("leaves-in-silence", "a node that leaves does not tell"),
}

func mistake(name, title string) model.Variant {
	return model.Variant{Name: name, Title: title, Edit: func(s *model.System) {
		setup := s.Setup.(*Setup)
		setup.Flags = append(setup.Flags, "-mistake="+name)
	}}
}
