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

// Options configure a sampling.
type Options struct {
	Schedules int
	Seed      uint64
	// Strategy, unless nil, chooses the protocol's events; nil is the random walk.
	Strategy strategy.Strategy
	// Adversaries, unless empty, restricts the adversaries: see [adversary.Kinds].
	Adversaries []string
	// Timed enforces windows and clocks.
	Timed bool
	// Share, unless 0, is the number of consecutive schedules with a common opening: see
	// [model.System.Opening].
	Share int
	// Parts is the number of fractions of a tick; 0 draws it for each schedule.
	Parts int64
	// Steps, unless 0, is the total number of steps after which no further schedule begins.
	Steps int64
	// MaxSteps bounds each schedule, as in [Bounds].
	MaxSteps int
	// Settle and Prefer are those of [Bounds].
	Settle int
	Prefer func(w *world.World, moves []world.Move) []world.Move
	// Taken, unless nil, is called after every step of a schedule, concurrently by several workers. A
	// violating schedule runs twice. With Taken, only the interpreter runs schedules.
	Taken func(schedule int, w *world.World, r world.Record)
	// Workers is the number of concurrent schedules; 0 is one for each processor. The result does not depend
	// on it.
	Workers int
	// Timeout ends the sampling early; 0 is no limit.
	Timeout time.Duration
	// Interrupt, unless nil, ends the sampling once it is closed.
	Interrupt <-chan struct{}
	// Progress, unless nil, is called about ten times a second.
	Progress func(done, steps int64)
	// Found, unless nil, is called with the first violation of each claim, before sampling continues, from
	// the goroutine of [Sample].
	Found func(Found)
	// Running, unless nil, returns the cell that shows the handler of a worker, by the worker's number.
	Running func(worker int) *guard.Cell
	// Judges check each completed schedule, concurrently.
	Judges []Judge
}

func (o *Options) cell(worker int) *guard.Cell {
	if o.Running == nil {
		return nil
	}
	return o.Running(worker)
}

// A Judge decides a claim by the observations of a whole schedule.
type Judge struct {
	Claim string
	// Check returns the violation, or nil. Complete reports whether every script was done.
	Check func(observations []model.Observation, complete bool) error
}

// A Stop is a reason why a sampling ended.
type Stop string

// Reasons.
const (
	Budget      Stop = "schedules"   // all schedules ran, or all of a finite strategy
	Spent       Stop = "steps"       // the total number of steps is reached
	TimedOut    Stop = "timeout"     // the timeout is reached
	Interrupted Stop = "interrupted" // the sampling was interrupted
	AllViolated Stop = "violated"    // every claim is violated
)

// A Result is the result of a sampling.
type Result struct {
	Stop       Stop
	Schedules  int64
	Steps      int64            // without those of shared openings
	MaxDepth   int              // steps of the longest schedule
	Ends       map[End]int64    // number of schedules by end
	Cut        map[string]int64 // number of schedules that each cut shortened
	Witnessed  map[string]bool  // claims that a schedule tested
	Tested     map[string]int64 // number of schedules that tested a claim, or, for an Eventually claim, that ended
	Reached    map[string]bool  // claims whose goal was reached
	Violations []Found          // first violation of each claim, in order of claims
}

// A Found is a violation.
type Found struct {
	Claim    string
	Text     string
	Schedule int
	Maker    string // member of a portfolio that made the schedule; "" for other strategies
	Parts    int64
	Records  []world.Record
	World    *world.World // after the violation
}

// Sample runs schedules with consecutive seeds. A handler that fails violates [model.NoHandlerFails]. A
// schedule that ends without the goal of an Eventually claim violates the claim. A finite run violates
// neither PossibleFromEverywhere nor AlmostSurely claims; the result has the goals that were reached.
//
// The error names a handler that is not deterministic. Handlers run twice in the first schedules, in some of
// the later ones, and in each violating schedule.
func Sample(s *model.System, claims []model.Claim, opt Options) (Result, error) {
	sm, err := newSampler(s, claims, opt)
	if err != nil {
		return Result{}, err
	}
	if err := sm.live(); err != nil {
		return Result{}, err
	}
	next := sm.started
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

type sampler struct {
	system   *model.System
	codec    *value.Codec
	cast     *adversary.Cast
	claims   []model.Claim
	opt      Options
	goals    []model.Claim   // not yet reached
	open     map[string]bool // claims that may yet be violated
	ignore   map[string]bool
	purity   *world.Purity
	lone     bool // schedules have objects of their own
	openings openings
	// setting makes live worlds for the steppers, one for each worker. It is nil if only the interpreter
	// runs.
	setting  *world.Setting
	pure     *world.Purity // for live runs
	ballast  []byte
	steppers []*stepper.Live
	result   Result
	started  time.Time
}

func newSampler(s *model.System, claims []model.Claim, opt Options) (*sampler, error) {
	sm := &sampler{system: s, claims: claims, opt: opt, started: time.Now(),
		cast: adversary.NewCast(s), purity: world.NewPurity(), steppers: make([]*stepper.Live, opt.workers()), open: map[string]bool{}, ignore: map[string]bool{},
		result:   Result{Ends: map[End]int64{}, Cut: map[string]int64{}, Witnessed: map[string]bool{}, Tested: map[string]int64{}, Reached: map[string]bool{}},
		openings: openings{byNumber: map[int]*opening{}},
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

// stops returns the reason to stop before the next schedules, or "".
func (sm *sampler) stops() Stop {
	if stop := sm.externalStop(); stop != "" {
		return stop
	}
	if len(sm.ignore) > 0 && len(sm.open) == 0 {
		return AllViolated
	}
	if sm.limitReached() {
		return Spent
	}
	return ""
}

// finite reports whether the strategy has no further schedule.
func (sm *sampler) finite() bool {
	s, ok := sm.opt.Strategy.(strategy.Finite)
	return ok && s.Finished()
}

// limitReached reports whether the total number of steps is reached.
func (sm *sampler) limitReached() bool { return sm.opt.Steps > 0 && sm.result.Steps >= sm.opt.Steps }

// externalStop returns the external reason to stop, or "". Workers may call it concurrently.
func (sm *sampler) externalStop() Stop {
	select {
	case <-sm.opt.Interrupt:
		return Interrupted
	default:
	}
	if sm.opt.Timeout > 0 && time.Since(sm.started) >= sm.opt.Timeout {
		return TimedOut
	}
	return ""
}

// A runResult is the result of one schedule.
type runResult struct {
	end       End
	steps     int
	shared    int             // steps of the shared opening
	planned   bool            // a [strategy.Planner] made the schedule
	cut       map[string]bool // cuts that shortened the schedule
	witnessed map[string]bool // claims that the schedule tested
	ended     bool            // only optional actions of the environment remain
	parts     int64
	reached   []model.Claim
	broken    []world.Violation // violations of claims that are not ignored
	// out and world belong to a run of the interpreter. A live run without a violation has none.
	out   Outcome
	world *world.World
	// scheduler is the schedule's; nil for the random walk.
	scheduler strategy.Scheduler
	err       error
	done      bool // the schedule ran; false if the sampling stopped before
	diverges  bool // the live run differs from the interpreter's
}

// run runs a schedule. The schedule is a function of its number, the seed and the ignored claims. A violating
// schedule runs again, and both runs must be equal.
func (sm *sampler) run(schedule, worker int) runResult {
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
			r.err = sm.compareRuns(schedule, r, again)
		}
	}
	return r
}

// begin returns the scheduler of a schedule, nil for the random walk, its choices and the fractions of a
// tick.
func (sm *sampler) begin(schedule int) (by strategy.Scheduler, c Choices, parts int64) {
	seed := scheduleSeed(sm.opt.Seed, schedule)
	if c = Seeded(seed); sm.opt.Strategy != nil {
		by, c = sm.opt.Strategy.Schedule(schedule, seed)
	}
	return by, c, sm.drawParts(c)
}

// drawParts returns the fractions of a tick, drawn if they are not given.
func (sm *sampler) drawParts(c Choices) int64 {
	if sm.opt.Timed && sm.opt.Parts == 0 {
		if plans(c) != nil {
			return 4
		}
		return []int64{4, 6, 8, 12, 16}[c.Choose(5)]
	}
	return sm.opt.Parts
}

// worldOptions returns the options of a schedule's world.
func (sm *sampler) worldOptions(parts int64, worker int, purity *world.Purity) world.Options {
	return world.Options{Timed: sm.opt.Timed, Parts: parts, Clocks: sm.lone, Trace: true, Purity: purity, Running: sm.opt.cell(worker)}
}

// bounds returns the bounds of a schedule.
func (sm *sampler) bounds(reading world.Options, by strategy.Scheduler) Bounds {
	return Bounds{World: reading, MaxSteps: sm.opt.MaxSteps, Settle: sm.opt.Settle, Prefer: sm.opt.Prefer, Ignore: sm.ignore, Scheduler: by, Cast: sm.cast, Judged: len(sm.opt.Judges) > 0}
}

// interpret runs a schedule in the interpreter. It uses the cached opening, or, if afresh, runs the opening
// again.
func (sm *sampler) interpret(schedule, worker int, purity *world.Purity, afresh bool) (r runResult) {
	defer guard.Caught(&r.err)
	by, c, parts := sm.begin(schedule)
	interrupt := sm.opt.Interrupt
	if afresh {
		interrupt = nil // the run confirms a violation: it must not be lost
	}
	if sm.opt.Share > 0 {
		return sm.runFromOpening(sm.opening(schedule, worker, plans(c) != nil, afresh), schedule, worker, purity, by, c, interrupt)
	}
	reading := sm.worldOptions(parts, worker, purity)
	reading.Boot = func(n int, _ string) int { return c.Choose(n) }
	system := sm.system
	if sm.lone {
		var release func()
		system, release = wrapped.Alone(sm.system)
		defer release()
	}
	w, err := world.Start(system, sm.codec, sm.claims, reading)
	if err != nil {
		return runResult{scheduler: by, parts: parts, err: err}
	}
	return sm.finish(stepper.NewInterpreter(w), schedule, reading, by, c, interrupt)
}

// finish runs a schedule to its end or its interruption. Interruption matters: a step of a program takes
// milliseconds.
func (sm *sampler) finish(x *stepper.Interpreter, schedule int, reading world.Options, by strategy.Scheduler, c Choices, interrupt <-chan struct{}) (r runResult) {
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

// reaching returns a function that appends the goals which the schedule has reached since its last call.
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

// scheduleSeed mixes a seed and a number (splitmix64), so that the seeds of neighbouring schedules are
// unrelated.
func scheduleSeed(seed uint64, schedule int) uint64 {
	x := seed + (uint64(schedule)+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// add merges the result of a schedule.
func (sm *sampler) add(schedule int, r runResult) {
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
	sm.recordViolations(Found{Schedule: schedule, Maker: sm.maker(schedule), Parts: r.parts, Records: r.out.Records, World: r.world}, r.broken)
}

// maker returns the member of a portfolio that makes a schedule, or "".
func (sm *sampler) maker(schedule int) string {
	if p, ok := sm.opt.Strategy.(strategy.Sharing); ok {
		return p.Maker(schedule)
	}
	return ""
}

// broken returns the violations of claims that are not ignored.
func (sm *sampler) broken(out Outcome, w *world.World) []world.Violation {
	broken := slices.DeleteFunc(append(slices.Clone(w.Violations), w.Missed()...), func(v world.Violation) bool { return sm.ignore[v.Claim] })
	sm.judge(out.Observations, out.End == Done, func(claim string, err error) {
		broken = append(broken, world.Violation{Claim: claim, Text: err.Error(), Step: w.Steps})
	})
	return broken
}

// judge calls wrong for each violation that a judge finds in a schedule, except of ignored claims.
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

// recordViolations adds the first violations of claims. It ignores these claims from then on: runs no longer
// end at them, and test the other claims.
func (sm *sampler) recordViolations(f Found, broken []world.Violation) {
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

// finished returns the result, with the violations in the order of the claims, the judges' last.
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
