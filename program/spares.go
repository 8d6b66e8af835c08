package program

import (
	"runtime"
	"sync"

	"contend/program/guest"
)

// spares are the free instances of a module, in no program's state. All programs of the module share them: an
// instance loses its state when it starts again or is restored to another one.
type spares struct {
	mu   sync.Mutex
	free []guest.Instance
	made int // of the module's instances, those in somebody's state included
	most int // so many are made before garbage is collected to find some in states that nobody has any more
}

// crowd is the least number of instances. The garbage collector does not know their size, and so collects
// unreachable states of objects late.
const crowd = 64

// take takes an instance. If it is nil, the caller makes one.
func (s *spares) take() (in guest.Instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == 0 && s.made >= max(s.most, crowd) {
		s.mu.Unlock()
		collected()
		s.mu.Lock()
		s.most = 2 * (s.made - len(s.free)) // as many again as there are in somebody's state
	}
	n := len(s.free)
	if n == 0 {
		s.made++
		return nil
	}
	in, s.free = s.free[n-1], s.free[:n-1]
	return in
}

// add counts an instance that was made for a place.
func (s *spares) add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
}

// put keeps an instance that is in nobody's state, if that saves time.
func (s *spares) put(in guest.Instance) {
	keep := in.Release()
	s.mu.Lock()
	defer s.mu.Unlock()
	if keep {
		s.free = append(s.free, in)
	} else {
		s.made--
	}
}

func (s *spares) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// collected collects garbage, and waits for the finalizers. Some garbage is found only by a second collection.
func collected() {
	for range 2 {
		done := make(chan bool)
		runtime.AddCleanup(&struct{ _ [64]byte }{}, func(done chan bool) { close(done) }, done)
		runtime.GC()
		<-done
	}
}
