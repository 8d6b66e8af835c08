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

// An opening is how several schedules in a row begin. It is a random walk in which the environment does nothing, up to the step that the
// system says, or one that violates a claim, and is run once. Each schedule goes on from there with a branch of its world. It is the
// run that it were if it had made the opening's steps itself: those that violate a claim are confirmed that way.
type opening struct {
	once    sync.Once
	x       *stepper.Interpreter
	objects *wrapped.Objects
	parts   int64
	reached []model.Claim
	err     error
}

// openings are those that are kept.
type openings struct {
	mu   sync.Mutex
	kept map[int]*opening
}

// keptOpenings is how many are kept at least: workers may be at different ones.
const keptOpenings = 2

// opening returns that of a schedule, from those that are kept, or run afresh. Schedules that are planned from those before all share the first.
func (sm *sampler) opening(schedule, worker int, planned, afresh bool) *opening {
	number := schedule / sm.opt.Share
	if planned {
		number = 0
	}
	if afresh {
		return sm.opens(number, worker)
	}
	sm.openings.mu.Lock()
	o := sm.openings.kept[number]
	if o == nil {
		o = &opening{}
		for old := range sm.openings.kept {
			if old <= number-keptOpenings {
				delete(sm.openings.kept, old)
			}
		}
		sm.openings.kept[number] = o
	}
	sm.openings.mu.Unlock()
	o.once.Do(func() {
		is := sm.opens(number, worker)
		o.x, o.objects, o.parts, o.reached, o.err = is.x, is.objects, is.parts, is.reached, is.err
	})
	return o
}

// openingSeeds keeps the seeds of openings apart from those of schedules.
const openingSeeds = 0x6f70656e696e6773

// opens runs an opening. Its handlers run twice.
func (sm *sampler) opens(number, worker int) (o *opening) {
	o = &opening{}
	defer guard.Caught(&o.err)
	c := Seeded(scheduleSeed(sm.opt.Seed^openingSeeds, number))
	o.parts = sm.drawParts(c)
	reading := sm.reading(o.parts, worker, sm.purity)
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
	for reach(); !over && r.opens(); reach() {
		over = slices.ContainsFunc(o.x.Records[len(o.x.Records)-1].Observations, sm.system.Opening)
	}
	o.x.Known()
	o.objects = played.Branch() // at rest
	o.err = r.err
	return o
}

// opens takes a step of an opening, if there is one to take.
func (r *run) opens() bool {
	for r.end == "" && r.tried < r.bounds.MaxSteps && len(r.Broken()) == 0 && !r.Failed() {
		moves, own := r.Moves()
		if own == 0 {
			return false
		}
		m, before := moves[0], r.Steps()
		if !r.Booting() {
			m = r.drawn(moves[:own])
		}
		if r.take(m); r.Steps() > before {
			return true
		}
	}
	return false
}

// branch returns what steps a schedule from the end of its opening, and what frees its objects.
func (o *opening) branch(reading world.Options) (x *stepper.Interpreter, release func()) {
	objects := o.objects.Branch()
	return o.x.Branch(o.x.World.Branch(objects, reading.Running, reading.Purity)), objects.Release
}

// goesOn runs a schedule from the end of its opening.
func (sm *sampler) goesOn(o *opening, schedule, worker int, purity *world.Purity, by strategy.Scheduler, c Choices, interrupt <-chan struct{}) ran {
	if o.err != nil {
		return ran{scheduler: by, parts: o.parts, err: o.err}
	}
	reading := sm.reading(o.parts, worker, purity)
	x, release := o.branch(reading)
	defer release()
	r := sm.leads(x, schedule, reading, by, c, interrupt)
	r.reached, r.shared = append(r.reached, o.reached...), len(o.x.Records)
	return r
}
