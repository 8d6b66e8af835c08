// Package sampling sets up the sampling of a planned row: options, progress, and porcupine as a second judge of
// histories.
package sampling

import (
	"math"
	"sync"
	"time"

	"contend/checker/judge"
	"contend/checker/plan"
	"contend/checker/sample"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
)

// A Sampling is the sampling of a planned row, without its result.
type Sampling struct {
	Plan   *plan.Row
	System *model.System
	Claims []model.Claim // watched
	Row    *verdict.Row  // for Progress; nil if nobody listens

	opt       verdict.Options
	lock      sync.Mutex // guards undecided
	undecided map[string]decide.Limit
}

// New returns the sampling of a row's system for some watched claims.
func New(planned *plan.Row, system *model.System, claims []model.Claim, opt verdict.Options, row *verdict.Row) *Sampling {
	return &Sampling{Plan: planned, System: system, Claims: claims, Row: row, opt: opt, undecided: map[string]decide.Limit{}}
}

// Undecided returns the limit of a claim for which porcupine did not decide some history; the zero Limit if there
// is none.
func (x *Sampling) Undecided(claim string) decide.Limit {
	x.lock.Lock()
	defer x.lock.Unlock()
	return x.undecided[claim]
}

// Options returns the options of a sampling that starts at a time.
func (x *Sampling) Options(start time.Time, w *watch.Watch) sample.Options {
	c, opt := x.Plan.Check, x.opt
	o := sample.Options{Workers: opt.Workers, Adversaries: opt.Adversaries, Share: opt.Share,
		Schedules: c.Schedules, Steps: opt.Steps, Seed: opt.Seed, Timed: c.Reading != model.Untimed, Timeout: opt.Timeout, Interrupt: opt.Interrupt,
		Running: w.Cells(),
	}
	if opt.Progress != nil {
		planned := int64(c.Schedules)
		if planned == Endless {
			planned = 0
		}
		o.Progress = func(done, steps int64) {
			opt.Progress(verdict.Progress{Row: x.Row, Sampled: true, Schedules: done, Planned: planned, Generated: steps, Elapsed: time.Since(start)})
		}
	}
	for _, claim := range x.Claims {
		if claim.Kind == model.Linearizable {
			o.Judges = append(o.Judges, sample.Judge{Claim: claim.Name, Check: x.porcupine(claim, start)})
		}
	}
	return o
}

// porcupine returns the function that judges each sampled history of a claim, after its monitor.
func (x *Sampling) porcupine(c model.Claim, start time.Time) func([]model.Observation, bool) error {
	memory := judge.Memory{Object: c.Object}
	return func(history []model.Observation, _ bool) error {
		return memory.Again(history, judge.Patience(start, x.opt.Timeout), func() {
			x.lock.Lock()
			defer x.lock.Unlock()
			x.undecided[c.Name] = decide.Limited("porcupine")
		})
	}
}

// Endless is the number of schedules of a sampling that only its time limits.
const Endless = math.MaxInt32
