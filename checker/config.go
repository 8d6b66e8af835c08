package checker

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"contend/checker/plan"
	"contend/model"
	"contend/traces"
)

// ConfigJSON is a configuration as rows print it: n and b, the protocol's parameters in
// its order, then what all protocols have in common.
type ConfigJSON struct {
	model.Config
	told []model.Setting
}

func configJSON(p *model.Protocol, c model.Config) ConfigJSON { return ConfigJSON{c, p.Settings(c)} }

// MarshalJSON writes an object whose keys are the names of flags.
func (c ConfigJSON) MarshalJSON() ([]byte, error) {
	out := fmt.Appendf(nil, `{"n":%d,"b":%d`, c.N, c.B)
	for _, s := range c.told {
		if s.Name != model.N.Name && s.Name != model.B.Name {
			out = fmt.Appendf(out, ",%q:%d", s.Name, s.Value)
		}
	}
	if c.Drift != 0 {
		out = fmt.Appendf(out, `,"drift":%d`, c.Drift)
	}
	if c.Network != "" {
		name, err := json.Marshal(c.Network)
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, `,"network":%s`, name)
	}
	if c.Beyond {
		out = append(out, `,"beyondBounds":true`...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads what [ConfigJSON.MarshalJSON] writes.
func (c *ConfigJSON) UnmarshalJSON(data []byte) error {
	var of traces.Config
	if err := of.UnmarshalJSON(data); err != nil {
		return err
	}
	*c = ConfigJSON{of.Model(), of.Settings}
	return nil
}

// UsualReading returns the reading of time of a check for which none was chosen: the grid if one of the claims that it
// asks for cannot be checked untimed, else untimed. Where all checks that the protocol lists are untimed, only a claim that is
// asked for by its name counts. The note gives the reason in a sentence; it is empty where no claim needs time. The check's own reading is not looked at.
func UsualReading(p *model.Protocol, c model.Check) (reading model.Reading, note string) {
	timed := timedClaim(p, c)
	timeless := !slices.ContainsFunc(p.Checks, func(c model.Check) bool { return c.Reading != model.Untimed })
	switch {
	case timed == "":
		return model.Untimed, ""
	case len(c.Claims) == 0 && len(p.Checks) > 0 && timeless:
		return model.Untimed, fmt.Sprintf("time is not read, as in the listed checks: claim %q needs --time grid", timed)
	}
	return model.Grid, fmt.Sprintf("time is read on the grid: claim %q cannot be checked untimed; --time chooses another reading", timed)
}

// timedClaim returns the name of the first claim that a check asks for and that cannot be checked untimed, or "".
func timedClaim(p *model.Protocol, c model.Check) string {
	variant, _ := p.Variant(c.Variant) // one that there is not is refused by the check
	timely := []model.Assumption{model.Timed}
	if !c.AssumeAnyway { // else these are passed over
		timely = append(timely, model.Synchronous, model.StableFromStart)
	}
	for _, claim := range p.Statements() {
		asked := (len(c.Claims) == 0 || slices.Contains(c.Claims, claim.Name)) && !slices.Contains(variant.Unclaimed, claim.Name)
		if asked && slices.ContainsFunc(variant.Made(claim).Assumes, func(a model.Assumption) bool { return slices.Contains(timely, a) }) {
			return claim.Name
		}
	}
	return ""
}

// Tool is how the commands begin that make a check again: the command line as its user starts it.
// The tool sets it when it starts.
var Tool = "verify"

// Command is the command line that makes a check again.
func Command(p *model.Protocol, c model.Check, full model.Config) string {
	passes := false
	if c.AssumeAnyway {
		s, err := p.System(c.Variant, c.Config)
		passes = err == nil && plan.PassesOver(p, c, s)
	}
	return commandLine(p, c, full, passes)
}

// command is [Command] for a check whose system is built.
func command(p *model.Protocol, c model.Check, s *model.System) string {
	return commandLine(p, c, s.Config, plan.PassesOver(p, c, s))
}

func commandLine(p *model.Protocol, c model.Check, full model.Config, passesOver bool) string {
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

// settings are the flags of the protocol's parameters.
func settings(p *model.Protocol, c model.Config) []string {
	var args []string
	for _, s := range p.Settings(c) {
		d, _ := p.Declared(s.Name)
		args = append(args, d.Flag(), fmt.Sprint(s.Value))
	}
	return args
}

// common are the flags, besides, that every protocol reads.
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
