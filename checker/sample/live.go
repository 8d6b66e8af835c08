package sample

import (
	"errors"
	"fmt"
	"slices"

	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/world"
	"contend/model/wrapped"
)

// Schedules run in a live world. The interpreter repeats every run that violates a claim or first reaches a
// goal, and some others. So all reported runs are the interpreter's. After the first difference between both,
// only the interpreter runs schedules.

// repeats reports whether the interpreter repeats a schedule in any case: every 128th, and powers of two.
func repeats(schedule int) bool { return schedule%repeatEvery == 0 || schedule&(schedule-1) == 0 }

const repeatEvery = 128

// ballast is a number of allocated bytes that nobody writes, so that they use no memory. A live run leaves
// much garbage and few live bytes. The ballast raises the heap size at which the garbage collector runs.
const ballast = 16 << 20

// live prepares live runs, unless an option needs the interpreter's worlds.
func (sm *sampler) live() (err error) {
	if sm.opt.Prefer == nil && sm.opt.Taken == nil && sm.opt.Settle == 0 {
		sm.pure = world.NewPurity()
		sm.ballast = make([]byte, ballast)
		sm.setting, err = world.Prepare(sm.system, sm.codec, sm.claims)
	}
	return err
}

// runLive runs a schedule in a live world.
func (sm *sampler) runLive(schedule, worker int) runResult {
	x := sm.steppers[worker]
	if x == nil {
		x = stepper.NewLive(sm.setting, sm.opt.Timed, sm.lone, sm.opt.cell(worker))
		sm.steppers[worker] = x
	}
	defer x.Release()
	r, suspected := sm.lead(x, schedule, worker)
	first := r
	switch {
	case r.err != nil:
		return sm.rerun(x, first, suspected, schedule, worker)
	case r.end == Halted, len(suspected) == 0 && len(r.reached) == 0 && !repeats(schedule), sm.confirm(x, &r, suspected, schedule, worker):
		return r
	}
	return sm.rerun(x, first, suspected, schedule, worker)
}

// rerun repeats a live schedule that failed, or that differs from the interpreter's run. An equal repetition
// is marked as diverging. A different one shows that a handler is not deterministic.
func (sm *sampler) rerun(x *stepper.Live, first runResult, suspected []string, schedule, worker int) runResult {
	again, suspects := sm.lead(x, schedule, worker)
	if fmt.Sprint(again.err) == fmt.Sprint(first.err) && again.steps == first.steps && slices.Equal(suspects, suspected) {
		return runResult{diverges: true}
	}
	if first.err == nil {
		first.err = again.err
	}
	if first.err == nil {
		first.err = divergence(schedule, min(first.steps, again.steps))
	}
	return first
}

// lead runs a schedule in a live world, and returns the names of the claims that it seems to violate.
func (sm *sampler) lead(x *stepper.Live, schedule, worker int) (r runResult, suspected []string) {
	defer guard.Caught(&r.err)
	by, c, parts := sm.begin(schedule)
	r.scheduler, r.parts, r.planned = by, parts, plans(c) != nil
	var pure *world.Purity
	if sm.liveTwice(schedule) {
		pure = sm.pure
	}
	if sm.opt.Share > 0 {
		o := sm.opening(schedule, worker, r.planned, false)
		if r.parts, r.err = o.parts, o.err; r.err != nil {
			return r, nil
		}
		w, release := o.branchWorld(sm.opt.cell(worker), pure)
		x.Continue(o.x, w, release)
		r.shared, r.reached = len(o.x.Records), slices.Clone(o.reached)
	} else if r.err = x.Begin(parts, pure, c.Choose); r.err != nil {
		return r, nil
	}
	reach := sm.reaching(&r.reached, x.World.Reached)
	reach()
	bounds := sm.bounds(sm.worldOptions(r.parts, 0, nil), by)
	bounds.Interrupt = sm.opt.Interrupt
	if r.end, r.steps, r.err = newRun(x, sm.system, c, bounds, reach).lead(); r.err != nil {
		return r, nil
	}
	r.cut, r.witnessed, r.ended = x.World.Cut, x.World.Witnessed, x.World.Quiescent()
	broken := slices.Clone(x.Broken())
	for _, v := range x.World.Missed() {
		broken = append(broken, v.Claim)
	}
	suspected = slices.DeleteFunc(broken, func(claim string) bool { return sm.ignore[claim] })
	sm.judge(x.Observations, r.end == Done, func(claim string, _ error) { suspected = append(suspected, claim) })
	return r, suspected
}

// liveTwice reports whether the handlers of a live schedule run twice. The interpreter runs others twice.
func (sm *sampler) liveTwice(schedule int) bool {
	if sm.lone {
		return runsTwice(schedule, true)
	}
	return schedule < twiceFirst
}

// confirm repeats a live run in the interpreter. It reports whether both violate the same claims, reach the
// same goals and end in the same state. The handlers run twice, unless they cost much and the live run's did.
func (sm *sampler) confirm(x *stepper.Live, r *runResult, suspected []string, schedule, worker int) bool {
	pure := sm.purity
	if sm.lone && len(suspected) == 0 && sm.liveTwice(schedule) {
		pure = nil
	}
	reading, again := sm.worldOptions(r.parts, worker, pure), runResult{}
	var in *stepper.Interpreter
	var release func()
	if sm.opt.Share > 0 {
		o := sm.opening(schedule, worker, r.planned, len(suspected) > 0)
		if r.err = o.err; r.err != nil {
			return false
		}
		in, release = o.branch(reading)
		again.reached = slices.Clone(o.reached)
	} else if in, release, r.err = sm.began(x, reading); r.err != nil {
		return false
	}
	defer release()
	r.world = in.World
	reach := sm.reaching(&again.reached, r.world.Reached)
	reach()
	if r.err = x.Decisions().Follow(eachStep{in, reach}); r.err != nil {
		return errors.As(r.err, new(purity.Impure))
	}
	r.out = Outcome{r.end, in.Records, nil}
	r.broken = sm.broken(r.out, r.world)
	return slices.Equal(names(r.broken), distinct(suspected)) && slices.Equal(goals(again.reached), goals(r.reached)) &&
		slices.Equal(r.world.State(), x.World.State())
}

// began begins the repetition of a live run from the initial state. Release frees its objects.
func (sm *sampler) began(x *stepper.Live, reading world.Options) (in *stepper.Interpreter, release func(), err error) {
	system, release := sm.system, func() {}
	if sm.lone {
		system, release = wrapped.Alone(system)
	}
	answers := stepper.Answers(x.Decisions().Boot)
	reading.Boot = func(n int, _ string) int { return answers(n) }
	w, err := world.Start(system, sm.codec, sm.claims, reading)
	if err != nil {
		release()
		return nil, nil, err
	}
	return stepper.NewInterpreter(w), release, nil
}

// An eachStep is a stepper that calls a function after every step.
type eachStep struct {
	stepper.Stepper
	each func()
}

// Step implements [stepper.Stepper].
func (x eachStep) Step(m stepper.Move, at world.Time, choose func(n int) int) (taken bool, err error) {
	if taken, err = x.Stepper.Step(m, at, choose); taken {
		x.each()
	}
	return taken, err
}

// goals returns the sorted names of claims.
func goals(reached []model.Claim) (all []string) {
	for _, c := range reached {
		all = append(all, c.Name)
	}
	return distinct(all)
}

// names returns the sorted names of violated claims.
func names(broken []world.Violation) (all []string) {
	for _, v := range broken {
		all = append(all, v.Claim)
	}
	return distinct(all)
}

// distinct returns sorted names without duplicates.
func distinct(all []string) []string {
	all = slices.Clone(all)
	slices.Sort(all)
	return slices.Compact(all)
}
