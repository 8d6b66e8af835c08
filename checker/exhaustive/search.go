package exhaustive

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

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

// histories is how many final histories porcupine judges once more.
const histories = 200

// exhaustive is one search with what is made of it.
type exhaustive struct {
	plan     *plan.Row
	row      *verdict.Row
	sys      *model.System
	codec    *value.Codec
	claims   []model.Claim // watched
	opt      verdict.Options
	began    time.Time
	lock     sync.Mutex // guards the traces: a search that is given up goes on
	traces   map[int]*traces.Trace
	told     []int                 // claims whose violations were told of
	readings map[int]*traces.Trace // of a cost, by number
	refused  error                 // by an object that was not merged, in a confirmation
	unjudged map[int]bool          // claims of a history that porcupine did not finish
}

// newExhaustive begins the search of a row that is planned.
func newExhaustive(of *plan.Row, row *verdict.Row, opt verdict.Options) (x *exhaustive, err error) {
	x = &exhaustive{plan: of, row: row, claims: judge.Watched(of.Met()), opt: opt, began: time.Now(), traces: map[int]*traces.Trace{}, unjudged: map[int]bool{}}
	if x.sys, err = of.Take(); err != nil {
		return nil, err
	}
	x.codec, err = value.For(x.sys, x.claims)
	return x, err
}

// search makes the search, and puts to the test what it took for granted. The error is a [watch.Endless] if a handler does not return.
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
		x.row.Merged, err = x.putToTest(res, w)
	}
	if err != nil {
		return nil, err // a search that does not return goes on
	}
	for claim := range x.unjudged {
		if o := &res.Claims[claim]; o.Limit.None() {
			o.Limit = decide.Limited("porcupine")
		}
	}
	return res, nil
}

func (x *exhaustive) options(w *watch.Watch) search.Options {
	o := search.Options{
		Running: w.Cell(),
		Timed:   x.plan.Check.Reading != model.Untimed, Dense: x.plan.Check.Reading == model.Dense, Merge: x.reduce("merging"), MaxStates: x.opt.MaxStates, MaxMemory: x.opt.MaxMemory,
		Symmetry: x.reduce("symmetry"), Clients: x.reduce("clients"), Stale: x.reduce("stale"), Now: time.Now,
		Interrupt: x.opt.Interrupt, Confirm: x.confirm, Wide: x.opt.Fingerprints == 128, Workers: x.opt.Workers,
		Exact: x.breaks(), Draw: x.opt.Dot != nil, Pure: x.opt.Pure,
	}
	if x.opt.Violated != nil {
		o.Violated = x.tellViolated
	}
	if x.opt.Checkpoints != "" {
		o.Identity = identity(x.plan, x.opt)
		o.Checkpoint = checkpointDir(x.opt, o.Identity)
		_, err := os.Stat(o.Checkpoint)
		o.Resume = x.opt.Resume && err == nil // of the searches of a command some may not have begun
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if x.opt.Timeout > 0 {
		o.Deadline = x.began.Add(x.opt.Timeout)
	}
	if x.opt.Progress != nil {
		tell, names := x.opt.Progress, x.names()
		o.Progress = func(p search.Progress) {
			tell(verdict.Progress{Row: x.row, Claims: names, Generated: p.Generated, Distinct: p.Distinct, Frontier: p.Frontier,
				Depth: p.Depth, MemoryBytes: p.Bytes, Elapsed: time.Since(x.began), Growth: p.Growth, Estimate: p.Estimate, Widths: p.Widths})
		}
	}
	if slices.ContainsFunc(x.claims, func(c model.Claim) bool { return c.Kind == model.Linearizable }) {
		o.Histories, o.Judge = histories, x.judgeHistory
	}
	return o
}

// breaks reports whether a claim is known to break, as that of a mutant is and those that are
// findings: then exact parents are kept from the beginning, which spares a second search.
func (x *exhaustive) breaks() bool {
	v, _ := x.plan.Protocol.Variant(x.plan.Check.Variant)
	return slices.ContainsFunc(x.claims, func(c model.Claim) bool {
		return c.Name == v.Breaks || slices.ContainsFunc(x.plan.Protocol.Findings, func(f model.Finding) bool {
			return f.Variant == x.plan.Check.Variant && f.Claim == c.Name
		})
	})
}

// names returns the names of the claims.
func (x *exhaustive) names() (all []string) {
	for _, c := range x.claims {
		all = append(all, c.Name)
	}
	return all
}

// reduce reports whether a reduction is asked for. The search bars those that would change a verdict.
func (x *exhaustive) reduce(name string) bool {
	return x.opt.Reduce == nil || slices.Contains(x.opt.Reduce, name)
}

// claim is a claim of the search by its place.
func (x *exhaustive) claim(i int) model.Claim {
	if i == len(x.claims) {
		return verdict.NoHandlerFails
	}
	return x.claims[i]
}
