package model

import (
	"fmt"
	"slices"
	"strings"
)

// A Protocol is a protocol with its claims, variants and checks. A suite is a list of protocols.
type Protocol struct {
	Name   string
	Title  string // one line for people
	Source string // the paper
	// Params has the parameters of the protocol, in the order in which they are printed. It includes [N] and
	// [B] if Build reads them.
	Params []Parameter
	// Networks has the network models that the protocol can run on. If it is empty, [Config.Network] is not a
	// parameter.
	Networks []NetworkModel
	// Build makes the system of a configuration whose defaults are filled in. The error is a sentence that
	// names the field and the rule. It sets [System.Config] if it computes fields. It is called several times,
	// and must return equal systems for equal configurations.
	Build func(c Config) (*System, error)
	// Claims has the claims of the protocol.
	Claims []Claim
	// Properties has statements that the protocol does not claim. A check decides only the properties that it
	// names. A violated property is an answer, and not a finding.
	Properties []Claim
	// Costs has the numbers whose minima and maxima are of interest.
	Costs []*Cost
	// Variants has the options and the mutants.
	Variants []Variant
	// Checks has the checks that `verify` runs.
	Checks []Check
	// Deep has the checks that `verify check --deep` runs: they take minutes, not seconds.
	Deep []Check
	// Findings has the claims that are known to be wrong as printed.
	Findings []Finding
	// Study has what to measure; nil means nothing.
	Study *Study
	// Unlogged has what logs of implementations may leave out.
	Unlogged Unlogged
}

// A Finding is a claim of a paper that the checker refutes for the protocol as printed, under conditions. The
// claim stays, and the finding lists the configurations in which a violation is expected, provided that the
// trace replays. A configuration is one of them if it covers ([Config.Covers]) the trace's configuration or a
// configuration in Breaks, but no configuration in Holds. Any other violation is new.
type Finding struct {
	Name    string // the anchor in docs/findings.md
	Variant string // "" means the protocol as printed
	Claim   string
	Trace   []byte // the trace, in the JSON of package traces
	// Breaks has further least configurations in which the claim is violated. A parameter that is not set may
	// have any value.
	Breaks []Config
	// Holds has configurations that cover one of a violation, although the claim holds. A parameter that is not
	// set, and an N of 0, may have any value; faults must be equal.
	Holds []Config
}

// A Variant is an edit of a system before it runs. A mutant has a bug and names the claim that it must violate.
// An option keeps the claims.
type Variant struct {
	Name   string
	Title  string
	Breaks string // the claim that a mutant must violate; "" for an option
	// Edit changes a system that Build has returned, before it is validated. It panics with [Misused] if the
	// variant does not apply to the configuration. Edit is nil for a mutant that is only the configuration of
	// Show: a configuration beyond the bounds of the paper, or without an assumption.
	Edit func(s *System)
	// Unclaimed has the claims of the protocol that an option does not make.
	Unclaimed []string
	// Waives has, by claim, the assumptions that an option does not need.
	Waives map[string][]Assumption
	// Joins reports that an option may be combined with others of this kind: see [Protocol.Variant].
	Joins bool
	// Show is the smallest check that shows a mutant, or one for an option; zero means the protocol's first
	// check.
	Show Check
}

// Mutant reports whether the variant is a seeded bug.
func (v Variant) Mutant() bool { return v.Breaks != "" }

// A Check is a configuration with the way to check it.
type Check struct {
	Variant   string
	Config    Config // zero fields mean the protocol's defaults
	Reading   Reading
	Schedules int      // > 0: the number of schedules to sample instead of a search
	Claims    []string // the claims to check; empty means all
	// AssumeAnyway checks claims whose assumptions are not met. A violation of such a claim is no finding.
	// Claims that the variant does not make are not checked.
	AssumeAnyway bool
}

// Filled returns c with the defaults of the parameters that are not set.
func (p *Protocol) Filled(c Config) Config {
	for _, param := range p.Params {
		d := param.Declared()
		if _, set := c.Setting(d.Name); !set && d.HasDefault() {
			c = c.With(Setting{d.Name, d.Default})
		}
	}
	return c
}

// Spelled returns [Protocol.Filled] with N instead of each 0 that means all N. So configurations can be
// compared by their numbers.
func (p *Protocol) Spelled(c Config) Config {
	c = p.Filled(c)
	for _, param := range p.Params {
		d := param.Declared()
		if v, _ := c.Setting(d.Name); d.All && v == 0 {
			c = c.With(Setting{d.Name, int64(c.N)})
		}
	}
	return c
}

// The largest numbers of nodes. Systems that are searched, sampled or replayed have few nodes; systems that
// only step single runs may have many.
const (
	fewNodes = 64
	// MostClients is the largest number of clients of [Protocol.Crowd].
	MostClients = 4096
)

// System builds a variant of the protocol for a configuration, with at most 64 nodes. The error is a sentence
// that names the field and the rule.
func (p *Protocol) System(variant string, c Config) (*System, error) {
	return p.system(variant, c, false)
}

// Crowd is [Protocol.System] for up to [MostClients] clients, beyond the protocol's range of [Clients]. It
// serves measurements: searches need small node ids, and traces are of small systems.
func (p *Protocol) Crowd(variant string, c Config) (*System, error) {
	return p.system(variant, c, true)
}

func (p *Protocol) system(variant string, c Config, crowd bool) (*System, error) {
	c = p.Filled(c)
	if err := p.check(c, crowd); err != nil {
		return nil, err
	}
	s, err := p.buildChecked(c)
	if err != nil {
		return nil, err
	}
	if s.Config == (Config{}) {
		s.Config = c
	}
	if s.Faults != (Faults{}) && s.Faults != c.Faults {
		return nil, fmt.Errorf("protocol %s: Build sets System.Faults, but the budgets of faults are those of the configuration: set Config.Faults in a check", p.Name)
	}
	s.Faults = c.Faults
	if variant != "" {
		v, err := p.Variant(variant)
		if err != nil {
			return nil, err
		}
		if err := v.edit(s); err != nil {
			return nil, err
		}
	}
	if c.Drift != 0 {
		s.drift(Drift{c.Drift})
	}
	if crowd {
		return s, s.validate(2 * MostClients)
	}
	return s, s.validate(fewNodes)
}

// buildChecked calls Build, and returns an error if Build reads an N that is not declared.
func (p *Protocol) buildChecked(c Config) (s *System, err error) {
	s, err = p.build(c)
	if wrong := p.readsN(c, s); wrong != nil {
		return nil, wrong
	}
	return s, err
}

// build calls Build. A panic of Build becomes an error.
func (p *Protocol) build(c Config) (s *System, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			s, err = nil, fmt.Errorf("protocol %s: Build panics: %v", p.Name, failed)
		}
	}()
	s, err = p.Build(c)
	if s == nil && err == nil {
		err = fmt.Errorf("protocol %s: Build returns no system and no error", p.Name)
	}
	return s, err
}

// edit applies the variant's Edit. A panic of Edit becomes an error.
func (v Variant) edit(s *System) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case Misuse:
			err = fmt.Errorf("variant %s: %w", v.Name, p)
		default:
			err = fmt.Errorf("variant %s: Edit panics: %v", v.Name, p)
		}
	}()
	if v.Edit != nil {
		v.Edit(s)
	}
	return nil
}

// Variant returns the variant of a name. A name with "+" combines several options, in that order, if each has
// Joins.
func (p *Protocol) Variant(name string) (Variant, error) {
	if strings.Contains(name, "+") {
		return p.join(name)
	}
	i := slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return Variant{}, fmt.Errorf("protocol %s has no variant %q; the verb list names them", p.Name, name)
	}
	return p.Variants[i], nil
}

// Cost returns the cost of a name.
func (p *Protocol) Cost(name string) (*Cost, error) {
	i := slices.IndexFunc(p.Costs, func(c *Cost) bool { return c.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("protocol %s has no cost %q; the verb list names them", p.Name, name)
	}
	return p.Costs[i], nil
}

// Claim returns the claim or the property of a name.
func (p *Protocol) Claim(name string) (Claim, error) {
	for _, list := range [][]Claim{p.Claims, p.Properties} {
		for i := range list {
			if list[i].Name == name {
				return list[i], nil
			}
		}
	}
	return Claim{}, fmt.Errorf("protocol %s has no claim %q; the verb list names them", p.Name, name)
}

// Statements returns the claims and then the properties.
func (p *Protocol) Statements() []Claim { return slices.Concat(p.Claims, p.Properties) }
