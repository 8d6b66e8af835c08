package sampled

import (
	"fmt"
	"strings"

	"contend/checker/verdict"
	"contend/model"
)

// untested returns notes on the claims that no run tested. A note proposes larger runs: it lists the parameters of
// the protocol that a user can raise, those that are 0 first.
func (x *sampler) untested() (notes []string) {
	larger := raisable(x.plan.Protocol, x.plan.Check.Config)
	if larger == "" || x.row.Schedules == 0 {
		return nil
	}
	for _, c := range x.row.Claims {
		if c.Verdict == verdict.Inconclusive && c.Tested == 0 {
			notes = append(notes, fmt.Sprintf("no run tested %q: larger runs may, as %s", c.Name, larger))
		}
	}
	return notes
}

// raisable lists the counts among the parameters of a protocol that are below their greatest values, with their
// values in a configuration. A parameter with no default is left out, because Build computes the value.
func raisable(p *model.Protocol, c model.Config) string {
	var off, others []string
	for _, param := range p.Params {
		d := param.Declared()
		value, set := c.Setting(d.Name)
		if !set {
			value = d.Default
		}
		switch text := fmt.Sprintf("%s is %d", d.Flag(), value); {
		case !d.Counts || !d.HasDefault() || value >= d.Most || d.All && value == 0:
		case value == 0:
			off = append(off, text)
		default:
			others = append(others, text)
		}
	}
	return strings.Join(append(off, others...), ", ")
}
