package strategy

import "math/rand/v2"

// Stream is an endless random stream of choices. The streams of a seed differ by their numbers, and
// have nothing in common.
func Stream(seed, number uint64) Choices { return stream{rand.New(rand.NewPCG(seed, number))} }

type stream struct{ rand *rand.Rand }

func (s stream) Choose(n int) int {
	if n == 1 {
		return 0
	}
	return s.rand.IntN(n)
}

// The streams of a schedule's seed: what is not the scheduler's to choose has one of its own, so that it does
// not depend on how much a scheduler draws.
const (
	others = iota
	ours
)

// drawn begins what a schedule draws.
func drawn(seed uint64) (own *rand.Rand, rest Choices) {
	return rand.New(rand.NewPCG(seed, ours)), Stream(seed, others)
}

// Random is the random walk: each event that may happen is as likely as any other. It has no
// guarantee: a bug that needs k choices among n events each has a probability near n⁻ᵏ.
type Random struct{}

// Schedule draws everything from one stream.
func (Random) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	c := Stream(seed, others)
	return walk{c}, c
}

// Learn learns nothing.
func (Random) Learn(int, Scheduler, Outcome) {}

type walk struct{ choices Choices }

func (w walk) Next(events []Event) int { return w.choices.Choose(len(events)) }

func (walk) Took(Step) {}
