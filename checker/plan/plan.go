// Package plan says what a check puts to the test, and in which searches. A plan has rows (plan.go), which share its searches
// (searches.go), with the claims that a check may judge (claims.go), and a smaller check of the protocol's own to try instead (smaller.go).
// It builds each system once, and runs nothing.
package plan

import (
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/wrapped"
)

// A Plan is a check of a protocol that is ready to be made.
type Plan struct {
	Protocol *model.Protocol
	Check    model.Check
	System   *model.System // of the check
	Rows     []*Row        // one for each search, or the one that samples schedules
	Note     string        // a remark for the rows of the check, or ""

	built []*built
}

// A Row is what one search decides of a check, or what sampling does.
type Row struct {
	Protocol *model.Protocol
	Check    model.Check // with bounds and a reading of its own, where its claims have them
	System   *model.System
	Claims   []Claim

	plan  *Plan
	built *built
	needs needs // of the claims, in a search that is theirs alone
}

// A built system is that of a configuration.
type built struct {
	variant string
	config  model.Config // that was asked for; the system's has the defaults too
	system  *model.System
	taken   bool // a search, or a sampling, had it
}

// New plans a check. The error is bad input: a sentence that names field and rule.
func New(p *model.Protocol, c model.Check) (*Plan, error) {
	return planned(p, c, func(claims []model.Claim) []model.Claim { return claims })
}

// Continued is New for a search that begins where a run ends. No claim has bounds of its own then: the run is none within others.
func Continued(p *model.Protocol, c model.Check) (*Plan, error) { return planned(p, c, Undivided) }

func planned(p *model.Protocol, c model.Check, as func([]model.Claim) []model.Claim) (*Plan, error) {
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

// Whole plans one row for claims, whatever searches they need.
func Whole(p *model.Protocol, c model.Check, claims []model.Claim) (*Row, error) {
	pl := &Plan{Protocol: p, Check: c}
	b, err := pl.build(c)
	if err != nil {
		return nil, err
	}
	return pl.row(c, b, claims), nil
}

// build returns the system of a check, which it builds once.
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

// row returns a row of the plan with these claims.
func (pl *Plan) row(c model.Check, b *built, claims []model.Claim) *Row {
	r := &Row{Protocol: pl.Protocol, Check: c, System: b.system, plan: pl, built: b}
	for _, claim := range claims {
		r.add(claim, needs{}, !searchable(pl.Protocol, c, b.system, claim))
	}
	return r
}

// add adds a claim.
func (r *Row) add(claim model.Claim, n needs, idle bool) {
	is := judged(r.Protocol, r.Check, r.System, claim)
	is.Idle, is.graph = idle, n.graph
	r.Claims = append(r.Claims, is)
}

// Take returns the system for a search of the row, or for sampling it: System, unless its nodes are over objects that remember
// what an earlier one did to them. Then it is built anew.
func (r *Row) Take() (*model.System, error) {
	first := !r.built.taken
	r.built.taken = true
	if first || len(wrapped.MergedNodes(r.System)) == 0 {
		return r.System, nil
	}
	return r.Protocol.System(r.Check.Variant, r.Check.Config)
}

// Sampling returns the row that samples the system for some claims of this one.
func (r *Row) Sampling(c model.Check, claims []Claim) *Row {
	one := *r
	one.Check, one.Claims = c, nil
	for _, claim := range claims {
		one.add(claim.Claim, needs{}, false)
	}
	return &one
}
