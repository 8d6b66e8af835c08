package strategy

import (
	"math/rand/v2"
	"slices"

	"contend/model"
)

// Stream returns an endless random stream of choices. Streams of one seed with different numbers are
// unrelated.
func Stream(seed, number uint64) Choices { return stream{rand.New(rand.NewPCG(seed, number))} }

type stream struct{ rand *rand.Rand }

func (s stream) Choose(n int) int {
	if n == 1 {
		return 0
	}
	return s.rand.IntN(n)
}

// Numbers of a schedule's streams. The choices that are not the scheduler's have a stream of their own, so
// that they do not depend on the scheduler's draws.
const (
	others = iota
	ours
	end
)

// streams returns the scheduler's random numbers and the stream of all other choices.
func streams(seed uint64) (own *rand.Rand, rest Choices) {
	return rand.New(rand.NewPCG(seed, ours)), Stream(seed, others)
}

// Random is the random walk: each possible event is equally likely. It has no guarantee: a bug that needs k
// choices among n events has a probability near n⁻ᵏ.
type Random struct{}

// Schedule returns a scheduler and choices of one stream.
func (Random) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	c := Stream(seed, others)
	return walk{c}, c
}

// Learn does nothing.
func (Random) Learn(int, Scheduler, Outcome) {}

type walk struct{ choices Choices }

func (w walk) Next(events []Event) int { return w.choices.Choose(len(events)) }

func (walk) Observe(Step) {}

// Fair makes the schedules of another strategy terminate. Most strategies can delay an event for ever in a
// system whose nodes act by themselves. The first schedules are random walks. A later schedule becomes a
// random walk over channels after [Patience] times the steps of the longest of these. Then a channel with
// many events does not delay the other channels.
type Fair struct {
	Strategy
	longest int
}

// Patience is the number of lengths of the longest random walk after which a schedule becomes a random walk.
const Patience = 3

// walks is the number of initial random walks.
const walks = 4

// Schedule begins a schedule.
func (f *Fair) Schedule(number int, seed uint64) (Scheduler, Choices) {
	if number < walks {
		s, c := Random{}.Schedule(number, seed)
		return &patient{Scheduler: s, then: s}, c
	}
	s, c := f.Strategy.Schedule(number-walks, seed)
	return &patient{Scheduler: s, then: &even{choices: Stream(seed, end)}, left: Patience * f.longest}, c
}

// Learn calls Learn of the other strategy.
func (f *Fair) Learn(number int, s Scheduler, o Outcome) {
	p := s.(*patient)
	if number < walks {
		f.longest = max(f.longest, p.walked)
	} else {
		f.Strategy.Learn(number-walks, p.Scheduler, o)
	}
}

// Notes returns the other strategy's notes.
func (f *Fair) Notes() []string {
	if n, has := f.Strategy.(Noter); has {
		return n.Notes()
	}
	return nil
}

// An even is a random walk over channels. Each channel with an event is equally likely, and so is each of its
// events. A channel has one kind, node and sender.
type even struct {
	choices Choices
	keys    []channel
}

type channel struct {
	kind       model.EventKind
	node, from model.NodeID
}

func (w *even) Next(events []Event) int {
	w.keys = w.keys[:0]
	for _, e := range events {
		if k := (channel{e.Kind, e.Node, e.From}); !slices.Contains(w.keys, k) {
			w.keys = append(w.keys, k)
		}
	}
	chosen := w.keys[w.choices.Choose(len(w.keys))]
	in := func(e Event) bool { return chosen == channel{e.Kind, e.Node, e.From} }
	n := 0
	for _, e := range events {
		if in(e) {
			n++
		}
	}
	left := w.choices.Choose(n)
	return slices.IndexFunc(events, func(e Event) bool {
		if in(e) {
			left--
		}
		return left < 0
	})
}

func (*even) Observe(Step) {}

// A patient is the scheduler of Fair.
type patient struct {
	Scheduler
	then   Scheduler
	left   int // remaining choices of the strategy
	walked int // choices of the random walk
}

// Attends reports whether the strategy's scheduler attends.
func (p *patient) Attends() bool { return Attends(p.Scheduler) }

func (p *patient) Next(events []Event) int {
	if p.left == 0 {
		p.walked++
		return p.then.Next(events)
	}
	p.left--
	return p.Scheduler.Next(events)
}
