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

// A game is a game between an adversary and chance, on whole ticks. At each position one of them chooses the
// next. The adversary also chooses when a tick passes, as a separate step.
type game struct {
	claim     model.Claim
	positions []position
	cut       bool // a step is cut at a position without the goal
}

// A position is a position of the game.
type position struct {
	chance bool
	goal   bool
	within bool // within a step, after some of its answers
	owed   []string
	exits  []Edge
}

// beyond is the target of chance beyond a cut: no position.
const beyond = -1

// A place is a position between two steps: a run, the time since its last step, and the decided coins of its
// pending events.
type place struct {
	path   path
	waited world.Time
	// tosses has a toss for each pending event; 0 without a coin. Against a foreseeing adversary it is the
	// drawn instant, in ticks after the last step, plus 1. Against others it is open, now or later for the
	// present instant.
	tosses []world.Time
}

// Tosses at an instant.
const (
	open  world.Time = 0
	now   world.Time = 1
	later world.Time = 2
)

// A gamer builds a game.
type gamer struct {
	explorer
	*game
	places  []place // of the positions between steps
	numbers []int   // positions of the places
}

// play builds the game of a claim of probability, breadth-first.
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

// place returns the position of a place, and adds it if it is new.
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
		if !e.Window.Coin && x.isOwed(w, e) {
			at.owed = append(at.owed, name(w, e))
		}
	}
	x.positions = append(x.positions, at)
	return n, nil
}

// undecided returns the index of the first pending event with an undecided coin, and the range of its
// instants. The index is -1 if there is none.
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

// window returns the possible instants of an event, in whole ticks.
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

// toss adds the outcomes of a coin.
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

// falls reports whether an event's coin permits the event at the present instant, and whether it forces it.
func (x *gamer) falls(p place, e *world.Event, i int) (may, must bool) {
	switch {
	case !e.Window.Coin:
		return true, false
	case x.claim.Against == model.Foreseeing:
		return p.tosses[i]-1 == p.waited, p.tosses[i]-1 == p.waited
	}
	return p.tosses[i] == now, p.tosses[i] == now
}

// exits adds the exits of a place. Against a nonadaptive adversary, chance chooses everything except actions
// of the environment and of applications: the next event, or that a tick passes.
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
		if !isPossible(w, m, w.Now+p.waited) || m.Event != nil && !m.Kind.Adversarial() && !x.mayFall(w, p, m.Event) {
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

// inner adds a position within a step as an exit of another.
func (x *gamer) inner(from int, chance bool) int {
	to := len(x.positions)
	x.positions[from].exits = append(x.positions[from].exits, Edge{To: to})
	x.positions = append(x.positions, position{chance: chance, within: true, goal: x.positions[from].goal})
	return to
}

// wait adds the passing of a tick, unless an event must happen before. If time has no further effect, the
// exit leads to the same place.
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
		next.tosses = make([]world.Time, len(p.tosses)) // nothing is decided for the next instant
	}
	to, err := x.place(w, next)
	if err != nil {
		return err
	}
	x.positions[from].exits = append(x.positions[from].exits, Edge{To: to, Takes: true})
	return nil
}

// takes adds a step with all combinations of its handlers' answers. The adversary makes the choices that are
// not draws, and knows the earlier draws.
func (x *gamer) takes(from int, p place, s step) error {
	within := map[string]int{}
	for more := true; more; {
		w, err := x.run(p.path)
		if err != nil {
			return err
		}
		before := w.Pending()
		record, all, err := takeStep(w, s)
		last := x.lastChoice(within, from, all)
		if err == nil && x.fails(w) {
			err = world.ErrCut{} // the result is unknown
		}
		switch err.(type) {
		case nil:
			next := place{path: p.path.append(s), tosses: x.carried(w, before, p)}
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
		s.answers, more = nextAnswers(all)
	}
	return nil
}

// lastChoice returns the position of a step's last choice, or from if it has none. Steps share the positions of
// common answers.
func (x *gamer) lastChoice(within map[string]int, from int, all []world.Choice) int {
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

// carried returns the tosses of the events that are still pending after a step.
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
