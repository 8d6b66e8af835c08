// Package sample runs schedules of a system one after the other, each led by one
// stream of choices: which event fires next, when, which fault strikes, what a
// handler's Choose gives. The same runner serves random sampling, fuzzing by bytes
// and property-based tests, which differ only in where the stream comes from.
//
// Whatever the source, 0 is the default choice: the oldest event that can fire, at
// its earliest instant, with no fault. A stream that has ended gives 0 for ever, so
// that every prefix of a stream is a run.
package sample

import "contend/checker/sample/strategy"

// Choices is a stream of choices.
type Choices interface {
	// Choose returns a number in [0, n); n ≥ 1. Where n is 1 there is nothing to
	// choose, and the stream does not move.
	Choose(n int) int
}

// Seeded is the endless random stream of a seed.
func Seeded(seed uint64) Choices { return strategy.Stream(seed, 0) }

// Bytes reads choices from bytes, one byte for a choice among up to 256 and as many
// as it takes for more. Any bytes will do.
func Bytes(data []byte) *ByteStream { return &ByteStream{rest: data} }

// A ByteStream is a stream of choices made from bytes.
type ByteStream struct {
	rest []byte
	over bool
}

// Choose takes the bytes of one choice.
func (b *ByteStream) Choose(n int) int {
	var x uint64
	for left := uint64(n) - 1; left > 0; left >>= 8 {
		x = x<<8 | uint64(b.next())
	}
	return int(x % uint64(n))
}

// AppendChoice appends the bytes from which [Bytes] reads the choice of one of n options, is in [0, n).
func AppendChoice(data []byte, n, is int) []byte {
	size := 0
	for left := uint64(n) - 1; left > 0; left >>= 8 {
		size++
	}
	for size--; size >= 0; size-- {
		data = append(data, byte(uint64(is)>>(8*size)))
	}
	return data
}

func (b *ByteStream) next() byte {
	if len(b.rest) == 0 {
		b.over = true
		return 0
	}
	first := b.rest[0]
	b.rest = b.rest[1:]
	return first
}

// Exhausted reports whether a choice was asked for after the bytes had ended.
func (b *ByteStream) Exhausted() bool { return b.over }

// Replay gives recorded choices again. A choice that is not in range any more,
// because the run has become another, is taken modulo the number of options.
func Replay(made []int) *Recorded { return &Recorded{rest: made} }

// Recorded is a stream of recorded choices.
type Recorded struct {
	rest []int
	over bool
}

// Choose gives the next recorded choice.
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

// Exhausted reports whether a choice was asked for after the recording had ended.
func (r *Recorded) Exhausted() bool { return r.over }

// A Recorder passes choices on and keeps them for [Replay].
type Recorder struct {
	From Choices
	Made []int
}

// Choose passes a choice on.
func (r *Recorder) Choose(n int) int {
	is := r.From.Choose(n)
	if n > 1 {
		r.Made = append(r.Made, is)
	}
	return is
}
