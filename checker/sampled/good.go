package sampled

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"contend/checker/exemplar"
	"contend/checker/judge"
	"contend/checker/plan"
	"contend/checker/sample"
	"contend/checker/sampling"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// A Good is a run that breaks no claim, chosen among sampled schedules. It also breaks no claim whose assumptions
// the configuration does not meet: the run should show the purpose of the protocol.
type Good struct {
	Trace   *traces.Trace // nil if no run fits
	Sampled int           // number of sampled schedules
	Passing int           // number of these that break no claim
	Fitting int           // number of passing schedules that end and are of the kind
	Limit   decide.Limit  // the reason why the sampling ended early
}

// settling is the maximum number of steps after the end of all scripts in which a run must come to rest.
const settling = 500

// FindGood samples the schedules of a check and chooses the best run of a kind. The error is bad input: a sentence
// that names field and rule.
func FindGood(p *model.Protocol, c model.Check, kind exemplar.Kind, opt verdict.Options) (*Good, error) {
	claims, err := plan.Claims(p, c.Claims)
	if err != nil {
		return nil, err
	}
	planned, err := plan.Whole(p, c, claims)
	if err != nil {
		return nil, err
	}
	if err := kind.Refuse(planned.System); err != nil {
		return nil, err
	}
	claims = refutable(planned)
	sampled := sampling.New(planned, planned.System, claims, opt, verdict.New(planned))
	x := &chooser{kind: kind, system: planned.System, claims: claims}
	start := time.Now()
	w := verdict.NewWatch(&opt, start)
	err = w.Run(func() error {
		options := sampled.Options(start, w)
		options.Settle, options.Prefer = settling, kind.Prefer()
		n, stop, err := sample.Each(planned.System, claims, options, x.consider)
		if x.good.Sampled = n; stop != sample.Budget {
			x.good.Limit = decide.Limited(string(stop))
		}
		return err
	})
	if err != nil || x.best == nil {
		return &x.good, err
	}
	h := verdict.NewTrace(planned, claims, "", "")
	h.Note = x.note(opt.Seed)
	x.good.Trace, err = traces.FromRun(h, x.best.World, x.best.Parts, x.best.Records)
	if err != nil {
		return nil, err
	}
	return &x.good, x.replay(p)
}

// replay returns an error if a strict replay of the chosen trace fails.
func (x *chooser) replay(p *model.Protocol) error {
	run, err := replay.Replay(p, x.good.Trace, x.claims)
	if err != nil {
		return fmt.Errorf("a run that was sampled does not come again: some handler is not a function of what it is given: %w", err)
	}
	if len(run.World.Violations) > 0 {
		return fmt.Errorf("a run that was sampled breaks %s only when it is replayed", run.World.Violations[0].Claim)
	}
	return nil
}

// refutable returns the claims that a run can break in the check's reading of time.
func refutable(planned *plan.Row) (claims []model.Claim) {
	variant, _ := planned.Protocol.Variant(planned.Check.Variant)
	for _, c := range planned.Claims {
		if !slices.Contains(variant.Unclaimed, c.Name) && !slices.Contains(c.Unmet, model.Timed) {
			claims = append(claims, c.Claim)
		}
	}
	return judge.Watched(claims)
}

// A chooser chooses the best of the runs so far.
type chooser struct {
	kind   exemplar.Kind
	system *model.System
	claims []model.Claim
	good   Good
	best   *sample.Schedule
	is     exemplar.Measures
	missed []string // names of the claims whose goals the run does not reach
}

// safety reports whether a violation is of a claim of safety. A run that misses a goal may be chosen: its note
// names the goal.
func (x *chooser) safety(v world.Violation) bool {
	i := slices.IndexFunc(x.claims, func(c model.Claim) bool { return c.Name == v.Claim })
	return i < 0 || x.claims[i].Kind != model.Eventually
}

// consider chooses a sampled schedule if it is better than the best so far.
func (x *chooser) consider(r sample.Schedule) {
	if slices.ContainsFunc(r.Broken, x.safety) || r.End == sample.Failed {
		return
	}
	x.good.Passing++
	m := exemplar.Of(x.system, r.Records, r.End == sample.Done)
	if !x.kind.Fits(m) {
		return
	}
	x.good.Fitting++
	missed := x.missedGoals(r.World)
	if x.best == nil || len(missed) < len(x.missed) || len(missed) == len(x.missed) && x.kind.Better(m, x.is) {
		x.best, x.is, x.missed = &r, m, missed
	}
}

// missedGoals returns the names of the claims whose goal the run does not reach.
func (x *chooser) missedGoals(w *world.World) (names []string) {
	for _, c := range x.claims {
		switch c.Kind {
		case model.Eventually, model.PossibleFromEverywhere, model.AlmostSurely:
			if !w.Reached(c) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// note returns the note of the chosen run: its kind, and the numbers of schedules.
func (x *chooser) note(seed uint64) string {
	text := fmt.Sprintf("%s: %s\n%s\nchosen of %d schedules, seed %d: %d break no claim, %d of these finish and show it",
		x.kind.Name, x.kind.Shows, x.kind.Says(x.is), x.good.Sampled, seed, x.good.Passing, x.good.Fitting)
	if len(x.missed) > 0 {
		text += "\nit ends short of what these want in the end: " + strings.Join(x.missed, ", ")
	}
	return text
}
