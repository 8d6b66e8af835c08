package sample

// Replay returns a stream of recorded choices. A choice that is out of range is taken modulo the number of
// options: an edited run may offer fewer.
func Replay(made []int) *Recorded { return &Recorded{rest: made} }

// A Recorded is a stream of recorded choices.
type Recorded struct {
	rest []int
	over bool // Choose was called after the last recorded choice
}

// Choose returns the next recorded choice.
func (r *Recorded) Choose(n int) int {
	if n == 1 {
		return 0
	}
	if len(r.rest) == 0 {
		r.over = true
		return 0
	}
	is := r.rest[0]
	r.rest = r.rest[1:]
	return int(uint(is) % uint(n))
}

// Exhausted reports whether Choose was called after the last recorded choice.
func (r *Recorded) Exhausted() bool { return r.over }

// A Recorder records another stream's choices for [Replay].
type Recorder struct {
	From Choices
	Made []int
}

// Choose returns the other stream's choice. It records the choice unless there was only one option.
func (r *Recorder) Choose(n int) int {
	is := r.From.Choose(n)
	if n > 1 {
		r.Made = append(r.Made, is)
	}
	return is
}
