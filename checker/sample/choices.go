// Package sample runs schedules of a system. A schedule is a run that a stream of choices determines: the
// next event and its instant, the faults, and the results of a handler's Choose. Random sampling, fuzzing by
// bytes and property-based tests use the same runner with different streams.
//
// The default choice is 0: the oldest possible event, at its earliest instant, without a fault. A stream
// returns 0 after its end. So every prefix of a stream determines a run.
package sample

import "contend/checker/sample/strategy"

// Choices is a stream of choices.
type Choices = strategy.Choices

// Seeded returns the endless random stream of a seed.
func Seeded(seed uint64) Choices { return strategy.Stream(seed, 0) }

// Bytes returns a stream of choices that reads bytes. A choice of n options needs as many bytes as n-1. All
// bytes are valid.
func Bytes(data []byte) *ByteStream { return &ByteStream{rest: data} }

// A ByteStream is a stream of choices that reads bytes.
type ByteStream struct{ rest []byte }

// Choose reads the bytes of one choice.
func (b *ByteStream) Choose(n int) int {
	var x uint64
	for left := uint64(n) - 1; left > 0; left >>= 8 {
		x = x<<8 | uint64(b.next())
	}
	return int(x % uint64(n))
}

// AppendChoice appends the bytes from which [Bytes] reads a choice in [0, n).
func AppendChoice(data []byte, n, choice int) []byte {
	size := 0
	for left := uint64(n) - 1; left > 0; left >>= 8 {
		size++
	}
	for size--; size >= 0; size-- {
		data = append(data, byte(uint64(choice)>>(8*size)))
	}
	return data
}

func (b *ByteStream) next() byte {
	if len(b.rest) == 0 {
		return 0
	}
	first := b.rest[0]
	b.rest = b.rest[1:]
	return first
}
