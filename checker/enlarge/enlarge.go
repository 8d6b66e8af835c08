// Package enlarge picks what the runs of a fuzz target are of: a check of the protocol, with larger parameters.
package enlarge

import (
	"fmt"
	"slices"

	"contend/checker/sample"
	"contend/model"
)

// mostMore is by how much a run enlarges a parameter at most.
const mostMore = 2

// Pick picks a check of a protocol, other than of a mutant, and enlarges its parameters.
func Pick(of *model.Protocol, c sample.Choices) model.Check {
	checks := Checks(of)
	check := checks[c.Choose(len(checks))]
	check.Config = of.Filled(check.Config)
	for _, p := range of.Params {
		check, _ = enlarged(of, check, p.Declared(), int64(c.Choose(1+mostMore)))
	}
	return check
}

// Checks are those that runs are made of: the protocol's own, but of mutants, or its default configuration.
func Checks(of *model.Protocol) []model.Check {
	checks := slices.DeleteFunc(slices.Clone(of.Checks), func(c model.Check) bool {
		v, _ := of.Variant(c.Variant)
		return v.Mutant()
	})
	if len(checks) == 0 {
		return []model.Check{{}}
	}
	return checks
}

// enlarged is a check with a parameter that is so much larger, or the check as it is, with the reason. A
// duration stays: claims rest on how durations compare.
func enlarged(of *model.Protocol, check model.Check, d model.Declaration, more int64) (_ model.Check, reason string) {
	is, set := check.Config.Setting(d.Name)
	switch {
	case d.Unit != "":
		return check, "it is a duration"
	case !set || d.All && is == 0:
		return check, "it follows from others"
	case more == 0:
		return check, ""
	case is+more > d.Most:
		return check, fmt.Sprintf("it is at most %d", d.Most)
	}
	larger := check
	larger.Config = check.Config.With(model.Setting{Name: d.Name, Value: is + more})
	if _, err := of.System(larger.Variant, larger.Config); err != nil {
		return check, err.Error()
	}
	return larger, ""
}

// Fixed lists the protocol's parameters that runs leave as the protocol's checks have them, each with the reason: they are
// durations, or no check can be built with a larger one.
func Fixed(of *model.Protocol) (fixed []string) {
	for _, p := range of.Params {
		d, why := p.Declared(), ""
		grows := slices.ContainsFunc(Checks(of), func(check model.Check) bool {
			check.Config = of.Filled(check.Config)
			for more := int64(mostMore); more > 0; more-- {
				if _, why = enlarged(of, check, d, more); why == "" {
					return true
				}
			}
			return false
		})
		if !grows {
			fixed = append(fixed, fmt.Sprintf("%s (%s)", d.Name, why))
		}
	}
	return fixed
}
