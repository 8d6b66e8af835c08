// Package plan determines what a check tests, and in which searches. A plan has rows (plan.go), one for each
// search (searches.go), with the claims that the check judges (claims.go). If a row does not finish, there may
// be a smaller check to run instead (smaller.go). A check without a reading of time has a default (reading.go). A plan
// builds each system once, and runs nothing.
package plan

import (
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/wrapped"
)

// A Plan is a check of a protocol that is ready to run.
type Plan struct {
	Protocol *model.Protocol
	Check    model.Check
	System   *model.System // of the check
	Rows     []*Row        // one for each search; one in all if schedules are sampled
	Note     string        // a remark for the rows of the check, or ""

	built []*built
}

// A Row is the part of a check that one search, or sampling, decides.
type Row struct {
	Protocol *model.Protocol
	Check    model.Check // with the bounds and the reading that its claims require
	System   *model.System
	Claims   []Claim

	plan  *Plan
	built *built
	needs needs // of the claims, if they need a search of their own
}

// A built is a configuration with its system.
type built struct {
	variant string
	config  model.Config // as given; the system's configuration also has the defaults
	system  *model.System
	used    bool // returned by Take before
}

// New plans a check. An error is bad input: a sentence that names field and rule.
func New(p *model.Protocol, c model.Check) (*Plan, error) {
	return newPlan(p, c, func(claims []model.Claim) []model.Claim { return claims })
}

// Continued plans a check whose search begins at the end of a run. Claims then have no bounds of their own,
// since the run may not exist within other bounds.
func Continued(p *model.Protocol, c model.Check) (*Plan, error) { return newPlan(p, c, Undivided) }

func newPlan(p *model.Protocol, c model.Check, as func([]model.Claim) []model.Claim) (*Plan, error) {
	claims, err := Claims(p, c.Claims)
	if err != nil {
		return nil, err
	}
	pl := &Plan{Protocol: p, Check: c}
	b, err := pl.build(c)
	if err != nil {
		return nil, err
	}
	if _, err := value.New(b.system); err != nil {
		return nil, err
	}
	pl.System = b.system
	if c.Schedules > 0 {
		pl.Rows = []*Row{pl.row(c, b, claims)}
		return pl, nil
	}
	pl.Rows, err = pl.searches(b, as(claims))
	return pl, err
}

// Whole plans a single row for claims, whatever searches they need.
func Whole(p *model.Protocol, c model.Check, claims []model.Claim) (*Row, error) {
	pl := &Plan{Protocol: p, Check: c}
	b, err := pl.build(c)
	if err != nil {
		return nil, err
	}
	return pl.row(c, b, claims), nil
}

// build returns the system of a check. It builds each system once.
func (pl *Plan) build(c model.Check) (*built, error) {
	i := slices.IndexFunc(pl.built, func(b *built) bool {
		return b.variant == c.Variant && (b.config == c.Config || b.system.Config == c.Config && b.config.Faults == c.Config.Faults)
	})
	if i >= 0 {
		return pl.built[i], nil
	}
	s, err := pl.Protocol.System(c.Variant, c.Config)
	if err != nil {
		return nil, err
	}
	b := &built{variant: c.Variant, config: c.Config, system: s}
	pl.built = append(pl.built, b)
	return b, nil
}

// row returns a row of the plan with the given claims.
func (pl *Plan) row(c model.Check, b *built, claims []model.Claim) *Row {
	r := &Row{Protocol: pl.Protocol, Check: c, System: b.system, plan: pl, built: b}
	for _, claim := range claims {
		r.add(claim, needs{}, !searchable(pl.Protocol, c, b.system, claim))
	}
	return r
}

// add adds a claim to the row.
func (r *Row) add(claim model.Claim, n needs, idle bool) {
	is := judge(r.Protocol, r.Check, r.System, claim)
	is.Idle, is.graph = idle, n.graph
	r.Claims = append(r.Claims, is)
}

// Take returns the system for a search or sampling of the row. It builds the system anew if an earlier use may
// have changed objects of its nodes.
func (r *Row) Take() (*model.System, error) {
	first := !r.built.used
	r.built.used = true
	if first || len(wrapped.MergedNodes(r.System)) == 0 {
		return r.System, nil
	}
	return r.Protocol.System(r.Check.Variant, r.Check.Config)
}

// Sampling returns the row that samples the system for some claims of this row.
func (r *Row) Sampling(c model.Check, claims []Claim) *Row {
	one := *r
	one.Check, one.Claims = c, nil
	for _, claim := range claims {
		one.add(claim.Claim, needs{}, false)
	}
	return &one
}
