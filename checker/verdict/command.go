package verdict

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/plan"
	"contend/model"
)

// Tool is the first word, or words, of command lines. A tool sets it when it starts.
var Tool = "verify"

// Command returns the command line that makes a check again, with its full configuration.
func Command(p *model.Protocol, c model.Check, full model.Config) string {
	passes := false
	if c.AssumeAnyway {
		s, err := p.System(c.Variant, c.Config)
		passes = err == nil && plan.PassesOver(p, c, s)
	}
	return format(p, c, full, passes)
}

// CommandLine returns the command line of [Command] for a check whose system is built.
func CommandLine(p *model.Protocol, c model.Check, s *model.System) string {
	return format(p, c, s.Config, plan.PassesOver(p, c, s))
}

func format(p *model.Protocol, c model.Check, full model.Config, passesOver bool) string {
	verb, name := "check", p.Name
	if c.Schedules > 0 {
		verb = "run"
	}
	if c.Variant != "" {
		name += "/" + c.Variant
	}
	args := slices.Concat([]string{Tool, verb, name}, settings(p, full), common(full, c.Schedules))
	if full.Network != "" {
		args = append(args, "--network", string(full.Network))
	}
	if full.Beyond {
		args = append(args, "--beyond-bounds")
	}
	if passesOver {
		args = append(args, "--assume-anyway")
	}
	args = append(args, "--time", c.Reading.String())
	for _, claim := range c.Claims {
		args = append(args, "--claim", fmt.Sprintf("%q", claim))
	}
	return strings.Join(args, " ")
}

// settings returns the flags of the protocol's parameters.
func settings(p *model.Protocol, c model.Config) []string {
	var args []string
	for _, s := range p.Settings(c) {
		d, _ := p.Declared(s.Name)
		args = append(args, d.Flag(), fmt.Sprint(s.Value))
	}
	return args
}

// common returns the flags of the parameters that all protocols have.
func common(c model.Config, schedules int) []string {
	var args []string
	for _, f := range []struct {
		flag string
		is   int
	}{
		{"--drift", c.Drift}, {"--loss", c.Faults.Loss}, {"--duplication", c.Faults.Duplication},
		{"-f", c.Faults.Crashes}, {"--restarts", c.Faults.Restarts},
		{"--suspicions", c.Faults.Suspicions}, {"--partitions", c.Faults.Partitions}, {"--schedules", schedules},
	} {
		if f.is != 0 {
			args = append(args, f.flag, fmt.Sprint(f.is))
		}
	}
	return args
}
