package frontier

import "sync"

// A Share divides the chunks of a layer among workers. States that were found in sequence have common successors,
// and a worker remembers these for a while. So each worker has a range of chunks. After it, the worker takes the
// last chunk of the longest range that is left.
type Share struct {
	mu        sync.Mutex
	stretches [][]Place
}

// Divide divides the chunks of the layer among workers.
func (l *Layer) Divide(workers int) *Share {
	all, s := l.Chunks(), &Share{}
	for i := range workers {
		s.stretches = append(s.stretches, all[len(all)*i/workers:len(all)*(i+1)/workers])
	}
	return s
}

// Take returns the next chunk for a worker; false if none is left.
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
