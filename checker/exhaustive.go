package checker

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"contend/checker/confirm"
	"contend/checker/judge"
	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/watch"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/model/wrapped"
	"contend/traces"
)

// histories is how many final histories porcupine judges once more.
const histories = 200

// handlerPatience is how long handlers may run. Tests have less.
var handlerPatience = watch.Usual

// watch makes the watch of a check that begins now.
func (opt *Options) watch(start time.Time) *watch.Watch {
	w := &watch.Watch{Interrupt: opt.Interrupt, Notify: opt.Stuck, Patience: handlerPatience}
	if opt.Timeout > 0 {
		w.Deadline = start.Add(opt.Timeout)
	}
	return w
}

// searchRow searches one configuration exhaustively.
func searchRow(of *plan.Row, opt Options) (*Row, error) {
	row := newRow(of)
	row.Strategy = "exhaustive"
	row.Command += how(opt)
	if f := opt.From; f != nil {
		row.From = &FromJSON{f.File, f.Steps}
	}
	if len(of.Met()) == 0 {
		overall(row)
		return row, nil
	}
	x, err := newExhaustive(of, row, opt)
	if err != nil {
		return nil, err
	}
	res, err := x.search()
	switch stuck, ok := err.(watch.Endless); {
	case ok:
		x.giveUp(stuck)
	case err != nil:
		return nil, err
	default:
		x.fill(res)
		if err := x.draw(res); err != nil {
			return nil, err
		}
	}
	if givenUp(row) {
		x.advise()
	}
	row.Seconds = clock(x.began)
	passOver(row, of)
	overall(row)
	return row, nil
}

// search makes the search, and puts to the test what it took for granted. The error is a [watch.Endless] if a handler does not return.
func (x *exhaustive) search() (*search.Result, error) {
	w := x.opt.watch(x.began)
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

// advise notes what may end where the search did not.
func (x *exhaustive) advise() {
	if smaller, system, found := x.plan.Smaller(); found {
		x.row.Notes = append(x.row.Notes, "a smaller configuration that is searched to its end: "+command(x.plan.Protocol, smaller, system))
	}
	if len(x.claims) > 1 {
		x.row.Notes = append(x.row.Notes, fmt.Sprintf("a search for one of these %d claims may have fewer states: --claim NAME", len(x.claims)))
	}
}

// how is the end of a command line: how a search is made, where it is not made as usual.
func how(opt Options) (flags string) {
	switch {
	case len(opt.Reduce) > 0:
		flags = " --reduce " + strings.Join(opt.Reduce, ",")
	case opt.Reduce != nil:
		flags = " --reduce none"
	}
	if opt.Fingerprints > 64 {
		flags += fmt.Sprintf(" --fingerprints %d", opt.Fingerprints)
	}
	return flags + opt.From.flags()
}

// exhaustive is one search with what is made of it.
type exhaustive struct {
	plan     *plan.Row
	row      *Row
	sys      *model.System
	codec    *value.Codec
	claims   []model.Claim // watched
	opt      Options
	began    time.Time
	lock     sync.Mutex // guards the traces: a search that is given up goes on
	traces   map[int]*traces.Trace
	told     []int                 // claims whose violations were told of
	readings map[int]*traces.Trace // of a cost, by number
	refused  error                 // by an object that was not merged, in a confirmation
	unjudged map[int]bool          // claims of a history that porcupine did not finish
}

// newExhaustive begins the search of a row that is planned.
func newExhaustive(of *plan.Row, row *Row, opt Options) (x *exhaustive, err error) {
	x = &exhaustive{plan: of, row: row, claims: judge.Watched(of.Met()), opt: opt, began: time.Now(), traces: map[int]*traces.Trace{}, unjudged: map[int]bool{}}
	if x.sys, err = of.Take(); err != nil {
		return nil, err
	}
	x.codec, err = value.For(x.sys, x.claims)
	return x, err
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
			tell(Progress{Row: x.row, Claims: names, Generated: p.Generated, Distinct: p.Distinct, Frontier: p.Frontier,
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

// confirm replays a candidate, on objects that are not merged, and keeps its trace.
func (x *exhaustive) confirm(c search.Candidate) (search.Confirmation, error) {
	system, release := wrapped.Alone(x.sys)
	defer release()
	run, is, err := confirm.Take(system, x.codec, x.claims, x.plan.Check.Reading != model.Untimed, c)
	x.refuse(err)
	if err == nil && is != search.Real && x.plan.Check.Reading == model.Dense {
		err = fmt.Errorf("no times are found for a run of %d steps that the search met in dense time", len(c.Steps))
	}
	if err != nil || is != search.Real || x.claim(c.Claim).Kind == model.Sometimes { // a witness is not shown
		return is, err
	}
	if cost := x.claim(c.Claim).Cost; cost != nil {
		return is, x.keepReading(cost, c.Number, run)
	}
	watched, _ := confirm.Watched(x.claims, c)
	if c.Claim == len(x.claims) {
		c.Text = saysOf(run.World, model.NoHandlerFails)
	}
	h := header(x.plan, watched, x.claim(c.Claim).Name, c.Text)
	t, err := traces.FromRun(h, run.World, run.Parts, run.Records)
	if err != nil {
		return is, err
	}
	goesOn(t, run, c)
	x.lock.Lock()
	defer x.lock.Unlock()
	x.traces[c.Claim] = t
	return is, nil
}

// goesOn writes into the trace of a run how the search says that it goes on for ever.
func goesOn(t *traces.Trace, run *confirm.Run, c search.Candidate) {
	if c.Loop >= 0 {
		t.Loop = run.Behind(c.Loop) + 1
	}
	if n := c.NoReturn; n != nil {
		t.NoReturn = &traces.NoReturn{After: n.After, AtLatest: n.AtLatest, Unknown: n.Unknown}
		if n.After > 0 {
			t.NoReturn.After = run.Behind(n.After)
		}
	}
}

// trace returns that of the run which violates a claim, or nil.
func (x *exhaustive) trace(claim int) *traces.Trace {
	x.lock.Lock()
	defer x.lock.Unlock()
	return x.traces[claim]
}

// giveUp writes into the row what is known when a handler does not return: the violations that were
// found before.
func (x *exhaustive) giveUp(e watch.Endless) {
	x.row.Limit = Stuck
	for i := range len(x.claims) + 1 {
		res := result(x.claim(i))
		res.Verdict, res.Limit, res.Text = Inconclusive, Stuck, e.Error()
		if t := x.trace(i); t != nil {
			res.violatedBy(t)
		} else if i == len(x.claims) {
			continue
		}
		x.row.Claims = append(x.row.Claims, res)
	}
}

// violatedBy writes into a claim's result that a run violates it.
func (c *ClaimResult) violatedBy(t *traces.Trace) {
	c.Verdict, c.Limit, c.Text, c.Witnessed, c.Steps, c.Counterexample = Violated, "", t.Text, true, len(t.Steps), t
}

// tellViolated tells of a violation, once, unless it is a recorded finding.
func (x *exhaustive) tellViolated(claim int) {
	t := x.trace(claim)
	if t == nil || slices.Contains(x.told, claim) {
		return
	}
	x.told = append(x.told, claim)
	tellViolated(x.plan, x.row, x.claim(claim), t, x.opt.Violated)
}

// tellViolated tells of a violation whose row is still to come, unless it is a recorded finding or nobody listens.
func tellViolated(of *plan.Row, row *Row, claim model.Claim, t *traces.Trace, tell func(*Row, ClaimResult)) {
	if tell == nil {
		return
	}
	one := *row
	one.Claims = []ClaimResult{result(claim)}
	one.Claims[0].violatedBy(t)
	passOver(&one, of)
	if recognise(of.Protocol, &one); one.Claims[0].Finding == "" {
		tell(row, one.Claims[0])
	}
}

// noHandlerFails is the claim that stands behind the others: it is in a row only when a handler
// fails.
var noHandlerFails = model.Claim{Name: model.NoHandlerFails, Kind: model.Always}

// claim is a claim of the search by its place.
func (x *exhaustive) claim(i int) model.Claim {
	if i == len(x.claims) {
		return noHandlerFails
	}
	return x.claims[i]
}

// saysOf is what a run says of how a claim is violated.
func saysOf(w *world.World, claim string) string {
	for _, v := range w.Violations {
		if v.Claim == claim {
			return v.Text
		}
	}
	return ""
}

// judgeHistory gives one history to porcupine. That it disagrees with the monitor
// is an internal error.
func (x *exhaustive) judgeHistory(of search.Candidate) error {
	system, release := wrapped.Alone(x.sys)
	defer release()
	run, err := confirm.Drive(system, x.codec, x.claims, of)
	if err != nil {
		return err
	}
	var history []model.Observation
	for _, r := range run.Records {
		history = append(history, r.Observations...)
	}
	for i, c := range x.claims {
		if c.Kind != model.Linearizable {
			continue
		}
		verdict, err := judge.History(c.Object, history, judge.Patience(x.began, x.opt.Timeout))
		broken := slices.ContainsFunc(run.World.Violations, func(v world.Violation) bool { return v.Claim == c.Name })
		switch {
		case err != nil:
			return err
		case verdict == judge.Unknown:
			x.unjudged[i] = true
		case (verdict == judge.Illegal) != broken:
			return fmt.Errorf("claim %s: porcupine and the monitor differ on a history of %d observations", c.Name, len(history))
		}
	}
	return nil
}

// fill writes a search's result into the row.
func (x *exhaustive) fill(r *search.Result) {
	row := x.row
	row.States, row.Transitions, row.Depth, row.HandlerCalls = r.States, r.Transitions, r.Depth, r.HandlerCalls
	row.Complete, row.Limit, row.Omission, row.Cut = r.Complete, r.Limit.String(), r.Omission, r.Cut
	row.stopped = r.Limit.Code
	row.Handlers = r.Handlers
	row.BytesPer = float64(r.Bytes) / float64(max(r.States, 1))
	row.Reductions = append(row.Reductions, r.Reductions...)
	row.Notes = append(row.Notes, r.Notes...)
	if r.Histories > 0 {
		row.Notes = append(row.Notes, fmt.Sprintf("porcupine judged %d histories once more", r.Histories))
	}
	if row.Merged != nil {
		row.Notes = append(row.Notes, row.Merged.String())
	}
	for i := range r.Claims {
		if c, shown := x.claimResult(i, r); shown {
			row.Claims = append(row.Claims, c)
		}
	}
	if x.opt.Profile {
		row.Profile = r.Profile()
	}
}

// claimResult returns what a search comes to for the claim of a place, and whether a row shows it: that no handler fails is shown
// where that is in doubt.
func (x *exhaustive) claimResult(i int, r *search.Result) (res ClaimResult, shown bool) {
	c, o := x.claim(i), &r.Claims[i]
	res = result(c)
	res.Witnessed = o.Witnessed
	state, limit := r.Verdict(i, c.Kind)
	switch state {
	case search.Violated:
		res.Verdict, res.Witnessed, res.Text, res.Steps, res.Counterexample = Violated, true, o.Violated.Text, len(o.Violated.Steps), x.traces[i]
		if i == len(x.claims) {
			res.Text = x.traces[i].Text // the search does not say where
		}
	case search.Holds:
		res.Verdict = Holds
	case search.Unreached:
		x.unreached(&res, c)
	case search.Untested:
		x.untested(&res, c)
	default:
		res.Verdict, res.Limit, res.Text = Inconclusive, limit.String(), x.why(c, o, limit)
	}
	return res, i < len(x.claims) || state == search.Violated || limit.Code == decide.StrictBound || limit.Code == search.Internal
}

// unreached judges a goal that no run of a complete search reaches: the row does not claim one that none can reach.
func (x *exhaustive) unreached(res *ClaimResult, c model.Claim) {
	why := x.vacuous(c)
	switch {
	case why != "":
		res.Verdict, res.Text = NotClaimed, "no run can reach the goal: "+why
	case x.opt.From != nil:
		res.Verdict, res.Text = Violated, "the goal is not reached by any run that continues the one that the search began with"
	default:
		res.Verdict, res.Text = Violated, "the search is complete and the goal was never reached"
	}
}

// vacuous says why no run of the system can put a claim to the test, or "".
func (x *exhaustive) vacuous(c model.Claim) string {
	if c.Vacuous == nil {
		return ""
	}
	return c.Vacuous(x.sys)
}

// untested judges a claim that no run of a complete search broke, or put to the test.
func (x *exhaustive) untested(res *ClaimResult, c model.Claim) {
	res.Vacuous = x.vacuous(c)
	if res.Verdict = Holds; res.Vacuous == "" {
		res.Verdict, res.Limit = Inconclusive, Untested
		res.Text = "no run breaks it, and none put it to the test: give the row what the claim speaks of, such as a fault or another operation"
	}
}

// spurious says what came of candidates that are no real runs.
func spurious(c model.Claim, n int) string {
	what := "ways to break it"
	if c.Kind == model.Sometimes {
		what = "ways to reach it"
	}
	return fmt.Sprintf("%d %s exist only because the grid closes strict bounds", n, what)
}

// why says in a sentence why a claim is left open for a limit; "" if the limit says it all.
func (x *exhaustive) why(c model.Claim, o *search.Outcome, limit decide.Limit) string {
	if o.Spurious > 0 && limit.Code == decide.StrictBound {
		return spurious(c, o.Spurious)
	}
	at := decide.Case{Kind: decide.KindOf(c), Reading: decide.ReadingOf(x.plan.Check.Reading), Channel: x.sys.Network.Channel}
	at.Strict, at.Cut = limit == decide.Limited(decide.StrictBound), limit == decide.Limited(decide.Cut)
	return decide.Because(at, limit.String())
}
