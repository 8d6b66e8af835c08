package sample

import (
	"errors"
	"slices"

	"contend/model"
	"contend/model/world"
)

// Bounds say when a run is long enough, and which violations it goes on after.
type Bounds struct {
	// World are the options the world was started with.
	World world.Options
	// MaxSteps ends a run that does not end by itself; 0 means [DefaultSteps], or, where no
	// application has a script, [UnscriptedSteps].
	MaxSteps int
	// Ignore lists claims whose violation does not end the run.
	Ignore map[string]bool
	// Settle is how many steps more a run may take once every script is done, until nothing is left to
	// happen but by the environment. A run that does not come to rest within them ends where the
	// scripts did.
	Settle int
	// Prefer, unless nil, narrows the protocol's moves from which the next is drawn; it leaves one.
	Prefer func(w *world.World, moves []world.Move) []world.Move
	// Each, unless nil, is called after every step.
	Each func(w *world.World)
	// Taken, unless nil, is called after every step with what it did.
	Taken func(w *world.World, r world.Record)
}

// DefaultSteps is far more than the runs of small systems take.
const DefaultSteps = 10_000

// UnscriptedSteps bounds a run of a system whose nodes act by themselves: no script says when it is
// done, and it may go on for ever.
const UnscriptedSteps = 300

// An End is why a run stopped.
type End string

// The ways a run ends.
const (
	Done     End = "done"     // every script is done
	Idle     End = "idle"     // nothing but the environment can move, and it did not
	Cut      End = "cut"      // whatever could still happen leads beyond a cut
	Violated End = "violated" // a claim is broken
	TooLong  End = "too long" // after the bound on steps
	Failed   End = "failed"   // a handler failed, and that is ignored; or the run has an error
)

// An Outcome is what a run came to.
type Outcome struct {
	End     End
	Records []world.Record // what each step did
	Err     error          // of a run that failed
}

// Observations returns what monitors saw in a run, in order.
func (o Outcome) Observations() []model.Observation {
	var all []model.Observation
	for _, r := range o.Records {
		all = append(all, r.Observations...)
	}
	return all
}

// Run steps a world as the choices lead it, until every script is done, if there are any, nothing but
// the environment can move, a claim is violated or the run gets too long.
func Run(w *world.World, c Choices, b Bounds) Outcome {
	scripted := slices.ContainsFunc(w.System.Nodes, func(n model.NodeSpec) bool { return len(n.Script) > 0 })
	if b.MaxSteps == 0 && scripted {
		b.MaxSteps = DefaultSteps
	} else if b.MaxSteps == 0 {
		b.MaxSteps = UnscriptedSteps
	}
	r := &run{w: w, c: c, bounds: b, scripted: scripted, style: drawStyle(w.System, c, b.World), longest: longest(w.System)}
	r.out.Records = make([]world.Record, 0, 64)
	for r.out.End == "" {
		r.step()
	}
	return r.out
}

// run is a run in progress.
type run struct {
	w        *world.World
	scripted bool // some application has a script
	c        Choices
	bounds   Bounds
	style    style
	longest  model.Ticks // the longest finite time the run has seen
	tried    int         // moves tried, those beyond a cut included
	judged   int         // of the world's violations, how many are ignored
	scripts  int         // steps until every script was done; 0 before, and where the run does not settle
	out      Outcome
}

func (r *run) step() {
	switch {
	case r.violated():
		r.out.End = Violated
	case r.w.Failed():
		r.out.End = Failed
	case r.scripted && r.w.Done() && !r.settles():
		r.out.End = Done
	case r.tried >= r.bounds.MaxSteps:
		r.out.End = TooLong
	default:
		m, ok := r.move()
		switch {
		case r.w.Failed(): // Forge did
		case !ok:
			r.out.End = r.rest()
		default:
			r.take(m)
		}
	}
}

// settles reports whether a run goes on whose scripts are done.
func (r *run) settles() bool {
	if r.scripts == 0 {
		r.scripts = len(r.out.Records)
	}
	if r.bounds.Settle == 0 || len(r.protocolMoves()) == 0 {
		return false
	}
	if len(r.out.Records)-r.scripts < r.bounds.Settle {
		return true
	}
	r.out.Records = r.out.Records[:r.scripts]
	return false
}

// protocolMoves are those that are not the environment's.
func (r *run) protocolMoves() []world.Move {
	moves := r.w.Moves()
	if own := slices.IndexFunc(moves, func(m world.Move) bool { return m.Kind.Adversarial() }); own >= 0 {
		return moves[:own]
	}
	return moves
}

// violated reports whether a claim is broken that ends the run.
func (r *run) violated() bool {
	for ; r.judged < len(r.w.Violations); r.judged++ {
		if !r.bounds.Ignore[r.w.Violations[r.judged].Claim] {
			return true
		}
	}
	return false
}

// rest is the end of a run in which nothing is left to do.
func (r *run) rest() End {
	if len(r.w.Cut) > 0 {
		return Cut
	}
	return Idle
}

func (r *run) take(m world.Move) {
	r.tried++
	record, err := r.w.Step(m, r.instant(m), func(n int, _ string) int { return r.c.Choose(n) })
	switch {
	case err == nil:
		r.out.Records = append(r.out.Records, record)
		r.learn(record)
		if r.bounds.Taken != nil {
			r.bounds.Taken(r.w, record)
		}
		if r.bounds.Each != nil {
			r.bounds.Each(r.w)
		}
	case !errors.As(err, new(world.ErrCut)): // after a cut the run goes on with other moves
		r.out.End, r.out.Err = Failed, err
	}
}

// move chooses what happens next. There is nothing when only the environment could
// move and does not.
func (r *run) move() (m world.Move, ok bool) {
	moves := r.w.Moves()
	own := slices.IndexFunc(moves, func(m world.Move) bool { return m.Kind.Adversarial() })
	if own < 0 {
		own = len(moves)
	}
	switch {
	case r.w.Booting() && len(moves) == 0:
		return world.Move{}, false // beyond a cut
	case r.w.Booting():
		return moves[0], true
	}
	if r.scripts > 0 { // the environment is done too
		return r.drawn(moves[:own]), true
	}
	kind, strikes := r.style.strike(r.c, moves[own:], own > 0)
	switch {
	case strikes && kind == model.Forge:
		if m, ok := r.forge(); ok {
			return m, true
		}
	case strikes:
		those := slices.DeleteFunc(moves[own:], func(m world.Move) bool { return m.Kind != kind })
		return those[r.c.Choose(len(those))], true
	}
	if own == 0 {
		return world.Move{}, false
	}
	return r.drawn(moves[:own]), true
}

// drawn is one of the protocol's moves.
func (r *run) drawn(moves []world.Move) world.Move {
	if r.bounds.Prefer != nil {
		moves = r.bounds.Prefer(r.w, moves)
	}
	return moves[r.c.Choose(len(moves))]
}
