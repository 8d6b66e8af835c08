package flags

import (
	"fmt"
	"slices"

	"contend/checker/plan"
	"contend/model"
)

// searching and sampling are the flags that only one of the two uses.
var (
	searching = []string{"max-states", "max-memory", "reduce", "fingerprints", "profile"}
	sampling  = []string{"seed", "no-minimize"}
	limiting  = []string{"timeout", "max-states", "max-memory"}
)

// SamplesBeyond reports whether schedules may be sampled after a search, where a limit stops it.
func (f *Limits) SamplesBeyond() bool {
	return f.Sampling && slices.ContainsFunc(limiting, f.flags.Changed)
}

// Effective returns an error for a given flag that changes nothing about any of the checks; nil if there is none.
func (f *Limits) Effective(checks []*plan.Plan) error {
	sampled := func(pl *plan.Plan) bool { return pl.Check.Schedules > 0 }
	if !slices.ContainsFunc(checks, sampled) && !f.SamplesBeyond() {
		if err := f.idle(sampling, "a search is not random; --schedules and the verb run read it"); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(checks, func(pl *plan.Plan) bool { return !sampled(pl) }) {
		return f.idle(searching, "only a search reads it, and here schedules are sampled")
	}
	dense := func(pl *plan.Plan) bool { return pl.Check.Reading == model.Dense && !sampled(pl) }
	if slices.Equal(f.reduce, []string{"merging"}) && !slices.ContainsFunc(checks, dense) {
		return fmt.Errorf("--reduce is merging, but only dense time has classes to merge; use none to turn off the other reductions")
	}
	return nil
}

// idle refuses the given flags among names.
func (f *Limits) idle(names []string, why string) error {
	for _, name := range names {
		if f.flags.Changed(name) {
			return fmt.Errorf("--%s is set, but has no effect: %s", name, why)
		}
	}
	return nil
}
