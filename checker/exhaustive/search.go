package exhaustive

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"contend/checker/explain"
	"contend/checker/judge"
	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
	"contend/model/value"
	"contend/traces"
)

// maxHistories is the number of final histories that porcupine judges as a second judge.
const maxHistories = 200

// exhaustive is one search of a planned row.
type exhaustive struct {
	plan       *plan.Row
	row        *verdict.Row
	sys        *model.System
	codec      *value.Codec
	claims     []model.Claim // watched
	opt        verdict.Options
	began      time.Time
	lock       sync.Mutex                 // guards violations and refused: an abandoned search continues
	violations map[int]*explain.Violation // by claim
	reported   []int                      // claims with reported violations
	readings   map[int]*traces.Trace      // the runs of a cost, by number
	refused    error                      // a refusal of an unmerged object, during a confirmation
	unjudged   map[int]bool               // claims with a history that porcupine did not decide
}

// newExhaustive prepares the search of a planned row.
func newExhaustive(planned *plan.Row, row *verdict.Row, opt verdict.Options) (x *exhaustive, err error) {
	x = &exhaustive{plan: planned, row: row, claims: judge.Watched(planned.Met()), opt: opt, began: time.Now(), violations: map[int]*explain.Violation{}, unjudged: map[int]bool{}}
	if x.sys, err = planned.Take(); err != nil {
		return nil, err
	}
	x.codec, err = value.For(x.sys, x.claims)
	return x, err
}

// search searches, and then tests the merging of objects that the search assumed. The error is a [watch.Endless] if
// a handler does not return.
func (x *exhaustive) search() (*search.Result, error) {
	w := verdict.NewWatch(&x.opt, x.began)
	var res *search.Result
	err := w.Run(func() error {
		from, err := x.beginning()
		if err != nil {
			return err
		}
		o := x.options(w)
		o.From = from
		res, err = search.Run(x.sys, x.claims, o)
		return err
	})
	if err == nil {
		x.row.Merged, err = x.testMerging(res, w)
	}
	if err != nil {
		return nil, err // the search may still run
	}
	for claim := range x.unjudged {
		if o := &res.Claims[claim]; o.Limit.None() {
			o.Limit = decide.Limited("porcupine")
		}
	}
	return res, nil
}

// options returns the options of the search.
func (x *exhaustive) options(w *watch.Watch) search.Options {
	o := search.Options{
		Running: w.Cell(),
		Timed:   x.plan.Check.Reading != model.Untimed, Dense: x.plan.Check.Reading == model.Dense, Merge: x.reduce("merging"), MaxStates: x.opt.MaxStates, MaxMemory: x.opt.MaxMemory,
		Symmetry: x.reduce("symmetry"), Clients: x.reduce("clients"), Stale: x.reduce("stale"), Now: time.Now,
		Interrupt: x.opt.Interrupt, Confirm: x.confirm, Wide: x.opt.Fingerprints == 128, Workers: x.opt.Workers,
		Exact: x.expectsViolation(), Draw: x.opt.Dot != nil, Pure: x.opt.Pure,
	}
	if x.opt.Violated != nil {
		o.Violated = x.reportViolation
	}
	if x.opt.Checkpoints != "" {
		o.Identity = identity(x.plan, x.opt)
		o.Checkpoint = checkpointDir(x.opt, o.Identity)
		_, err := os.Stat(o.Checkpoint)
		o.Resume = x.opt.Resume && err == nil // a search of the command may not have begun
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if x.opt.Timeout > 0 {
		o.Deadline = x.began.Add(x.opt.Timeout)
	}
	if x.opt.Progress != nil {
		report, names := x.opt.Progress, x.names()
		o.Progress = func(p search.Progress) {
			report(verdict.Progress{Row: x.row, Claims: names, Generated: p.Generated, Distinct: p.Distinct, Frontier: p.Frontier,
				Depth: p.Depth, MemoryBytes: p.Bytes, Elapsed: time.Since(x.began), Growth: p.Growth, Estimate: p.Estimate, Widths: p.Widths})
		}
	}
	if slices.ContainsFunc(x.claims, func(c model.Claim) bool { return c.Kind == model.Linearizable }) {
		o.Histories, o.Judge = maxHistories, x.judgeHistory
	}
	return o
}

// expectsViolation reports whether some claim is known to be violated: the claim of a mutant, or of a finding. The
// search then stores exact parents from its beginning, and needs no second search.
func (x *exhaustive) expectsViolation() bool {
	v, _ := x.plan.Protocol.Variant(x.plan.Check.Variant)
	return slices.ContainsFunc(x.claims, func(c model.Claim) bool {
		return c.Name == v.Breaks || slices.ContainsFunc(x.plan.Protocol.Findings, func(f model.Finding) bool {
			return f.Variant == x.plan.Check.Variant && f.Claim == c.Name
		})
	})
}

// names returns the names of the searched claims.
func (x *exhaustive) names() (all []string) {
	for _, c := range x.claims {
		all = append(all, c.Name)
	}
	return all
}

// reduce reports whether the options have a reduction. The search itself omits reductions that would change a verdict.
func (x *exhaustive) reduce(name string) bool {
	return x.opt.Reduce == nil || slices.Contains(x.opt.Reduce, name)
}

// claim returns the claim with an index. The index after the last claim is of [verdict.NoHandlerFails].
func (x *exhaustive) claim(i int) model.Claim {
	if i == len(x.claims) {
		return verdict.NoHandlerFails
	}
	return x.claims[i]
}
