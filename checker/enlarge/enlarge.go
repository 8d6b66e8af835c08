// Package enlarge selects the configurations for the runs of a fuzz target: checks of the protocol with larger
// parameters.
package enlarge

import (
	"fmt"
	"slices"

	"contend/checker/sample"
	"contend/model"
)

// maxIncrease is the maximum increase of a parameter.
const maxIncrease = 2

// Pick returns a random check of a protocol with enlarged parameters; mutants are excluded.
func Pick(of *model.Protocol, c sample.Choices) model.Check {
	checks := Checks(of)
	check := checks[c.Choose(len(checks))]
	check.Config = of.Filled(check.Config)
	for _, p := range of.Params {
		check, _ = increase(of, check, p.Declared(), int64(c.Choose(1+maxIncrease)))
	}
	return check
}

// Checks returns the checks of a protocol without mutants, or else the check of the default configuration.
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

// increase returns a check with a parameter increased by more, or the unchanged check and the reason. Durations
// are not increased, since claims depend on their ratios.
func increase(of *model.Protocol, check model.Check, d model.Declaration, more int64) (_ model.Check, reason string) {
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

// Fixed returns the parameters that no run enlarges, each with the reason: a duration, or no check can be built
// with a larger value.
func Fixed(of *model.Protocol) (fixed []string) {
	for _, p := range of.Params {
		d, why := p.Declared(), ""
		grows := slices.ContainsFunc(Checks(of), func(check model.Check) bool {
			check.Config = of.Filled(check.Config)
			for more := int64(maxIncrease); more > 0; more-- {
				if _, why = increase(of, check, d, more); why == "" {
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
