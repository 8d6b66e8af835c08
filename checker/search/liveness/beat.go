package liveness

// A Beat calls a function about every millisecond during an algorithm. Call may panic to stop the algorithm:
// the algorithms of this package do not change the graph.
type Beat struct {
	Call func() // called by the goroutine of the algorithm; may be nil
	n    int
}

// beatInterval is the number of steps between two calls.
const beatInterval = 1 << 16

// step counts a step of the algorithm.
func (b *Beat) step() {
	if b.n++; b.n%beatInterval == 0 && b.Call != nil {
		b.Call()
	}
}
