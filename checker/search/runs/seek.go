package runs

import (
	"slices"

	"contend/checker/search/fingerprint"
)

// maxTried is the limit of a seeker in a search.
const maxTried = 1 << 20

// A seeker searches for a path from a root to a state, given the parents of each key. A state has one parent,
// unless two states have the same key. Such a parent was met too and has a path of its own, but no step leads
// from it to the state. So each state on the path is reached first, once, and then its step is tried. The cost
// grows with the length of the path and the number of shared keys, and not with the number of paths.
type seeker[S any] struct {
	roots   []fingerprint.Print
	parents func(of fingerprint.Print) []fingerprint.Print
	// step returns the successor of a state with a key; for the zero S, the root with the key.
	step  func(from S, key fingerprint.Print) (S, bool)
	limit int // maximum number of states and steps tried
	tried int

	reached    map[fingerprint.Print]*reachedState[S]
	inProgress map[fingerprint.Print]bool // states whose search is in progress: a path must avoid them
}

// A reachedState is a state with a path to it: the state before; nil before a root.
type reachedState[S any] struct {
	state S
	key   fingerprint.Print
	from  *reachedState[S]
}

// seek returns the keys of the states on a path.
func (s *seeker[S]) seek(to fingerprint.Print) (keys []fingerprint.Print, ok bool) {
	s.reached, s.inProgress = map[fingerprint.Print]*reachedState[S]{}, map[fingerprint.Print]bool{}
	for r := s.reach(to); r != nil; r = r.from {
		keys = append(keys, r.key)
	}
	slices.Reverse(keys)
	return keys, len(keys) > 0
}

// reach returns a state with a path to it; nil if there is none.
func (s *seeker[S]) reach(key fingerprint.Print) *reachedState[S] {
	if r := s.reached[key]; r != nil {
		return r
	}
	s.tried++
	if slices.Contains(s.roots, key) {
		return s.tryStep(nil, key)
	}
	s.inProgress[key] = true
	defer delete(s.inProgress, key)
	for _, parent := range s.parents(key) {
		if s.inProgress[parent] || s.tried >= s.limit {
			continue
		}
		if from := s.reach(parent); from != nil {
			if r := s.tryStep(from, key); r != nil {
				return r
			}
		}
	}
	return nil
}

// tryStep tries the step from a state to a key, or to the root with the key; nil if there is none.
func (s *seeker[S]) tryStep(from *reachedState[S], key fingerprint.Print) *reachedState[S] {
	var before S
	if from != nil {
		before = from.state
	}
	s.tried++
	at, ok := s.step(before, key)
	if !ok {
		return nil
	}
	r := &reachedState[S]{at, key, from}
	s.reached[key] = r
	return r
}
