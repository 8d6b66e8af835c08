package verify

import (
	"fmt"

	"contend/model"
	"contend/model/value"
)

// A job is one check of one protocol.
type job struct {
	protocol *model.Protocol
	check    model.Check
}

// validate refuses a job that cannot be run, before any is.
func (j job) validate() error {
	s, err := j.protocol.System(j.check.Variant, j.check.Config)
	if err == nil {
		_, err = value.New(s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.protocol.Name, err)
	}
	return nil
}

func validate(jobs []job) error {
	for _, j := range jobs {
		if err := j.validate(); err != nil {
			return err
		}
	}
	return nil
}

// claimNames lists the claims of a protocol.
func claimNames(p *model.Protocol) []string {
	var names []string
	for _, c := range p.Claims {
		names = append(names, c.Name)
	}
	return names
}
