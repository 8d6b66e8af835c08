package strategy

import (
	"math/rand/v2"
	"slices"

	"contend/model"
)

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
	end
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

// Fair makes schedules of another strategy come to an end: most keep an event waiting for as long as others are preferred, and a system
// whose nodes act by themselves goes on meanwhile. The first schedules are random walks. A later one becomes a random walk over
// channels after [Patience] times the steps of the longest of them. What a node makes again and again while the strategy prefers it does not
// make the others wait then, however much of it is pending.
type Fair struct {
	Strategy
	longest int
}

// Patience is how many times as long as the first random walks a schedule is left to a strategy.
const Patience = 3

// walks is how many schedules are random walks at first.
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

// Learn tells the other strategy.
func (f *Fair) Learn(number int, s Scheduler, o Outcome) {
	p := s.(*patient)
	if number < walks {
		f.longest = max(f.longest, p.walked)
	} else {
		f.Strategy.Learn(number-walks, p.Scheduler, o)
	}
}

// Notes are those of the other strategy.
func (f *Fair) Notes() []string {
	if n, has := f.Strategy.(Noter); has {
		return n.Notes()
	}
	return nil
}

// even is a random walk over channels: each that has an event is as likely as any other, and each of its events as any other of
// them. The events of a channel are of one kind, at one node and from one.
type even struct {
	choices Choices
	keys    []channel
}

type channel struct {
	kind     model.EventKind
	at, from model.NodeID
}

func (w *even) Next(events []Event) int {
	w.keys = w.keys[:0]
	for _, e := range events {
		if k := (channel{e.Kind, e.Node, e.From}); !slices.Contains(w.keys, k) {
			w.keys = append(w.keys, k)
		}
	}
	of := w.keys[w.choices.Choose(len(w.keys))]
	in := func(e Event) bool { return of == channel{e.Kind, e.Node, e.From} }
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

func (*even) Took(Step) {}

// patient is the scheduler of Fair.
type patient struct {
	Scheduler
	then   Scheduler
	left   int // choices until then
	walked int // choices since
}

// Attends is that of the other scheduler.
func (p *patient) Attends() bool { return Attends(p.Scheduler) }

func (p *patient) Next(events []Event) int {
	if p.left == 0 {
		p.walked++
		return p.then.Next(events)
	}
	p.left--
	return p.Scheduler.Next(events)
}
