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

// A Good run is one that breaks no claim, chosen among sampled schedules for what it shows. No claim is
// broken either that assumes more than the configuration gives: who looks at it shall see what the
// protocol is for.
type Good struct {
	Trace   *traces.Trace // nil when none fits
	Sampled int           // schedules
	Passing int           // of them, those that break no claim
	Fitting int           // of these, those that finish and show what was asked for
	Limit   decide.Limit  // what stopped the sampling early
}

// settling is how many steps a run may take to come to rest once every script is done.
const settling = 500

// FindGood samples the schedules of a check and chooses the run that shows a kind best. The error is
// bad input: a sentence that names field and rule.
func FindGood(p *model.Protocol, c model.Check, kind exemplar.Kind, opt verdict.Options) (*Good, error) {
	claims, err := plan.Claims(p, c.Claims)
	if err != nil {
		return nil, err
	}
	of, err := plan.Whole(p, c, claims)
	if err != nil {
		return nil, err
	}
	if err := kind.Refuse(of.System); err != nil {
		return nil, err
	}
	claims = telling(of)
	sampled := sampling.New(of, of.System, claims, opt, verdict.New(of))
	x := &choosing{kind: kind, system: of.System, claims: claims}
	start := time.Now()
	w := verdict.NewWatch(&opt, start)
	err = w.Run(func() error {
		options := sampled.Options(start, w)
		options.Settle, options.Prefer = settling, kind.Prefer()
		n, stop, err := sample.Each(of.System, claims, options, x.look)
		if x.good.Sampled = n; stop != sample.Budget {
			x.good.Limit = decide.Limited(string(stop))
		}
		return err
	})
	if err != nil || x.best == nil {
		return &x.good, err
	}
	h := verdict.NewTrace(of, claims, "", "")
	h.Note = x.note(opt.Seed)
	x.good.Trace, err = traces.FromRun(h, x.best.World, x.best.Parts, x.best.Records)
	if err != nil {
		return nil, err
	}
	return &x.good, x.replays(p)
}

// replays replays the trace strictly, as whoever is shown it will.
func (x *choosing) replays(p *model.Protocol) error {
	run, err := replay.Replay(p, x.good.Trace, x.claims)
	if err != nil {
		return fmt.Errorf("a run that was sampled does not come again: some handler is not a function of what it is given: %w", err)
	}
	if len(run.World.Violations) > 0 {
		return fmt.Errorf("a run that was sampled breaks %s only when it is replayed", run.World.Violations[0].Claim)
	}
	return nil
}

// telling are the claims of a check that a run can break in its reading of time.
func telling(of *plan.Row) (claims []model.Claim) {
	variant, _ := of.Protocol.Variant(of.Check.Variant)
	for _, c := range of.Claims {
		if !slices.Contains(variant.Unclaimed, c.Name) && !slices.Contains(c.Unmet, model.Timed) {
			claims = append(claims, c.Claim)
		}
	}
	return judge.Watched(claims)
}

// choosing keeps the best run so far.
type choosing struct {
	kind   exemplar.Kind
	system *model.System
	claims []model.Claim
	good   Good
	best   *sample.Schedule
	is     exemplar.Measures
	short  []string // of what goals it ends
}

// safety reports whether a violation is of a claim of safety. A run that ends without a goal may be chosen: the note on
// it names the goal.
func (x *choosing) safety(v world.Violation) bool {
	i := slices.IndexFunc(x.claims, func(c model.Claim) bool { return c.Name == v.Claim })
	return i < 0 || x.claims[i].Kind != model.Eventually
}

func (x *choosing) look(r sample.Schedule) {
	if slices.ContainsFunc(r.Broken, x.safety) || r.End == sample.Failed {
		return
	}
	x.good.Passing++
	m := exemplar.Of(x.system, r.Records, r.End == sample.Done)
	if !x.kind.Fits(m) {
		return
	}
	x.good.Fitting++
	short := x.shortOf(r.World)
	if x.best == nil || len(short) < len(x.short) || len(short) == len(x.short) && x.kind.Better(m, x.is) {
		x.best, x.is, x.short = &r, m, short
	}
}

// shortOf lists the claims whose goal a run does not reach, of those that want one reached in the end.
func (x *choosing) shortOf(w *world.World) (names []string) {
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

// note says what was chosen, and of how many.
func (x *choosing) note(seed uint64) string {
	text := fmt.Sprintf("%s: %s\n%s\nchosen of %d schedules, seed %d: %d break no claim, %d of these finish and show it",
		x.kind.Name, x.kind.Shows, x.kind.Says(x.is), x.good.Sampled, seed, x.good.Passing, x.good.Fitting)
	if len(x.short) > 0 {
		text += "\nit ends short of what these want in the end: " + strings.Join(x.short, ", ")
	}
	return text
}
