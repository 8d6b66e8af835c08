package oracle

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
)

// A game is what an adversary and chance make of a system, on whole ticks: at each
// position one of the two says what comes next. The adversary also says when time goes
// on, a tick at a time; that is a step of its own here.
type game struct {
	claim     model.Claim
	positions []position
	cut       bool // a step is cut at a position short of the goal
}

// A position is a point of the game.
type position struct {
	chance bool
	goal   bool
	within bool // it lies within a step, after some of its answers
	owed   []string
	exits  []Edge
}

// beyond is where chance leads beyond a cut: to no position.
const beyond = -1

// A place is a position between two steps: a run, with the time that has passed since its
// last step, and what is decided about the coins among its pending events.
type place struct {
	path   path
	waited world.Time
	// tosses are by pending event. Of one that is no coin the toss is 0. Against a foreseeing
	// adversary the toss is the instant that was drawn, in ticks after the last step, plus 1;
	// against others it says of the present instant that the coin falls now or does not.
	tosses []world.Time
}

// What is decided about a coin at an instant.
const (
	open  world.Time = 0
	now   world.Time = 1
	later world.Time = 2
)

// gamer makes a game.
type gamer struct {
	explorer
	*game
	places  []place // of the positions between steps
	numbers []int   // their positions
}

// play makes the game of a claim of probability, breadth first.
func play(s *model.System, c model.Claim, limit int) (g *game, strict bool, err error) {
	claims := []model.Claim{c}
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, false, err
	}
	x := &gamer{game: &game{claim: c}}
	x.explorer = explorer{sys: s, codec: codec, graph: newGraph(Whole, claims), limit: limit, work: limit * stepsPerState}
	defer guard.Caught(&err)
	err = x.begin(func(w *world.World, p path) error {
		if x.fails(w) {
			return nil
		}
		_, err := x.place(w, place{path: p, tosses: make([]world.Time, len(w.Pending()))})
		return err
	})
	if err != nil {
		return nil, false, err
	}
	for i := 0; i < len(x.places); i++ {
		if err := x.exits(i); err != nil {
			return nil, false, err
		}
	}
	return x.game, x.graph.Strict, nil
}

// place returns the position of a place, which is new or known.
func (x *gamer) place(w *world.World, p place) (int, error) {
	lines, coins := w.State(), []string(nil)
	x.graph.Strict = x.graph.Strict || strictly(lines)
	for i, e := range w.Pending() {
		if e.Window.Coin {
			coins = append(coins, fmt.Sprintf("coin %s born %d toss %d", name(w, e), w.Now-e.Born, p.tosses[i]))
		}
	}
	slices.Sort(coins)
	key := fmt.Sprintf("waited %d\n%s", p.waited, strings.Join(slices.Concat(lines, coins), "\n"))
	n, known := x.graph.known[key]
	if known {
		return n, nil
	}
	if len(x.places) == x.limit {
		return 0, ErrLarge
	}
	n = len(x.positions)
	x.graph.known[key] = n
	x.places, x.numbers = append(x.places, p), append(x.numbers, n)
	at := position{goal: w.Reached(x.claim)}
	for _, e := range w.Pending() {
		if !e.Window.Coin && x.owed(w, e) {
			at.owed = append(at.owed, name(w, e))
		}
	}
	x.positions = append(x.positions, at)
	return n, nil
}

// undecided returns the pending event about whose coin chance has yet to decide at the
// present instant, or -1, and the instants at which it may happen.
func (x *gamer) undecided(w *world.World, p place) (i int, from, to world.Time) {
	for i, e := range w.Pending() {
		if !e.Window.Coin || p.tosses[i] != open {
			continue
		}
		from, to := window(e)
		from, to = from-w.Now, to-w.Now
		if x.claim.Against == model.Foreseeing || from <= p.waited {
			return i, max(from, p.waited), to
		}
	}
	return -1, 0, 0
}

// window is when an event may happen, in whole ticks.
func window(e *world.Event) (from, to world.Time) {
	from, to = e.Born+world.Time(e.Window.Lo.At), e.Born+world.Time(e.Window.Hi.At)
	if e.Window.Lo.Open {
		from++
	}
	if e.Window.Hi.Open {
		to--
	}
	return from, to
}

// toss lets chance decide about a coin.
func (x *gamer) toss(w *world.World, at int, p place, i int, from, to world.Time) error {
	x.positions[at].chance = true
	var tosses []world.Time
	switch {
	case x.claim.Against == model.Foreseeing:
		for t := from; t <= to; t++ {
			tosses = append(tosses, t+1)
		}
	case to == p.waited:
		tosses = []world.Time{now}
	default:
		tosses = []world.Time{now, later}
	}
	for _, t := range tosses {
		next := p
		next.tosses = slices.Clone(p.tosses)
		next.tosses[i] = t
		to, err := x.place(w, next)
		if err != nil {
			return err
		}
		x.positions[at].exits = append(x.positions[at].exits, Edge{To: to})
	}
	return nil
}

// falls reports whether a pending event may happen at the present instant as far as its
// coin says, and whether it then has to.
func (x *gamer) falls(p place, e *world.Event, i int) (may, must bool) {
	switch {
	case !e.Window.Coin:
		return true, false
	case x.claim.Against == model.Foreseeing:
		return p.tosses[i]-1 == p.waited, p.tosses[i]-1 == p.waited
	}
	return p.tosses[i] == now, p.tosses[i] == now
}

// exits makes the exits of a place. Against a nonadaptive adversary all but the
// environment and the applications is left to chance: what happens next, or that a tick
// passes.
func (x *gamer) exits(n int) error {
	p, at := x.places[n], x.numbers[n]
	w, err := x.run(p.path)
	if err != nil {
		return err
	}
	if i, from, to := x.undecided(w, p); i >= 0 {
		return x.toss(w, at, p, i, from, to)
	}
	left := at
	if x.claim.Against == model.Nonadaptive {
		left = len(x.positions)
		x.positions = append(x.positions, position{chance: true, within: true, goal: x.positions[at].goal})
	}
	for k, m := range moves(w) {
		if !may(w, m, w.Now+p.waited) || m.Event != nil && !m.Kind.Adversarial() && !x.mayFall(w, p, m.Event) {
			continue
		}
		by := at
		if left != at && !m.Kind.Adversarial() && m.Kind != model.Invoke && m.Kind != model.Release {
			by = x.inner(left, false)
		}
		if err := x.takes(by, p, step{k, w.Now + p.waited, nil}); err != nil {
			return err
		}
	}
	if err := x.wait(w, left, p); err != nil {
		return err
	}
	if left != at && len(x.positions[left].exits) > 0 {
		x.positions[at].exits = append(x.positions[at].exits, Edge{To: left})
	}
	return nil
}

func (x *gamer) mayFall(w *world.World, p place, e *world.Event) bool {
	may, _ := x.falls(p, e, slices.Index(w.Pending(), e))
	return may
}

// inner makes a position within a step, to which another leads.
func (x *gamer) inner(from int, chance bool) int {
	to := len(x.positions)
	x.positions[from].exits = append(x.positions[from].exits, Edge{To: to})
	x.positions = append(x.positions, position{chance: chance, within: true, goal: x.positions[from].goal})
	return to
}

// wait lets a tick pass, unless something has to happen before. When nothing changes any
// more with time, it stays where it is.
func (x *gamer) wait(w *world.World, from int, p place) error {
	if w.Booting() {
		return nil
	}
	deadline, _ := w.Deadline()
	for i, e := range w.Pending() {
		if _, must := x.falls(p, e, i); must {
			return nil
		}
	}
	if deadline <= w.Now+p.waited {
		return nil
	}
	last := int64(0)
	for _, t := range times(w.State()) {
		last = max(last, t)
	}
	next := p
	if next.waited = min(p.waited+1, world.Time(last)+1); x.claim.Against != model.Foreseeing {
		next.tosses = make([]world.Time, len(p.tosses)) // of the next instant nothing is decided
	}
	to, err := x.place(w, next)
	if err != nil {
		return err
	}
	x.positions[from].exits = append(x.positions[from].exits, Edge{To: to, Takes: true})
	return nil
}

// takes takes a step with every way to answer its handlers: the adversary picks what is
// not drawn, and knows what was drawn before.
func (x *gamer) takes(from int, p place, s step) error {
	within := map[string]int{}
	for more := true; more; {
		w, err := x.run(p.path)
		if err != nil {
			return err
		}
		before := w.Pending()
		record, all, err := take(w, s)
		last := x.asked(within, from, all)
		if err == nil && x.fails(w) {
			err = world.ErrCut{} // what it would come to is not known
		}
		switch err.(type) {
		case nil:
			next := place{path: p.path.then(s), tosses: x.carried(w, before, p)}
			to, err := x.place(w, next)
			if err != nil {
				return err
			}
			x.positions[last].exits = append(x.positions[last].exits, edge(w, to, record, before, false))
		case world.ErrCut:
			x.cut = x.cut || !x.positions[from].goal
			if x.positions[last].chance {
				x.positions[last].exits = append(x.positions[last].exits, Edge{To: beyond})
			}
		default:
			return err
		}
		s.answers, more = turned(all)
	}
	return nil
}

// asked returns the position of the last of a step's questions, or the one that the step
// leaves when there are none. Steps share the positions of the answers that they share.
func (x *gamer) asked(within map[string]int, from int, all []world.Choice) int {
	at := from
	for i, c := range all {
		key := fmt.Sprint(all[:i])
		n, known := within[key]
		if !known {
			n = x.inner(at, c.What == "draw")
			within[key] = n
		}
		at = n
	}
	return at
}

// carried are the tosses after a step: those of the events that are pending still.
func (x *gamer) carried(w *world.World, before []*world.Event, p place) []world.Time {
	var tosses []world.Time
	for _, e := range w.Pending() {
		toss := open
		if i := slices.Index(before, e); i >= 0 && p.tosses[i] != open {
			if toss = p.tosses[i]; x.claim.Against == model.Foreseeing {
				toss -= p.waited
			}
		}
		tosses = append(tosses, toss)
	}
	return tosses
}
