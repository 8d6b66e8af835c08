package suite

import "fmt"

// String returns the number of runs and their cover, for people.
func (s *Suite) String() string {
	text := fmt.Sprintf("the suite has %s of %s, and takes %d of %s in %s", counted(len(s.Runs), "run"), counted(s.Steps(), "step"),
		s.Covered, counted(s.Transitions, "transition"), counted(s.States, "state"))
	if s.pairs {
		text += fmt.Sprintf("; %d of %d adjacent pairs", s.CoveredGoals, s.Goals)
	}
	if s.Limit != "" {
		text += "; the space is larger"
	} else if s.Cut {
		text += "; a cut of the protocol withholds steps"
	}
	return text
}

// counted returns a number with a noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
