package plan

import (
	"slices"

	"contend/model"
)

// Smaller is the largest check of the protocol's own, of those that `verify --all`
// makes, which a row covers in every number: what to search when the row does not come to its end. The system is that of the
// check; there may be none.
func (r *Row) Smaller() (best model.Check, system *model.System, found bool) {
	p, full := r.Protocol, r.System.Config
	for _, k := range p.Checks {
		if k.Schedules > 0 || k.Variant != r.Check.Variant || k.Reading != r.Check.Reading {
			continue
		}
		common := both(k.Claims, r.Met())
		if len(k.Claims)+len(r.Check.Claims) > 0 { // else all claims stand for themselves
			k.Claims = common
		}
		b, err := r.plan.build(k)
		if err != nil || len(common) == 0 || b.system.Config == full || !full.Covers(b.system.Config) {
			continue
		}
		if !found || slices.Compare(numbers(p, b.system.Config), numbers(p, system.Config)) > 0 {
			best, system, found = k, b.system, true
		}
	}
	return best, system, found
}

// both are the claims that a check names, or all where it names none, of those that are searched for.
func both(names []string, claims []model.Claim) (common []string) {
	for _, claim := range claims {
		if len(names) == 0 || slices.Contains(names, claim.Name) {
			common = append(common, claim.Name)
		}
	}
	return common
}

// numbers are what a configuration allows, for comparing how large it is.
func numbers(p *model.Protocol, c model.Config) []int64 {
	f := c.Faults
	all := []int64{int64(c.N), int64(c.B), int64(f.Crashes + f.Restarts + f.Loss + f.Duplication + f.Suspicions + f.Partitions)}
	for _, s := range p.Settings(c) {
		all = append(all, s.Value)
	}
	return all
}
