package frontier

import "sync"

// A Share hands the chunks of a layer to workers, each to one. States that were found one after
// the other have successors in common, which a worker remembers for a while; so each worker has
// a stretch of chunks of its own, and when that is done takes the last of the longest stretch
// that is left.
type Share struct {
	mu        sync.Mutex
	stretches [][]Place
}

// Divide divides the chunks of the layer among so many workers.
func (l *Layer) Divide(workers int) *Share {
	all, s := l.Chunks(), &Share{}
	for i := range workers {
		s.stretches = append(s.stretches, all[len(all)*i/workers:len(all)*(i+1)/workers])
	}
	return s
}

// Take takes the next chunk for a worker; false when none is left.
func (s *Share) Take(worker int) (Place, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.stretches[worker]; len(own) > 0 {
		s.stretches[worker] = own[1:]
		return own[0], true
	}
	longest := 0
	for i, stretch := range s.stretches {
		if len(stretch) > len(s.stretches[longest]) {
			longest = i
		}
	}
	from := s.stretches[longest]
	if len(from) == 0 {
		return Place{}, false
	}
	s.stretches[longest] = from[:len(from)-1]
	return from[len(from)-1], true
}
