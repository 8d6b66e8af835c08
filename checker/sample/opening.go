package sample

import (
	"slices"
	"sync"

	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/guard"
	"contend/model/world"
	"contend/model/wrapped"
)

// An opening is a shared beginning of consecutive schedules, run once. It is a random walk without actions of
// the environment. It ends at an observation that the system defines, or at a violation. Each schedule
// continues in a branch of the opening's world. To confirm a violation, the schedule runs its opening afresh,
// with the same result.
type opening struct {
	once    sync.Once
	x       *stepper.Interpreter
	objects *wrapped.Objects
	parts   int64
	reached []model.Claim
	err     error
}

// An openings caches openings by number.
type openings struct {
	mu       sync.Mutex
	byNumber map[int]*opening
}

// keptOpenings is the number of cached openings. Workers may be at different ones.
const keptOpenings = 2

// opening returns the opening of a schedule, cached or run afresh. Schedules of a [strategy.Planner] share
// the first opening.
func (sm *sampler) opening(schedule, worker int, planned, afresh bool) *opening {
	number := schedule / sm.opt.Share
	if planned {
		number = 0
	}
	if afresh {
		return sm.runOpening(number, worker)
	}
	sm.openings.mu.Lock()
	o := sm.openings.byNumber[number]
	if o == nil {
		o = &opening{}
		for old := range sm.openings.byNumber {
			if old <= number-keptOpenings {
				delete(sm.openings.byNumber, old)
			}
		}
		sm.openings.byNumber[number] = o
	}
	sm.openings.mu.Unlock()
	o.once.Do(func() {
		fresh := sm.runOpening(number, worker)
		o.x, o.objects, o.parts, o.reached, o.err = fresh.x, fresh.objects, fresh.parts, fresh.reached, fresh.err
	})
	return o
}

// openingSeeds separates the seeds of openings from the seeds of schedules.
const openingSeeds = 0x6f70656e696e6773

// runOpening runs an opening. Its handlers run twice.
func (sm *sampler) runOpening(number, worker int) (o *opening) {
	o = &opening{}
	defer guard.Caught(&o.err)
	c := Seeded(scheduleSeed(sm.opt.Seed^openingSeeds, number))
	o.parts = sm.drawParts(c)
	reading := sm.worldOptions(o.parts, worker, sm.purity)
	reading.Boot = func(n int, _ string) int { return c.Choose(n) }
	played := wrapped.Apart(sm.system)
	defer played.Release()
	w, err := world.Start(played.System, sm.codec, sm.claims, reading)
	if o.err = err; err != nil {
		return o
	}
	o.x = stepper.NewInterpreter(w)
	r := newRun(o.x, w.System, c, sm.bounds(reading, nil), nil)
	reach := sm.reaching(&o.reached, w.Reached)
	over := slices.ContainsFunc(w.Began, sm.system.Opening)
	for reach(); !over && r.openingStep(); reach() {
		over = slices.ContainsFunc(o.x.Records[len(o.x.Records)-1].Observations, sm.system.Opening)
	}
	o.x.Label()
	o.objects = played.Branch() // at rest
	o.err = r.err
	return o
}

// openingStep takes a step of an opening. It reports whether there was one.
func (r *run) openingStep() bool {
	for r.end == "" && r.tried < r.bounds.MaxSteps && len(r.Broken()) == 0 && !r.Failed() {
		moves, own := r.Moves()
		if own == 0 {
			return false
		}
		m, before := moves[0], r.Steps()
		if !r.Booting() {
			m = r.draw(moves[:own])
		}
		if r.apply(m); r.Steps() > before {
			return true
		}
	}
	return false
}

// branch returns a stepper of a branch of the opening's world, and a function that releases its objects.
func (o *opening) branch(reading world.Options) (x *stepper.Interpreter, release func()) {
	w, release := o.branchWorld(reading.Running, reading.Purity)
	return o.x.Branch(w), release
}

// branchWorld returns a branch of the opening's world, and a function that releases its objects.
func (o *opening) branchWorld(running *guard.Cell, purity *world.Purity) (w *world.World, release func()) {
	objects := o.objects.Branch()
	return o.x.World.Branch(objects, running, purity), objects.Release
}

// runFromOpening runs a schedule from the end of its opening.
func (sm *sampler) runFromOpening(o *opening, schedule, worker int, purity *world.Purity, by strategy.Scheduler, c Choices, interrupt <-chan struct{}) runResult {
	if o.err != nil {
		return runResult{scheduler: by, parts: o.parts, err: o.err}
	}
	reading := sm.worldOptions(o.parts, worker, purity)
	x, release := o.branch(reading)
	defer release()
	r := sm.finish(x, schedule, reading, by, c, interrupt)
	r.reached, r.shared = append(r.reached, o.reached...), len(o.x.Records)
	return r
}
