package liveness

// A Beat is called again and again while something goes on that takes the time of the edges. It may
// panic to end that: nothing is changed by what is decided here.
type Beat struct {
	Call func() // unless nil
	n    int
}

// often is how much is done between two calls: a millisecond or so of it.
const often = 1 << 16

// step counts one of what is done.
func (b *Beat) step() {
	if b.n++; b.n%often == 0 && b.Call != nil {
		b.Call()
	}
}
