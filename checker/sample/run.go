package sample

import (
	"slices"

	"contend/checker/heap"
	"contend/checker/sample/adversary"
	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
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
	// Settle, unless 0, is for runs to look at: once every script is done the environment does nothing more, and the run may
	// take so many steps until nothing is left to happen. One that does not come to rest within them ends where the
	// scripts did. Where it is 0, see [Run].
	Settle int
	// Prefer, unless nil, narrows the protocol's moves from which the next is drawn; it leaves one.
	Prefer func(w *world.World, moves []world.Move) []world.Move
	// Judged says that somebody looks at the run as a whole, so that what was observed before is of importance to the end.
	Judged bool
	// Scheduler, unless nil, chooses the protocol's events; else they are drawn from the choices.
	Scheduler strategy.Scheduler
	// Cast, unless nil, has the adversaries of the run; nil stands for all of them.
	Cast *adversary.Cast
	// Taken, unless nil, is called after every step with what it did.
	Taken func(w *world.World, r world.Record)
	// Interrupt, unless nil, ends the run before its next step when it is closed.
	Interrupt <-chan struct{}
}

// DefaultSteps is far more than the runs of small systems take.
const DefaultSteps = 10_000

// UnscriptedSteps bounds a run of a system whose nodes act by themselves: no script says when it is
// done, and it may go on for ever.
const UnscriptedSteps = 300

// Afterwards is how many steps a run may take at least once every script is done. A small system comes to rest within them, even
// if it has yet to recover from a crash. A schedule of one that never does, such as a ring with a token, is twice as long, or longer by
// this.
const Afterwards = 64

// An End is why a run stopped.
type End string

// The ways a run ends.
const (
	Done     End = "done"     // every script is done, and nothing is left to do, or the run has gone on for long enough
	Idle     End = "idle"     // nothing but the environment can move, and it did not
	Cut      End = "cut"      // whatever could still happen leads beyond a cut
	Violated End = "violated" // a claim is broken
	TooLong  End = "too long" // after the bound on steps
	Passed   End = "passed"   // where another run went on, of a strategy that goes on from each place once
	Failed   End = "failed"   // a handler failed, and that is ignored; or the run has an error
	Halted   End = "halted"   // from outside, before it came to an end
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

// Begin makes the choices that a run makes before its first step, and nothing else. In each of them the last option leaves
// the most open: every fault may strike, liars say anything, and a step may be taken at any instant.
func Begin(s *model.System, c Choices, reading world.Options) {
	adversary.NewCast(s).Draw(c)
	drawStyle(c, reading)
	drawClocks(s, c, reading)
}

// Run steps a world as the choices lead it, until a claim is violated, the run gets too long, or nothing is left to happen but by
// the environment, which does not act. Once every script is done, a run may take as many steps more as it took until then, and always
// [Afterwards], faults and lies among them: what was sent last still arrives, nodes crash and recover, and some claims can be violated
// only then. The script of a node that crashes for good is done, so this may begin early.
func Run(w *world.World, c Choices, b Bounds) Outcome { return runWorld(w, c, b, nil) }

// runWorld is Run; each, unless nil, is called after every step.
func runWorld(w *world.World, c Choices, b Bounds, each func()) Outcome {
	return runFrom(stepper.NewInterpreter(w), c, b, each)
}

// runFrom is runWorld for a run that may have taken steps already.
func runFrom(x *stepper.Interpreter, c Choices, b Bounds, each func()) Outcome {
	heap.Prepare()
	w := x.World
	if b.Taken != nil {
		before := each
		each = func() {
			b.Taken(w, x.Records[len(x.Records)-1])
			if before != nil {
				before()
			}
		}
	}
	r := newRun(x, w.System, c, b, each)
	if b.Prefer != nil {
		r.prefer = func(moves []stepper.Move) []stepper.Move { return preferred(x, moves, b.Prefer) }
	}
	end, steps, err := r.lead()
	return Outcome{end, x.Records[:min(steps, len(x.Records))], err} // a step that fails has no record
}

// preferred narrows the protocol's moves, of a world.
func preferred(x *stepper.Interpreter, moves []stepper.Move, prefer func(*world.World, []world.Move) []world.Move) (narrowed []stepper.Move) {
	all := x.WorldMoves()
	for _, p := range prefer(x.World, slices.Clone(all[:len(moves)])) {
		narrowed = append(narrowed, moves[slices.IndexFunc(all, func(m world.Move) bool { return m.Event == p.Event && m.Kind == p.Kind })])
	}
	return narrowed
}

// newRun begins to lead a run; each, unless nil, is called after every step.
func newRun(x stepper.Stepper, s *model.System, c Choices, b Bounds, each func()) *run {
	scripted := slices.ContainsFunc(s.Nodes, func(n model.NodeSpec) bool { return len(n.Script) > 0 })
	if b.MaxSteps == 0 && scripted {
		b.MaxSteps = DefaultSteps
	} else if b.MaxSteps == 0 {
		b.MaxSteps = UnscriptedSteps
	}
	if b.Cast == nil {
		b.Cast = adversary.NewCast(s)
	}
	r := &run{Stepper: x, system: s, c: c, bounds: b, each: each, scripted: scripted, planned: plans(c), longest: longest(s)}
	if r.planned != nil {
		c = Replay(nil) // it does not matter
	}
	r.adversary, r.style, r.choose = b.Cast.Draw(c), drawStyle(c, b.World), r.c.Choose
	if r.rings = never; r.planned == nil {
		r.clocks = drawClocks(s, c, b.World)
	}
	if b.Scheduler != nil {
		r.scheduled = &scheduled{by: b.Scheduler, attends: strategy.Attends(b.Scheduler)}
	}
	return r
}

// lead steps a run to its end, and returns how many of its steps count.
func (r *run) lead() (end End, steps int, err error) {
	for r.end == "" {
		r.step()
	}
	if r.unsettled {
		return r.end, r.scripts, r.err
	}
	return r.end, r.Steps(), r.err
}

// run is a run in progress, with what leads it.
type run struct {
	stepper.Stepper
	system    *model.System
	scripted  bool // some application has a script
	c         Choices
	choose    func(n int) int // by them
	bounds    Bounds
	each      func() // is called after every step, unless nil
	adversary *adversary.Adversary
	faults    []adversary.Fault // that may strike now
	style     style
	longest   model.Ticks // the longest finite time that the system's description speaks of
	tried     int         // moves tried, those beyond a cut included
	judged    int         // of the violations, how many are ignored
	scripts   int         // steps until every script was done; 0 before
	awaits    int         // steps until only nodes that are down had something left to do; 0 where others have
	unsettled bool        // the run did not come to rest once they were
	parted    int         // the steps up to which the network stays parted
	clocks    []rate      // of the nodes, where they drift
	rings     world.Time  // when the next alarm of a fast clock rings
	end       End
	err       error
	// others and timely are what lasting and onTime leave, until the next move.
	others, timely []stepper.Move
	// prefer, unless nil, narrows the protocol's moves.
	prefer func(moves []stepper.Move) []stepper.Move
	// planned, unless nil, makes of the choices what happens.
	planned *planned
	// scheduled, unless nil, is the scheduler that chooses the protocol's events.
	scheduled *scheduled
}

func (r *run) step() {
	switch {
	case r.violated():
		r.end = Violated
	case r.halted():
		r.end = Halted
	case r.Failed():
		r.end = Failed
	case r.scripted && r.Done() && !r.goesOn():
		r.end = Done
	case r.tried >= r.bounds.MaxSteps:
		r.end = TooLong
	case r.planned != nil && !r.Booting() && r.planned.passed(r):
		r.end = Passed
	default:
		m, ok := r.move()
		switch {
		case r.Failed(): // Forge did
		case !ok:
			r.end = r.rest()
		default:
			r.take(m)
		}
	}
}

// halted reports whether the run is stopped from outside.
func (r *run) halted() bool {
	select {
	case <-r.bounds.Interrupt:
		return true
	default:
		return false
	}
}

// goesOn reports whether a run goes on whose scripts are done.
func (r *run) goesOn() bool {
	if r.scripts == 0 {
		r.scripts = r.Steps()
	}
	if r.bounds.Settle == 0 {
		return r.Steps()-r.scripts < max(r.scripts, Afterwards)
	}
	if _, own := r.Moves(); own == 0 {
		return false
	}
	r.unsettled = r.Steps()-r.scripts >= r.bounds.Settle
	return !r.unsettled
}

// violated reports whether a claim is broken that ends the run.
func (r *run) violated() bool {
	for broken := r.Broken(); r.judged < len(broken); r.judged++ {
		if !r.bounds.Ignore[broken[r.judged]] {
			return true
		}
	}
	return false
}

// rest is the end of a run in which nothing is left to do.
func (r *run) rest() End {
	switch {
	case r.scripted && r.Done():
		return Done
	case r.Shortened():
		return Cut
	}
	return Idle
}

func (r *run) take(m stepper.Move) {
	r.tried++
	at := r.instant(m)
	var tell func()
	if r.scheduled != nil {
		tell = r.scheduled.takes(r.Stepper, m)
	}
	taken, err := r.Step(m, at, r.choose)
	switch {
	case err != nil:
		r.end, r.err = Failed, err
	case taken: // after a cut the run goes on with other moves
		if tell != nil {
			tell()
		}
		if m.Kind == model.Partition {
			r.partitioned()
		}
		r.tell(m)
		if r.each != nil {
			r.each()
		}
	}
}

// move chooses what happens next. There is nothing when only the environment could
// move and does not.
func (r *run) move() (m stepper.Move, ok bool) {
	moves, own := r.Moves()
	switch {
	case r.Booting() && len(moves) == 0:
		return stepper.Move{}, false // beyond a cut
	case r.Booting():
		return moves[0], true
	}
	if r.scripts > 0 && r.bounds.Settle > 0 { // the environment is done too
		return r.drawn(moves[:own]), true
	}
	if r.planned != nil {
		return r.planned.move(r, moves[:own], moves[own:])
	}
	if m, ok := r.awaited(moves[own:]); ok {
		return m, true
	}
	switch place, strike := r.strike(moves[own:], own > 0); strike {
	case adversary.SendLie:
		if m, ok := r.lie(own == 0); ok {
			return m, true
		}
	case adversary.InjectFault:
		m := moves[own+place]
		m.By = r.adversary.By()
		return m, true
	}
	if own == 0 {
		return stepper.Move{}, false
	}
	return r.drawn(moves[:own]), true
}

// awaited brings a node back that has been waited for long enough: whoever is up has nothing left to do, and has had as many steps as a run
// that is done may take. Otherwise a run of a system whose nodes act by themselves would wait for it to its last step.
func (r *run) awaited(others []stepper.Move) (m stepper.Move, ok bool) {
	back := slices.IndexFunc(others, func(m stepper.Move) bool { return m.Kind == model.Restart })
	if back < 0 || !r.scripted || !r.Awaits() {
		r.awaits = 0
		return stepper.Move{}, false
	}
	if r.awaits == 0 {
		r.awaits = r.Steps()
	}
	return others[back], r.Steps()-r.awaits >= max(r.awaits, Afterwards)
}

// drawn is one of the protocol's moves.
func (r *run) drawn(moves []stepper.Move) stepper.Move {
	if r.prefer != nil {
		moves = r.prefer(moves)
	}
	moves = r.onTime(r.lasting(moves))
	if r.scheduled != nil {
		return moves[r.scheduled.next(r.Stepper, moves)]
	}
	return moves[r.c.Choose(len(moves))]
}
