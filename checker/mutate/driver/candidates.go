package driver

import (
	"slices"

	"contend/model"
)

// A family is a variant and a reading. Candidates vary the configuration in it.
type family struct {
	variant string
	reading model.Reading
}

// families returns the families of the protocol's searches, and each option that no check lists, untimed.
func families(p *model.Protocol) (all []family) {
	add := func(f family) {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	for _, c := range p.Checks {
		if c.Schedules == 0 {
			add(family{c.Variant, c.Reading})
		}
	}
	for _, v := range p.Variants {
		if !v.Mutant() && !slices.ContainsFunc(p.Checks, func(c model.Check) bool { return c.Variant == v.Name }) {
			add(family{variant: v.Name})
		}
	}
	return all
}

// candidates returns at most as many checks that the protocol does not list. The smallest come first: from the
// smallest configuration, and from each listed configuration, candidates are reached by steps. A step changes one
// parameter, budget of faults or network. Each candidate is accepted by the protocol, and asks for all claims.
func candidates(p *model.Protocol, most int) (all []model.Check) {
	const levels = 6
	fams := families(p)
	level, met := make([][]model.Config, len(fams)), make([]map[model.Config]bool, len(fams))
	for i := range fams {
		first := smallest(p)
		level[i], met[i] = []model.Config{first}, map[model.Config]bool{first: true}
	}
	for at := range levels {
		for i, f := range fams {
			own, complete := searches(p, f)
			for _, c := range level[i] {
				if complete[c] || !accepted(p, f, c) {
					continue
				}
				if all = append(all, model.Check{Variant: f.variant, Config: c, Reading: f.reading}); len(all) == most {
					return all
				}
			}
			if at == 0 {
				level[i] = append(level[i], own...)
			}
			level[i] = next(p, f, level[i], met[i])
		}
	}
	return all
}

// searches returns the configurations of the listed searches of a family, and those with all claims.
func searches(p *model.Protocol, f family) (all []model.Config, complete map[model.Config]bool) {
	complete = map[model.Config]bool{}
	for _, c := range p.Checks {
		if (family{c.Variant, c.Reading}) == f && c.Schedules == 0 {
			full := p.Filled(c.Config)
			all = append(all, full)
			complete[full] = complete[full] || len(c.Claims) == 0
		}
	}
	return all, complete
}

// accepted reports whether the protocol accepts the configuration.
func accepted(p *model.Protocol, f family, c model.Config) bool {
	_, err := p.System(f.variant, c)
	return err == nil
}

// smallest returns the configuration with each number at its least, and each time at its default.
func smallest(p *model.Protocol) (c model.Config) {
	for _, param := range p.Params {
		if d := param.Declared(); d.Unit == "" && d.HasDefault() || d.Name == model.N.Name {
			c = c.With(model.Setting{Name: d.Name, Value: d.Least})
		}
	}
	return p.Filled(c)
}

// next returns the configurations one step from others that were not met before.
func next(p *model.Protocol, f family, from []model.Config, met map[model.Config]bool) (all []model.Config) {
	for _, c := range from {
		for _, d := range steps(p, f, c) {
			if !met[d] {
				met[d] = true
				all = append(all, d)
			}
		}
	}
	return all
}

// steps returns the configurations that differ from c in one place: a number by one, a time by one more if the family
// reads time, or the network.
func steps(p *model.Protocol, f family, c model.Config) (all []model.Config) {
	for _, param := range p.Params {
		d := param.Declared()
		v, set := c.Setting(d.Name)
		values := []int64{v + 1, v - 1}
		if d.Unit != "" {
			values = values[:1]
		}
		if d.Unit != "" && f.reading == model.Untimed {
			continue
		}
		for _, w := range values {
			if set && d.Check(w) == nil {
				all = append(all, c.With(model.Setting{Name: d.Name, Value: w}))
			}
		}
	}
	const most = 2 // of each fault
	for _, budget := range []func(*model.Faults) *int{
		func(f *model.Faults) *int { return &f.Crashes }, func(f *model.Faults) *int { return &f.Restarts },
		func(f *model.Faults) *int { return &f.Loss }, func(f *model.Faults) *int { return &f.Duplication },
		func(f *model.Faults) *int { return &f.Suspicions }, func(f *model.Faults) *int { return &f.Partitions },
	} {
		d := c
		if *budget(&d.Faults)++; *budget(&d.Faults) <= most {
			all = append(all, d)
		}
	}
	for _, network := range p.Networks {
		if network != c.Network && network != model.SynchronousNetwork {
			d := c
			d.Network = network
			all = append(all, d)
		}
	}
	return all
}
