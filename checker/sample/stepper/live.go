package stepper

import (
	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/guard"
	"contend/model/world"
)

// A Live is a stepper of consecutive runs in a live world: see [world.Options.Live].
type Live struct {
	Interpreter
	setting   *world.Setting
	apart     bool
	release   func() // frees the objects of the run, if apart
	options   world.Options
	decisions Decisions
	seen      []model.Observation
	choices   func(n int) int // of the run
	answer    func(n int) int // calls choices and records the answers
}

// NewLive returns a stepper of a setting's runs. Apart reports that each run has its own objects. Running shows
// the handler that runs.
func NewLive(x *world.Setting, timed, apart bool, running *guard.Cell) *Live {
	l := &Live{Interpreter: *NewInterpreter(nil), setting: x, apart: apart, options: world.Options{Timed: timed, Clocks: apart, Live: &world.Buffers{}, Running: running}}
	l.options.Boot = func(n int, _ string) int {
		choice := l.choices(n)
		l.decisions.Boot = append(l.decisions.Boot, choice)
		return choice
	}
	l.answer = func(n int) int {
		choice := l.choices(n)
		l.decisions.answers = append(l.decisions.answers, choice)
		return choice
	}
	return l
}

// Begin begins a run with parts fractions of a tick; 0 without time. Choose answers Start. Unless purity is
// nil, handlers run twice. The error is that of [world.Start].
func (x *Live) Begin(parts int64, purity *world.Purity, choose func(n int) int) (err error) {
	x.reset(choose)
	x.options.Parts, x.options.Purity = parts, purity
	setting := x.setting
	if x.apart {
		setting, x.release = setting.Apart()
	}
	x.World, err = setting.Start(x.options)
	return err
}

// reset begins a run. Choose answers handlers.
func (x *Live) reset(choose func(n int) int) {
	x.decisions = Decisions{x.decisions.Boot[:0], x.decisions.steps[:0], x.decisions.answers[:0]}
	x.seen, x.choices = x.seen[:0], choose
	clear(x.alphabets)
	x.Interpreter = Interpreter{Records: x.Records[:0], listed: x.listed[:0], alphabets: x.alphabets, chooser: x.chooser, broken: x.broken[:0], numberedAt: -1}
}

// Continue begins a run that continues another stepper's run, which must be labelled, in a branch of its world.
// Release frees the objects of the branch.
func (x *Live) Continue(from *Interpreter, branch *world.World, release func()) {
	x.reset(nil)
	branch.Enliven(x.options.Live)
	x.World, x.release = branch, release
	x.longest, x.lastNumber, x.numberedAt = from.longest, from.lastNumber, from.numberedAt
	for _, r := range from.Records {
		x.seen = append(x.seen, r.Observations...)
	}
}

// Release frees the objects of the last run.
func (x *Live) Release() {
	if x.release != nil {
		x.release()
		x.release = nil
	}
}

// Decisions returns the decisions of the run so far.
func (x *Live) Decisions() Decisions { return x.decisions }

// Step implements [Stepper].
func (x *Live) Step(m Move, at world.Time, choose func(n int) int) (taken bool, err error) {
	x.Records, x.World.ToByzantine, x.choices = x.Records[:0], x.World.ToByzantine[:0], choose
	if taken, err = x.Interpreter.Step(m, at, x.answer); err != nil {
		return false, err
	}
	x.decisions.steps = append(x.decisions.steps, decision{m, at, taken, len(x.decisions.answers), len(x.listed)})
	if taken {
		x.seen = append(x.seen, x.Records[0].Observations...)
	}
	return taken, nil
}

// Observed implements [Stepper].
func (x *Live) Observed(soFar strategy.Place, seen *int) strategy.Place {
	soFar = x.observed(soFar, x.seen[*seen:])
	*seen = len(x.seen)
	return soFar
}

// Observations returns the monitors' observations in the run. They are valid until the next run.
func (x *Live) Observations() []model.Observation { return x.seen }
