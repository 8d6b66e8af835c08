package strategy

// Random is the random walk: each event that may happen is as likely as any other. It has no
// guarantee: a bug that needs k choices among n events each has a probability near n⁻ᵏ.
type Random struct {
	// Choices are those of a schedule's seed.
	Choices func(seed uint64) Choices
}

// Schedule draws everything from one stream.
func (r Random) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	c := r.Choices(seed)
	return walk{c}, c
}

// Learn learns nothing.
func (Random) Learn(int, Scheduler, Outcome) {}

type walk struct{ choices Choices }

func (w walk) Next(events []Event) int { return w.choices.Choose(len(events)) }

func (walk) Took(Step) {}
