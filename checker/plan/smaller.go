package plan

import (
	"slices"

	"contend/model"
)

// Smaller returns the largest check of the protocol that the row covers in every number, with its system. It is
// an alternative if the row does not finish. It returns false if there is no such check.
func (r *Row) Smaller() (best model.Check, system *model.System, found bool) {
	p, full := r.Protocol, r.System.Config
	for _, k := range p.Checks {
		if k.Schedules > 0 || k.Variant != r.Check.Variant || k.Reading != r.Check.Reading {
			continue
		}
		common := commonNames(k.Claims, r.Met())
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

// commonNames returns the names of the claims that are in names; of all claims if names is empty.
func commonNames(names []string, claims []model.Claim) (common []string) {
	for _, claim := range claims {
		if len(names) == 0 || slices.Contains(names, claim.Name) {
			common = append(common, claim.Name)
		}
	}
	return common
}

// numbers returns the numbers of a configuration, for comparing sizes lexicographically.
func numbers(p *model.Protocol, c model.Config) []int64 {
	f := c.Faults
	all := []int64{int64(c.N), int64(c.B), int64(f.Crashes + f.Restarts + f.Loss + f.Duplication + f.Suspicions + f.Partitions)}
	for _, s := range p.Settings(c) {
		all = append(all, s.Value)
	}
	return all
}
