package report

import (
	"fmt"

	"contend/checker"
	"contend/checker/plan"
	"contend/model"
	"contend/model/value"
)

// Validate says in a sentence which of the checks cannot be run, or returns nil.
func Validate(jobs []*plan.Plan) error {
	for _, j := range jobs {
		if _, err := value.New(j.System); err != nil {
			return fmt.Errorf("%s: %w", j.Protocol.Name, err)
		}
	}
	return nil
}

// Checks are those that are planned.
func Checks(jobs []*plan.Plan) []model.Check {
	out := make([]model.Check, len(jobs))
	for i, j := range jobs {
		out[i] = j.Check
	}
	return out
}

// Refuse says in a sentence why not all of the checks can be made with these options, before the
// first of them is.
func Refuse(jobs []*plan.Plan, opt checker.Options) error {
	for _, j := range jobs {
		if err := checker.Refuse(j, opt); err != nil {
			return fmt.Errorf("%s: %w", j.Protocol.Name, err)
		}
	}
	return checker.RefuseCheckpoints(jobs, opt)
}
