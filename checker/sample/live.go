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
)

// Schedules run live. The interpreter takes again every run that violates a claim or reaches a goal for the first time, and
// now and then another: what is reported is always a run of the interpreter. Once it comes to something else than
// the live run, the schedules from that one on run in the interpreter alone.

// compared reports whether the interpreter takes a schedule again in any case: one in so many, and more often in the beginning.
func compared(schedule int) bool { return schedule%comparedEvery == 0 || schedule&(schedule-1) == 0 }

const comparedEvery = 128

// ballast is how many bytes are kept that nobody writes to, so that they cost no memory: a live run leaves garbage behind and
// keeps little, and the garbage collector runs each time that as much was allocated as is kept.
const ballast = 16 << 20

// live lets schedules run live, unless somebody wants to see worlds.
func (sm *sampler) live() (err error) {
	if sm.opt.Prefer == nil && sm.opt.Taken == nil && sm.opt.Settle == 0 && sm.opt.Share == 0 && !sm.lone {
		sm.pure = world.NewPurity()
		sm.ballast = make([]byte, ballast)
		sm.setting, err = world.Prepare(sm.system, sm.codec, sm.claims)
	}
	return err
}

// runLive runs a schedule live.
func (sm *sampler) runLive(schedule, worker int) ran {
	x := sm.steppers[worker]
	if x == nil {
		x = stepper.NewLive(sm.setting, sm.opt.Timed, sm.opt.cell(worker))
		sm.steppers[worker] = x
	}
	r, suspected := sm.lead(x, schedule)
	first := r
	switch {
	case r.err != nil:
		return sm.again(x, first, suspected, schedule)
	case len(suspected) == 0 && len(r.reached) == 0 && !compared(schedule), sm.confirm(x, &r, suspected, worker):
		return r
	}
	return sm.again(x, first, suspected, schedule)
}

// again runs a schedule live once more, for it had an error or is not what the interpreter makes of it. It strays if it comes
// to the same again. Otherwise some handler is not a function of what it is given.
func (sm *sampler) again(x *stepper.Live, first ran, suspected []string, schedule int) ran {
	again, suspects := sm.lead(x, schedule)
	if fmt.Sprint(again.err) == fmt.Sprint(first.err) && again.steps == first.steps && slices.Equal(suspects, suspected) {
		return ran{strays: true}
	}
	if first.err == nil {
		first.err = again.err
	}
	if first.err == nil {
		first.err = strays(schedule, min(first.steps, again.steps))
	}
	return first
}

// lead takes a schedule in a live world, and says which claims it seems to violate.
func (sm *sampler) lead(x *stepper.Live, schedule int) (r ran, suspected []string) {
	defer guard.Caught(&r.err)
	by, c, parts := sm.begun(schedule)
	r.scheduler, r.parts = by, parts
	var purity *world.Purity
	if schedule < twiceFirst {
		purity = sm.pure
	}
	if r.err = x.Begin(parts, purity, c.Choose); r.err != nil {
		return r, nil
	}
	reach := sm.reaching(&r.reached, x.World.Reached)
	reach()
	if r.end, r.steps, r.err = newRun(x, sm.system, c, sm.bounds(sm.reading(parts, 0, nil), by), reach).lead(); r.err != nil {
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

// confirm takes a run again in the interpreter, and reports whether it comes to the same: the same claims are violated, the same
// goals are reached, and the same can happen from then on.
func (sm *sampler) confirm(x *stepper.Live, r *ran, suspected []string, worker int) bool {
	reading := sm.reading(r.parts, worker, sm.purity)
	answers := stepper.Answers(x.Decisions().Boot)
	reading.Boot = func(n int, _ string) int { return answers(n) }
	if r.world, r.err = world.Start(sm.system, sm.codec, sm.claims, reading); r.err != nil {
		return false
	}
	in, again := stepper.NewInterpreter(r.world), ran{}
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

// eachStep is a stepper that calls a func after every step.
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

// goals lists the claims whose goals were reached.
func goals(reached []model.Claim) (all []string) {
	for _, c := range reached {
		all = append(all, c.Name)
	}
	return distinct(all)
}

// names lists the claims of violations, each once.
func names(broken []world.Violation) (all []string) {
	for _, v := range broken {
		all = append(all, v.Claim)
	}
	return distinct(all)
}

// distinct sorts names, and leaves out that one comes twice.
func distinct(all []string) []string {
	all = slices.Clone(all)
	slices.Sort(all)
	return slices.Compact(all)
}
