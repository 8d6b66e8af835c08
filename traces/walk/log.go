package walk

import "sync"

// A log is a list that those who branch off from it share, each up to where he did.
type log[T any] struct {
	mu  sync.Mutex
	all []T
}

// add adds to the first so many entries, which the caller has, and returns them with their log. Where
// somebody else went on from there before, they are copied.
func (l *log[T]) add(have []T, v T) (*log[T], []T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(have) < len(l.all) {
		l = &log[T]{all: append(make([]T, 0, 2*len(have)+1), have...)}
	}
	l.all = append(l.all, v)
	n := len(l.all)
	return l, l.all[:n:n]
}
