package sample

import (
	"maps"
	"slices"
	"time"

	"contend/checker/sample/adversary"
	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
	"contend/model/wrapped"
)

// Options say how much to sample, and how.
type Options struct {
	Schedules int
	Seed      uint64
	// Strategy, unless nil, chooses the protocol's events; nil is the random walk.
	Strategy strategy.Strategy
	// Adversaries, unless empty, are the only ones that are drawn: see [adversary.Kinds].
	Adversaries []string
	// Timed keeps windows and holds to the clock.
	Timed bool
	// Share, unless 0, is how many schedules in a row begin with the same opening, which is run once: see [model.System.Opening].
	Share int
	// Parts is the number of parts of a tick; 0 draws it afresh for each schedule.
	Parts int64
	// Steps, unless 0, ends the sampling behind the schedule with which so many steps are taken, those of all schedules together.
	Steps int64
	// MaxSteps bounds each schedule, as in [Bounds].
	MaxSteps int
	// Settle and Prefer are those of [Bounds].
	Settle int
	Prefer func(w *world.World, moves []world.Move) []world.Move
	// Taken, unless nil, is called after every step of a schedule, by several workers at once. Only the interpreter runs
	// schedules then. A schedule that violates a claim runs twice.
	Taken func(schedule int, w *world.World, r world.Record)
	// Workers run schedules side by side; 0 means one for each processor. Their number
	// changes nothing in the result.
	Workers int
	// Timeout stops the sampling early; 0 means no limit.
	Timeout time.Duration
	// Interrupt, unless nil, stops the sampling when it is closed.
	Interrupt <-chan struct{}
	// Progress, unless nil, is called every now and then.
	Progress func(done, steps int64)
	// Found, unless nil, is called with the first violation of each claim before sampling goes on, from the goroutine that called [Sample].
	Found func(Found)
	// Running, unless nil, returns what shows the handler that a worker, by number, runs.
	Running func(worker int) *guard.Cell
	// Judges look at each schedule when it is over, several at once.
	Judges []Judge
}

func (o *Options) cell(worker int) *guard.Cell {
	if o.Running == nil {
		return nil
	}
	return o.Running(worker)
}

// A Judge decides a claim from what was observed in a whole schedule. Complete says
// that every script was done.
type Judge struct {
	Claim string
	// Check returns what is wrong, or nil.
	Check func(observations []model.Observation, complete bool) error
}

// A Stop is why sampling ended.
type Stop string

// The reasons to stop.
const (
	Budget      Stop = "schedules"   // all schedules are done, or all that the strategy has
	Spent       Stop = "steps"       // as many steps as it may take
	TimedOut    Stop = "timeout"     // the time is over
	Interrupted Stop = "interrupted" // from outside
	AllViolated Stop = "violated"    // no claim is left that could still be violated
)

// A Result is what sampling came to.
type Result struct {
	Stop       Stop
	Schedules  int64
	Steps      int64            // those of an opening that was shared are not counted
	MaxDepth   int              // steps of the longest schedule
	Ends       map[End]int64    // schedules by how they ended
	Cut        map[string]int64 // schedules that each cut shortened
	Witnessed  map[string]bool  // claims that were put to the test
	Tested     map[string]int64 // schedules that put a claim to the test; for an Eventually claim, that ended
	Reached    map[string]bool  // claims whose goal was reached in some state
	Violations []Found          // the first of each violated claim, in order of claims
}

// Found is a violation. The schedule can be run again by itself: [Rerun].
type Found struct {
	Claim    string
	Text     string
	Schedule int
	Maker    string // the member of a portfolio that made the schedule; "" of any other strategy
	Parts    int64
	Records  []world.Record
	World    *world.World // as the violation left it
}

// Sample runs schedules, each from a seed of its own. That a handler fails is a violation of
// [model.NoHandlerFails]. The error is a handler's that is not a function of what it is given: each
// runs twice in the first schedules, in some of those after them, and in one that violates a claim. A schedule that ends
// without the goal of an Eventually claim violates it. PossibleFromEverywhere and AlmostSurely claims cannot be violated by a finite run.
// Whether goals were reached is in the result.
func Sample(s *model.System, claims []model.Claim, opt Options) (Result, error) {
	sm, err := newSampler(s, claims, opt)
	if err != nil {
		return Result{}, err
	}
	if err := sm.live(); err != nil {
		return Result{}, err
	}
	next := sm.began
	for i := 0; i < opt.Schedules && !sm.finite(); {
		now := time.Now()
		if sm.result.Stop = sm.stops(); sm.result.Stop != "" {
			break
		}
		if i, err = sm.batch(i); err != nil {
			return Result{}, err
		}
		if opt.Progress != nil && now.After(next) {
			opt.Progress(sm.result.Schedules, sm.result.Steps)
			next = now.Add(100 * time.Millisecond)
		}
	}
	return sm.finished(), nil
}

// Rerun runs one schedule of a sampling by itself, up to its first violation of a
// claim that is not ignored.
func Rerun(s *model.System, claims []model.Claim, opt Options, schedule int, ignore map[string]bool) (Outcome, *world.World, error) {
	sm, err := newSampler(s, claims, opt)
	if err != nil {
		return Outcome{}, nil, err
	}
	sm.ignore = ignore
	r := sm.interpret(schedule, 0, sm.purity, true)
	return r.out, r.world, r.err
}

type sampler struct {
	system   *model.System
	codec    *value.Codec
	cast     *adversary.Cast
	claims   []model.Claim
	opt      Options
	goals    []model.Claim   // not reached yet
	open     map[string]bool // claims that may yet be violated
	ignore   map[string]bool
	purity   *world.Purity
	lone     bool // each schedule has objects of its own
	openings openings
	// setting is what schedules run live on, and by which stepper of each worker; nil where only the interpreter runs them.
	setting  *world.Setting
	pure     *world.Purity // of live runs
	ballast  []byte
	steppers []*stepper.Live
	result   Result
	began    time.Time
}

func newSampler(s *model.System, claims []model.Claim, opt Options) (*sampler, error) {
	sm := &sampler{system: s, claims: claims, opt: opt, began: time.Now(),
		cast: adversary.NewCast(s), purity: world.NewPurity(), steppers: make([]*stepper.Live, opt.workers()), open: map[string]bool{}, ignore: map[string]bool{},
		result:   Result{Ends: map[End]int64{}, Cut: map[string]int64{}, Witnessed: map[string]bool{}, Tested: map[string]int64{}, Reached: map[string]bool{}},
		openings: openings{kept: map[int]*opening{}},
	}
	sm.lone = wrapped.HasLone(s)
	sm.cast.Only(opt.Adversaries)
	for _, c := range claims {
		switch c.Kind {
		case model.Always, model.Refines:
			sm.open[c.Name] = true
		case model.Eventually:
			sm.open[c.Name] = true
			sm.goals = append(sm.goals, c)
		case model.Sometimes, model.PossibleFromEverywhere, model.AlmostSurely:
			sm.goals = append(sm.goals, c)
		}
	}
	for _, j := range opt.Judges {
		sm.open[j.Claim] = true
	}
	var err error
	sm.codec, err = value.For(s, claims)
	return sm, err
}

// stops says why to stop before the next schedules, or "".
func (sm *sampler) stops() Stop {
	if stop := sm.halted(); stop != "" {
		return stop
	}
	if len(sm.ignore) > 0 && len(sm.open) == 0 {
		return AllViolated
	}
	if sm.spent() {
		return Spent
	}
	return ""
}

// finite reports whether the strategy has no schedule left.
func (sm *sampler) finite() bool {
	s, is := sm.opt.Strategy.(strategy.Finite)
	return is && s.Finished()
}

// spent reports whether no further schedule may begin, for the steps that were taken.
func (sm *sampler) spent() bool { return sm.opt.Steps > 0 && sm.result.Steps >= sm.opt.Steps }

// halted says what stops the sampling from outside, or "". Any worker may ask.
func (sm *sampler) halted() Stop {
	select {
	case <-sm.opt.Interrupt:
		return Interrupted
	default:
	}
	if sm.opt.Timeout > 0 && time.Since(sm.began) >= sm.opt.Timeout {
		return TimedOut
	}
	return ""
}

// A ran is what one schedule came to.
type ran struct {
	end       End
	steps     int
	shared    int             // of them, those of the opening
	cut       map[string]bool // the cuts that shortened it
	witnessed map[string]bool // the claims that it put to the test
	ended     bool            // nothing can happen any more but what the environment need not do
	parts     int64
	reached   []model.Claim
	broken    []world.Violation // the claims that it violates and that are not ignored
	// out and world are those of a schedule of the interpreter, and of one that violates a claim.
	out   Outcome
	world *world.World
	// scheduler chose the schedule's events; nil for the random walk.
	scheduler strategy.Scheduler
	err       error
	done      bool // it was run; not where the sampling was stopped before
	strays    bool // live, it is not what the interpreter makes of it
}

// run runs a schedule. Its number and the seed decide everything about it, and the
// claims that are ignored how far it goes. One that violates a claim runs again before that
// is believed.
func (sm *sampler) run(schedule, worker int) ran {
	if sm.setting != nil {
		return sm.runLive(schedule, worker)
	}
	var purity *world.Purity
	if runsTwice(schedule, sm.lone) {
		purity = sm.purity
	}
	r := sm.interpret(schedule, worker, purity, false)
	if r.err == nil && len(r.broken) > 0 {
		again := sm.interpret(schedule, worker, sm.purity, true)
		if r.err = again.err; r.err == nil {
			r.err = sm.unlike(schedule, r, again)
		}
	}
	return r
}

// begun is what a schedule begins with: its scheduler, if it has one, its choices and the parts of a tick.
func (sm *sampler) begun(schedule int) (by strategy.Scheduler, c Choices, parts int64) {
	seed := scheduleSeed(sm.opt.Seed, schedule)
	if c = Seeded(seed); sm.opt.Strategy != nil {
		by, c = sm.opt.Strategy.Schedule(schedule, seed)
	}
	return by, c, sm.drawParts(c)
}

// drawParts draws the parts of a tick, if they are not given.
func (sm *sampler) drawParts(c Choices) int64 {
	if sm.opt.Timed && sm.opt.Parts == 0 {
		if plans(c) != nil {
			return 4
		}
		return []int64{4, 6, 8, 12, 16}[c.Choose(5)]
	}
	return sm.opt.Parts
}

// reading is how the interpreter runs a schedule.
func (sm *sampler) reading(parts int64, worker int, purity *world.Purity) world.Options {
	return world.Options{Timed: sm.opt.Timed, Parts: parts, Trace: true, Purity: purity, Running: sm.opt.cell(worker)}
}

// bounds are those of a schedule.
func (sm *sampler) bounds(reading world.Options, by strategy.Scheduler) Bounds {
	return Bounds{World: reading, MaxSteps: sm.opt.MaxSteps, Settle: sm.opt.Settle, Prefer: sm.opt.Prefer, Ignore: sm.ignore, Scheduler: by, Cast: sm.cast, Judged: len(sm.opt.Judges) > 0}
}

// interpret runs a schedule in the interpreter. It runs its opening, if it shares one, afresh, or goes on from where that ended before.
func (sm *sampler) interpret(schedule, worker int, purity *world.Purity, afresh bool) (r ran) {
	defer guard.Caught(&r.err)
	by, c, parts := sm.begun(schedule)
	interrupt := sm.opt.Interrupt
	if afresh {
		interrupt = nil // it confirms a violation, which is not to be lost
	}
	if sm.opt.Share > 0 {
		return sm.goesOn(sm.opening(schedule, worker, plans(c) != nil, afresh), schedule, worker, purity, by, c, interrupt)
	}
	reading := sm.reading(parts, worker, purity)
	reading.Boot = func(n int, _ string) int { return c.Choose(n) }
	system := sm.system
	if sm.lone {
		var release func()
		system, release = wrapped.Alone(sm.system)
		defer release()
	}
	w, err := world.Start(system, sm.codec, sm.claims, reading)
	if err != nil {
		return ran{scheduler: by, parts: parts, err: err}
	}
	return sm.leads(stepper.NewInterpreter(w), schedule, reading, by, c, interrupt)
}

// leads runs a schedule to its end, or until it is interrupted: a step of a program takes milliseconds.
func (sm *sampler) leads(x *stepper.Interpreter, schedule int, reading world.Options, by strategy.Scheduler, c Choices, interrupt <-chan struct{}) (r ran) {
	r.scheduler, r.parts, r.world = by, reading.Parts, x.World
	reach := sm.reaching(&r.reached, r.world.Reached)
	reach()
	bounds := sm.bounds(reading, by)
	bounds.Interrupt = interrupt
	if sm.opt.Taken != nil {
		bounds.Taken = func(w *world.World, r world.Record) { sm.opt.Taken(schedule, w, r) }
	}
	r.out = runFrom(x, c, bounds, reach)
	r.end, r.steps = r.out.End, len(r.out.Records)
	if r.err = r.out.Err; r.err == nil {
		r.cut, r.witnessed, r.ended = r.world.Cut, r.world.Witnessed, r.world.Quiescent()
		r.broken = sm.broken(r.out, r.world)
	}
	return r
}

// reaching returns what notes the goals that a schedule has reached.
func (sm *sampler) reaching(all *[]model.Claim, reached func(c model.Claim) bool) func() {
	goals := slices.Clone(sm.goals)
	return func() {
		for i := 0; i < len(goals); i++ {
			if reached(goals[i]) {
				*all = append(*all, goals[i])
				goals = slices.Delete(goals, i, i+1)
				i--
			}
		}
	}
}

// scheduleSeed mixes a seed and a number (splitmix64), so that neighbouring
// schedules have nothing in common.
func scheduleSeed(seed uint64, schedule int) uint64 {
	x := seed + (uint64(schedule)+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// add puts a schedule into the result.
func (sm *sampler) add(schedule int, r ran) {
	res := &sm.result
	res.Schedules++
	res.Steps += int64(r.steps - r.shared)
	res.MaxDepth = max(res.MaxDepth, r.steps)
	res.Ends[r.end]++
	for name := range r.cut {
		res.Cut[name]++
	}
	maps.Copy(res.Witnessed, r.witnessed)
	for _, c := range sm.claims {
		if c.Kind != model.Eventually && r.witnessed[c.Name] || c.Kind == model.Eventually && r.ended {
			res.Tested[c.Name]++
		}
	}
	for _, g := range r.reached {
		res.Reached[g.Name] = true
	}
	sm.goals = slices.DeleteFunc(sm.goals, func(g model.Claim) bool { return res.Reached[g.Name] })
	sm.found(Found{Schedule: schedule, Maker: sm.maker(schedule), Parts: r.parts, Records: r.out.Records, World: r.world}, r.broken)
}

// maker is the member of a portfolio that makes a schedule, or "".
func (sm *sampler) maker(schedule int) string {
	if p, is := sm.opt.Strategy.(strategy.Sharing); is {
		return p.Maker(schedule)
	}
	return ""
}

// broken lists the claims that a schedule violates and that are not ignored.
func (sm *sampler) broken(out Outcome, w *world.World) []world.Violation {
	broken := slices.DeleteFunc(append(slices.Clone(w.Violations), w.Missed()...), func(v world.Violation) bool { return sm.ignore[v.Claim] })
	sm.judge(out.Observations, out.End == Done, func(claim string, err error) {
		broken = append(broken, world.Violation{Claim: claim, Text: err.Error(), Step: w.Steps})
	})
	return broken
}

// judge tells of each claim that is not ignored what its judge finds wrong with a whole schedule.
func (sm *sampler) judge(observations func() []model.Observation, complete bool, wrong func(claim string, err error)) {
	var all []model.Observation
	for _, j := range sm.opt.Judges {
		if sm.ignore[j.Claim] {
			continue
		}
		if all == nil {
			all = observations()
		}
		if err := j.Check(all, complete); err != nil {
			wrong(j.Claim, err)
		}
	}
}

// found keeps the violations of a schedule. Claims that are violated are ignored from then on: runs do not stop at them any
// more, so that the other claims get their share.
func (sm *sampler) found(f Found, broken []world.Violation) {
	for _, v := range broken {
		if sm.ignore[v.Claim] { // a run may violate a claim twice
			continue
		}
		f.Claim, f.Text = v.Claim, v.Text
		sm.result.Violations = append(sm.result.Violations, f)
		sm.ignore[v.Claim] = true
		delete(sm.open, v.Claim)
		if sm.opt.Found != nil {
			sm.opt.Found(f)
		}
	}
}

// finished puts the violations into the order of the claims, the judges' last.
func (sm *sampler) finished() Result {
	if sm.result.Stop == "" {
		sm.result.Stop = Budget
	}
	place := func(f Found) int {
		k := slices.IndexFunc(sm.claims, func(c model.Claim) bool { return c.Name == f.Claim })
		if k < 0 {
			return len(sm.claims)
		}
		return k
	}
	slices.SortStableFunc(sm.result.Violations, func(a, b Found) int { return place(a) - place(b) })
	return sm.result
}
