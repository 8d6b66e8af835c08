package model

// An Adversary says what the scheduler of an [AlmostSurely] claim decides, and what it
// knows when it does. Coins are never its own: the instant of a window that is a coin,
// and what Draw returns.
//
// Of every class only runs count in which time goes on without end and every pending
// event happens within its window: one whose window has no end happens some time.
//
// An adversary is Adaptive, Foreseeing or Nonadaptive. go doc contend/model.Adaptive describes each.
type Adversary int

const (
	// Adaptive decides delays, the order of events at one instant, Choose, and the moves
	// of the environment, and knows all that has happened. A draw has happened when its
	// result is used: of a sleep it knows that it is over, not when it will be.
	Adaptive Adversary = iota
	// Foreseeing is Adaptive, and knows the length of a sleep as soon as it is drawn.
	// What holds against it holds against Adaptive.
	Foreseeing
	// Nonadaptive has chosen the laws of delays, and of the order at one instant, before
	// the run. Each gives every delay within its window, and every order, a
	// probability that is bounded from below. Choose, the environment's moves, forged
	// messages and what the applications do are up to an adaptive adversary all the same.
	// (Chockler–Malkhi–Reiter, footnote 1)
	Nonadaptive
)

func (a Adversary) String() string {
	return [...]string{"adaptive", "foreseeing", "nonadaptive"}[a]
}
