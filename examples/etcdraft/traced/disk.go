package traced

import (
	"slices"

	"contend/model"
)

// A Saved is what one Ready asked the application to write. Its log is Log[:Keep] with Tail.
type Saved struct {
	Term, Vote, Commit, Keep int
	Tail                     []Entry
}

// keep remembers, of what is written, the entries from an index on, before the log replaces them.
func (s *Server) keep(from int) {
	for i := range s.Disk {
		if d := &s.Disk[i]; d.Keep >= from {
			d.Tail = append(slices.Clone(s.Log[from-1:d.Keep]), d.Tail...)
			d.Keep = from - 1
		}
	}
}

// ready is a Ready of the library: the application writes the present state after what it has written before.
func (s *Server) ready() {
	s.Disk[0] = s.Disk[1]
	s.Disk[1] = Saved{Term: s.Term, Vote: s.Vote, Commit: s.Commit, Keep: len(s.Log)}
}

// restore returns to what was written. The application may have crashed before or after it wrote what the last Ready asked
// for, or between the entries and the hard state.
func (s *Server) restore(env model.Env) {
	type option struct{ hard, log int }
	options := []option{{1, 1}}
	first, second := s.Disk[0], s.Disk[1]
	hard := func(d Saved) [3]int { return [3]int{d.Term, d.Vote, d.Commit} }
	sameHard, sameLog := hard(first) == hard(second), first.Keep == second.Keep && slices.Equal(first.Tail, second.Tail)
	if !sameLog {
		options = append(options, option{0, 0})
	}
	if !sameHard {
		options = append(options, option{0, 1})
	}
	from := options[0]
	if len(options) > 1 {
		from = options[env.Choose(len(options))]
	}
	d := s.Disk[from.log]
	s.Log = append(slices.Clone(s.Log[:d.Keep]), d.Tail...)
	d = s.Disk[from.hard]
	s.Term, s.Vote, s.Commit = d.Term, d.Vote, d.Commit
	s.ready()
	s.ready()
}
