package stepper

import (
	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/guard"
	"contend/model/world"
)

// A Live steps a live world, one run after another: see [world.Options.Live].
type Live struct {
	Interpreter
	setting *world.Setting
	reading world.Options
	made    Decisions
	seen    []model.Observation
	choices func(n int) int // of the run
	answer  func(n int) int // by them
}

// NewLive returns a stepper of a setting's runs. Running shows what runs in it.
func NewLive(x *world.Setting, timed bool, running *guard.Cell) *Live {
	l := &Live{Interpreter: *NewInterpreter(nil), setting: x, reading: world.Options{Timed: timed, Live: &world.Buffers{}, Running: running}}
	l.reading.Boot = func(n int, _ string) int {
		is := l.choices(n)
		l.made.Boot = append(l.made.Boot, is)
		return is
	}
	l.answer = func(n int) int {
		is := l.choices(n)
		l.made.answers = append(l.made.answers, is)
		return is
	}
	return l
}

// Begin begins a run with so many parts to a tick; untimed with 0. Choose answers Start. With purity, which may be nil, all
// handlers run twice. The error is that of [world.Start].
func (x *Live) Begin(parts int64, purity *world.Purity, choose func(n int) int) (err error) {
	x.made = Decisions{x.made.Boot[:0], x.made.steps[:0], x.made.answers[:0]}
	x.seen, x.choices, x.reading.Parts, x.reading.Purity = x.seen[:0], choose, parts, purity
	clear(x.said)
	x.Interpreter = Interpreter{Records: x.Records[:0], listed: x.listed[:0], said: x.said, answers: x.answers, broken: x.broken[:0], step: -1}
	x.World, err = x.setting.Start(x.reading)
	return err
}

// Decisions are those of the run so far: the answers of Start, and the moves.
func (x *Live) Decisions() Decisions { return x.made }

// Step implements [Stepper].
func (x *Live) Step(m Move, at world.Time, choose func(n int) int) (taken bool, err error) {
	x.Records, x.World.ToByzantine, x.choices = x.Records[:0], x.World.ToByzantine[:0], choose
	if taken, err = x.Interpreter.Step(m, at, x.answer); err != nil {
		return false, err
	}
	x.made.steps = append(x.made.steps, decision{m, at, taken, len(x.made.answers), len(x.listed)})
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

// Observations are what monitors were told of in the run's steps. They last until the next run.
func (x *Live) Observations() []model.Observation { return x.seen }
