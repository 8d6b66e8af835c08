package walk

import "sync"

// A log is an append-only list that forks share. Each fork has a prefix of it.
type log[T any] struct {
	mu  sync.Mutex
	all []T
}

// add appends to the prefix have and returns its log and the longer prefix. If another fork has appended after
// the same prefix, add copies the prefix to a new log.
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
