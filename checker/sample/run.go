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

// Bounds are the conditions under which a run ends.
type Bounds struct {
	// World has the options of the world's start.
	World world.Options
	// MaxSteps is the maximum number of steps. 0 is [DefaultSteps], or [UnscriptedSteps] if no application
	// has a script.
	MaxSteps int
	// Ignore is the set of claims whose violation does not end the run.
	Ignore map[string]bool
	// Settle, unless 0, stops the environment once every script is done. The run may then take as many steps
	// until nothing can happen. If it does not come to rest, it is cut where the scripts were done. For 0,
	// see [Run].
	Settle int
	// Prefer, unless nil, is called before each choice of the protocol's next move. It returns at least one
	// of the moves.
	Prefer func(w *world.World, moves []world.Move) []world.Move
	// Judged reports whether a [Judge] reads all observations of the run.
	Judged bool
	// Scheduler, unless nil, chooses the protocol's events; else they are drawn from the choices.
	Scheduler strategy.Scheduler
	// Cast has the possible adversaries; nil stands for all.
	Cast *adversary.Cast
	// Taken, unless nil, is called after every step, by the goroutine of the run.
	Taken func(w *world.World, r world.Record)
	// Interrupt, unless nil, ends the run before its next step once it is closed.
	Interrupt <-chan struct{}
}

// DefaultSteps is far above the length of runs of small systems.
const DefaultSteps = 10_000

// UnscriptedSteps is the bound for systems without a script, whose runs may be endless.
const UnscriptedSteps = 300

// Afterwards is the minimum number of steps that a run may take after every script is done. A small system
// comes to rest within them, even after a crash. Runs of a system that never rests, such as a token ring, get
// twice as long.
const Afterwards = 64

// An End is a reason why a run ended.
type End string

// Reasons.
const (
	Done     End = "done"     // every script is done, and the system rests or the run was long enough
	Idle     End = "idle"     // only the environment can act, and it does not
	Cut      End = "cut"      // every possible event leads beyond a cut
	Violated End = "violated" // a claim is violated
	TooLong  End = "too long" // the bound on steps is reached
	Passed   End = "passed"   // another run of the strategy continued from this place
	Failed   End = "failed"   // a handler failed and its claim is ignored, or the run has an error
	Halted   End = "halted"   // the run was interrupted
)

// An Outcome is the result of a run.
type Outcome struct {
	End     End
	Records []world.Record // one for each step
	Err     error          // of a failed run
}

// Observations returns the observations of a run, in order.
func (o Outcome) Observations() []model.Observation {
	var all []model.Observation
	for _, r := range o.Records {
		all = append(all, r.Observations...)
	}
	return all
}

// Begin makes the choices that a run makes before its first step, and no others. The last option of each
// choice restricts the run least: all faults, any lies, steps at any instant.
func Begin(s *model.System, c Choices, reading world.Options) {
	adversary.NewCast(s).Draw(c)
	drawStyle(c, reading)
	drawClocks(s, c, reading)
}

// Run steps a world by a stream of choices. It ends at a violation, at the bound on steps, or when only the
// environment could act and does not. After every script is done, the run may take as many steps again, and
// at least [Afterwards], with faults and lies: some claims can be violated only then. A permanently crashed
// node's script counts as done.
func Run(w *world.World, c Choices, b Bounds) Outcome { return runWorld(w, c, b, nil) }

// runWorld is Run; each, unless nil, is called after every step.
func runWorld(w *world.World, c Choices, b Bounds, each func()) Outcome {
	return runFrom(stepper.NewInterpreter(w), c, b, each)
}

// runFrom is runWorld for an interpreter that may have taken steps.
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
	return Outcome{end, x.Records[:min(steps, len(x.Records))], err} // a failed step has no record
}

// preferred returns the protocol's moves that prefer selects.
func preferred(x *stepper.Interpreter, moves []stepper.Move, prefer func(*world.World, []world.Move) []world.Move) (narrowed []stepper.Move) {
	all := x.WorldMoves()
	for _, p := range prefer(x.World, slices.Clone(all[:len(moves)])) {
		narrowed = append(narrowed, moves[slices.IndexFunc(all, func(m world.Move) bool { return m.Event == p.Event && m.Kind == p.Kind })])
	}
	return narrowed
}

// newRun prepares a run; each, unless nil, is called after every step.
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
		c = Bytes(nil) // planned runs have no random parameters
	}
	r.adversary, r.style, r.choose = b.Cast.Draw(c), drawStyle(c, b.World), r.c.Choose
	if r.rings = never; r.planned == nil {
		r.clocks = drawClocks(s, c, b.World)
	}
	if b.Scheduler != nil {
		r.scheduled = &scheduled{scheduler: b.Scheduler, attends: strategy.Attends(b.Scheduler)}
	}
	return r
}

// lead steps a run to its end. It returns the number of steps that belong to the run.
func (r *run) lead() (end End, steps int, err error) {
	for r.end == "" {
		r.step()
	}
	if r.unsettled {
		return r.end, r.scripts, r.err
	}
	return r.end, r.Steps(), r.err
}

// A run is a run in progress.
type run struct {
	stepper.Stepper
	system       *model.System
	scripted     bool // an application has a script
	c            Choices
	choose       func(n int) int // calls c.Choose
	bounds       Bounds
	each         func() // called after every step, unless nil
	adversary    *adversary.Adversary
	faults       []adversary.Fault // possible now
	style        style
	longest      model.Ticks // longest finite time of the system's description
	tried        int         // moves tried, with those beyond a cut
	judged       int         // number of ignored violations
	scripts      int         // steps until every script was done; 0 before
	awaits       int         // steps until only crashed nodes had operations; 0 otherwise
	unsettled    bool        // the run did not come to rest after its scripts
	partitionEnd int         // step until which the network stays partitioned
	clocks       []rate      // by node; nil without drift
	rings        world.Time  // instant of the next timeout of a fast clock
	end          End
	err          error
	// unhealed and timely are buffers of withoutHeal and inTime, valid until the next move.
	unhealed, timely []stepper.Move
	// prefer, unless nil, selects from the protocol's moves.
	prefer func(moves []stepper.Move) []stepper.Move
	// planned, unless nil, makes the choices of the run.
	planned *planned
	// scheduled, unless nil, chooses the protocol's events.
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
	case r.scripted && r.Done() && !r.continues():
		r.end = Done
	case r.tried >= r.bounds.MaxSteps:
		r.end = TooLong
	case r.planned != nil && !r.Booting() && r.planned.revisited(r):
		r.end = Passed
	default:
		m, ok := r.move()
		switch {
		case r.Failed(): // Forge did
		case !ok:
			r.end = r.rest()
		default:
			r.apply(m)
		}
	}
}

// halted reports whether the run was interrupted.
func (r *run) halted() bool {
	select {
	case <-r.bounds.Interrupt:
		return true
	default:
		return false
	}
}

// continues reports whether a run continues after its scripts.
func (r *run) continues() bool {
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

// violated reports whether a claim is violated that ends the run.
func (r *run) violated() bool {
	for broken := r.Broken(); r.judged < len(broken); r.judged++ {
		if !r.bounds.Ignore[broken[r.judged]] {
			return true
		}
	}
	return false
}

// rest returns the End of a run without further moves.
func (r *run) rest() End {
	switch {
	case r.scripted && r.Done():
		return Done
	case r.Shortened():
		return Cut
	}
	return Idle
}

func (r *run) apply(m stepper.Move) {
	r.tried++
	at := r.instant(m)
	var tell func()
	if r.scheduled != nil {
		tell = r.scheduled.notifier(r.Stepper, m)
	}
	taken, err := r.Step(m, at, r.choose)
	switch {
	case err != nil:
		r.end, r.err = Failed, err
	case taken: // after a cut the run continues with other moves
		if tell != nil {
			tell()
		}
		if m.Kind == model.Partition {
			r.startPartition()
		}
		r.notifyAdversary(m)
		if r.each != nil {
			r.each()
		}
	}
}

// move chooses the next move. It returns false if only the environment could act and does not.
func (r *run) move() (m stepper.Move, ok bool) {
	moves, own := r.Moves()
	switch {
	case r.Booting() && len(moves) == 0:
		return stepper.Move{}, false // beyond a cut
	case r.Booting():
		return moves[0], true
	}
	if r.scripts > 0 && r.bounds.Settle > 0 { // the environment has stopped
		return r.draw(moves[:own]), true
	}
	if r.planned != nil {
		return r.planned.move(r, moves[:own], moves[own:])
	}
	if m, ok := r.dueRestart(moves[own:]); ok {
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
	return r.draw(moves[:own]), true
}

// dueRestart returns a restart that is due. It is due if only crashed nodes have had operations for as many
// steps as a run takes after its scripts. Otherwise nodes that act by themselves would keep the run waiting
// to its bound.
func (r *run) dueRestart(others []stepper.Move) (m stepper.Move, ok bool) {
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

// draw chooses one of the protocol's moves.
func (r *run) draw(moves []stepper.Move) stepper.Move {
	if r.prefer != nil {
		moves = r.prefer(moves)
	}
	moves = r.orderTimeouts(r.withoutHeal(moves))
	if r.scheduled != nil {
		return moves[r.scheduled.next(r.Stepper, moves)]
	}
	return moves[r.c.Choose(len(moves))]
}
