package planted

// A Bug is a mistake that somebody might have made in the library, or did make once, as a few edits of its text.
type Bug struct {
	Name   string
	Models string // what it is, and where it is known from
	Edits  []Edit
}

// Bugs are all that are planted, by what they spoil.
var Bugs = concat(elections, logs, commits, reads, membership)

func concat(lists ...[]Bug) []Bug {
	var all []Bug
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
