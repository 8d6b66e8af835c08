package report

import (
	"fmt"

	"contend/checker"
	"contend/model"
	"contend/model/value"
)

// A Job is one check of one protocol.
type Job struct {
	Protocol *model.Protocol
	Check    model.Check
	Note     string // a remark for its rows, or ""
}

// validate refuses a job that cannot be run, before any is.
func (j Job) validate() error {
	s, err := j.Protocol.System(j.Check.Variant, j.Check.Config)
	if err == nil {
		_, err = value.New(s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.Protocol.Name, err)
	}
	return nil
}

// Validate says in a sentence which of the jobs cannot be run, or returns nil.
func Validate(jobs []Job) error {
	for _, j := range jobs {
		if err := j.validate(); err != nil {
			return err
		}
	}
	return nil
}

// Planned are the jobs as the checker plans them.
func Planned(jobs []Job) []checker.Planned {
	out := make([]checker.Planned, len(jobs))
	for i, j := range jobs {
		out[i] = checker.Planned{Protocol: j.Protocol, Check: j.Check}
	}
	return out
}

// Checks are those of the jobs.
func Checks(jobs []Job) []model.Check {
	out := make([]model.Check, len(jobs))
	for i, j := range jobs {
		out[i] = j.Check
	}
	return out
}

// Refuse says in a sentence why not all of the jobs can be done with these options, before the
// first of them is.
func Refuse(jobs []Job, opt checker.Options) error {
	for _, j := range jobs {
		if err := checker.Refuse(j.Protocol, j.Check, opt); err != nil {
			return fmt.Errorf("%s: %w", j.Protocol.Name, err)
		}
	}
	return checker.RefuseCheckpoints(Planned(jobs), opt)
}
