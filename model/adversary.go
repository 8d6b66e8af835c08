package model

// An Adversary is the class of schedulers against which an [AlmostSurely] claim holds: what the scheduler
// decides, and what it knows. It never decides coins: the instants of windows with [Window.Coin] and the
// results of Draw.
//
// Only some runs count, for every class: time advances without end, and every pending event happens within its
// window. An event whose window has no end happens at some time.
//
// An adversary is Adaptive, Foreseeing or Nonadaptive. go doc contend/model.Adaptive describes each.
type Adversary int

const (
	// Adaptive decides delays, the order of events at one instant, the results of Choose, and the moves of the
	// environment. It knows all that has happened. A draw has happened when its result is used: the adversary
	// knows the end of a sleep only when the sleep is over.
	Adaptive Adversary = iota
	// Foreseeing is Adaptive, and knows the length of a sleep as soon as it is drawn. A claim that holds
	// against Foreseeing holds against Adaptive.
	Foreseeing
	// Nonadaptive has chosen the distributions of delays, and of the order at one instant, before the run. Each
	// gives every delay within its window, and every order, a probability that is bounded from below. Choose,
	// moves of the environment, forged messages and the applications are decided by an adaptive adversary.
	// (Chockler–Malkhi–Reiter, footnote 1)
	Nonadaptive
)

func (a Adversary) String() string {
	return [...]string{"adaptive", "foreseeing", "nonadaptive"}[a]
}
