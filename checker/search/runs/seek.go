package runs

import (
	"slices"

	"contend/checker/search/fingerprint"
)

// mostTried is how many states and steps are tried before no way to a state counts as found.
var mostTried = 1 << 20

// A seeker looks for a way from a root to a state, of which each key names its parents: one,
// unless two states go by one name. A parent that only goes by the name is a state that was met
// too, with a way of its own; that it is not the parent shows where no step leads on from it. So
// each state on the way is reached first, once, and then its step is tried: what is done grows
// with the length of the way and with how many names are shared, and not with the number of ways
// that names allow.
type seeker[S any] struct {
	roots   []fingerprint.Print
	parents func(of fingerprint.Print) []fingerprint.Print
	// step takes a state to its successor of a key, and the zero state to the first of that key.
	step  func(from S, key fingerprint.Print) (S, bool)
	tried int

	reached map[fingerprint.Print]*reached[S]
	further map[fingerprint.Print]bool // states of which a way is being sought: none leads through them
}

// reached is a state to which there is a way, by the state before it; nil before a root.
type reached[S any] struct {
	at   S
	key  fingerprint.Print
	from *reached[S]
}

// seek returns the keys of the states on a way.
func (s *seeker[S]) seek(to fingerprint.Print) (keys []fingerprint.Print, ok bool) {
	s.reached, s.further = map[fingerprint.Print]*reached[S]{}, map[fingerprint.Print]bool{}
	for r := s.reach(to); r != nil; r = r.from {
		keys = append(keys, r.key)
	}
	slices.Reverse(keys)
	return keys, len(keys) > 0
}

// reach returns a state with a way to it; nil where there is none.
func (s *seeker[S]) reach(key fingerprint.Print) *reached[S] {
	if r := s.reached[key]; r != nil {
		return r
	}
	s.tried++
	if slices.Contains(s.roots, key) {
		return s.then(nil, key)
	}
	s.further[key] = true
	defer delete(s.further, key)
	for _, parent := range s.parents(key) {
		if s.further[parent] || s.tried >= mostTried {
			continue
		}
		if from := s.reach(parent); from != nil {
			if r := s.then(from, key); r != nil {
				return r
			}
		}
	}
	return nil
}

// then tries the step from a state to a key, or to the root of that key; nil where there is none.
func (s *seeker[S]) then(from *reached[S], key fingerprint.Print) *reached[S] {
	var before S
	if from != nil {
		before = from.at
	}
	s.tried++
	at, ok := s.step(before, key)
	if !ok {
		return nil
	}
	r := &reached[S]{at, key, from}
	s.reached[key] = r
	return r
}
