package sample

import (
	"errors"
	"fmt"
	"slices"

	"contend/checker/sample/stepper"
	"contend/checker/search/runs"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// Most schedules run on interned components. The interpreter runs the first ones, and each that violates a claim or
// reaches a goal for the first time once more: what is reported is always a run of the interpreter.

// mostComponents is how many components are kept before sampling begins with none again. They take up some
// hundred bytes each.
const mostComponents = 4 << 20

// intern lets schedules run on interned components from the next one on, unless somebody wants to see worlds.
func (sm *sampler) intern() {
	if sm.opt.Prefer != nil || sm.opt.Taken != nil || sm.opt.Settle > 0 {
		return
	}
	sm.interned = stepper.NewComponents(sm.system, sm.codec, sm.claims, sm.opt.Timed, sm.opt.cell(sm.opt.workers()))
	clear(sm.steppers)
}

// bound begins with no components again when there are too many. No schedule runs meanwhile.
func (sm *sampler) bound() {
	if sm.interned != nil && sm.interned.Size() > mostComponents {
		sm.intern()
	}
}

// runInterned runs a schedule on interned components. It does not fit where only the interpreter can go on.
func (sm *sampler) runInterned(schedule, worker int) (r ran, fits bool) {
	if sm.interned == nil || sm.unfit.Load() {
		return ran{}, false
	}
	x := sm.steppers[worker]
	if x == nil {
		x = sm.interned.Interned(sm.opt.cell(worker))
		x.InternMonitors(sm.unlive.Load())
		sm.steppers[worker] = x
	}
	var suspected []string
	if r, suspected, fits = sm.walk(x, schedule); fits && x.Again() {
		r, suspected, fits = sm.walk(x, schedule)
	}
	if fits && x.Live() && schedule%liveChecked == 0 && !sm.likeInterned(x, r.parts) {
		sm.unlive.Store(true)
		x.InternMonitors(true)
		r, suspected, fits = sm.walk(x, schedule)
	}
	if !fits {
		sm.unfit.Store(true)
		return r, false
	}
	if r.err == nil && (len(suspected) > 0 || len(r.reached) > 0) {
		sm.confirm(x, &r, suspected, schedule, worker)
	}
	return r, true
}

// walk takes a schedule through interned components, and says which claims it seems to violate.
func (sm *sampler) walk(x *stepper.Interned, schedule int) (r ran, suspected []string, fits bool) {
	defer unfit(&r.err, &fits)
	by, c, parts := sm.begun(schedule)
	r.scheduler, r.parts = by, parts
	x.Begin(parts, c.Choose)
	reach := sm.reaching(&r, x.Reached)
	reach()
	if r.end, r.steps, r.err = newRun(x, sm.system, c, sm.bounds(sm.reading(parts, 0, nil), by), reach).lead(); r.err != nil {
		return r, nil, true
	}
	r.cut, r.witnessed = x.CutBy(), x.Witnessed()
	suspected = slices.DeleteFunc(slices.Clone(x.Broken()), func(claim string) bool { return sm.ignore[claim] })
	sm.judge(x.Observations, r.end == Done, func(claim string, _ error) { suspected = append(suspected, claim) })
	return r, suspected, true
}

// unfit catches what keeps a schedule from running on interned components: that of a handler which is not a
// function of what it is given is an error of the schedule.
func unfit(err *error, fits *bool) {
	switch p := recover().(type) {
	case nil:
	case value.Impure:
		*err, *fits = p, true
	case stepper.Unfit, model.Refusal:
		*fits = false
	default:
		panic(p)
	}
}

// confirm runs a schedule once more in the interpreter, in which it has to violate the same claims and reach the
// same goals.
func (sm *sampler) confirm(x *stepper.Interned, r *ran, suspected []string, schedule, worker int) {
	reading := sm.reading(r.parts, worker, sm.purity)
	answers := stepper.Answers(x.Decisions().Boot)
	reading.Boot = func(n int, _ string) int { return answers(n) }
	if r.world, r.err = world.Start(sm.system, sm.codec, sm.claims, reading); r.err != nil {
		return
	}
	in, again := stepper.NewInterpreter(r.world), ran{}
	reach := sm.reaching(&again, r.world.Reached)
	reach()
	err := x.Decisions().Follow(eachStep{in, reach})
	if err != nil && !errors.As(err, new(stepper.Astray)) {
		r.err = err
		return
	}
	r.out = Outcome{r.end, in.Records, nil}
	r.broken = sm.broken(r.out, r.world)
	if err == nil && !slices.Equal(names(r.broken), distinct(suspected)) {
		err = fmt.Errorf("a schedule violates %q in the one, and %q in the other", distinct(suspected), names(r.broken))
	}
	if is, was := goals(again.reached), goals(r.reached); err == nil && !slices.Equal(is, was) {
		err = fmt.Errorf("a schedule reaches %q in the one, and %q in the other", was, is)
	}
	switch {
	case err != nil && x.Live(): // a monitor may be to blame that is no good live
		sm.unlive.Store(true)
		x.InternMonitors(true)
		if *r, suspected, _ = sm.walk(x, schedule); r.err == nil && (len(suspected) > 0 || len(r.reached) > 0) {
			sm.confirm(x, r, suspected, schedule, worker)
		}
	case err != nil:
		r.err = sm.dispute(x, r.parts, err)
	}
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

// liveChecked is how often live monitors are compared with interned ones: once in so many schedules.
const liveChecked = 64

// likeInterned takes the last run again with interned monitors, and reports whether they come to the same.
func (sm *sampler) likeInterned(x *stepper.Interned, parts int64) bool {
	decided, live := x.Decisions().Clone(), x.Monitors()
	x.InternMonitors(true)
	defer x.InternMonitors(false)
	x.Begin(parts, stepper.Answers(decided.Boot))
	return decided.Follow(x) == nil && slices.Equal(live, x.Monitors())
}

// dispute finds out why a schedule is not confirmed. Either some handler is not a function of what it is given, or the search's steps
// and the interpreter disagree.
func (sm *sampler) dispute(x *stepper.Interned, parts int64, why error) (err error) {
	defer value.Caught(&err)
	decided := x.Decisions().Clone()
	x.Doubt(true)
	defer x.Doubt(false)
	x.Begin(parts, stepper.Answers(decided.Boot))
	if err := decided.Follow(x); err != nil {
		return value.Impure{Text: fmt.Sprintf("some handler is not deterministic: %v", err)}
	}
	return runs.Disagreement{Err: why}
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
