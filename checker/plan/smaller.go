package plan

import (
	"slices"

	"contend/model"
)

// Smaller is the largest check of the protocol's own, of those that `verify --all`
// makes, which a check covers in every number: what to search when that does not come to its end. Config is its whole
// configuration; there may be none.
func Smaller(p *model.Protocol, c model.Check, full model.Config, claims []model.Claim) (best model.Check, config model.Config, found bool) {
	for _, k := range p.Checks {
		if k.Schedules > 0 || k.Variant != c.Variant || k.Reading != c.Reading {
			continue
		}
		common := both(k.Claims, claims)
		if len(k.Claims)+len(c.Claims) > 0 { // else all claims stand for themselves
			k.Claims = common
		}
		s, err := p.System(k.Variant, k.Config)
		if err != nil || len(common) == 0 || s.Config == full || !full.Covers(s.Config) {
			continue
		}
		if config == (model.Config{}) || slices.Compare(numbers(p, s.Config), numbers(p, config)) > 0 {
			best, config = k, s.Config
		}
	}
	return best, config, config != (model.Config{})
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
