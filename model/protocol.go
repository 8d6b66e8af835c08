package model

import (
	"fmt"
	"slices"
	"strings"
)

// A Protocol is what a suite lists.
type Protocol struct {
	Name   string
	Title  string // one line for people
	Source string // the paper
	// Params are the parameters that the protocol reads, in the order in which they are
	// printed, [N] and [B] among them where it has servers or liars.
	Params []Parameter
	// Networks are the network models that it can be run on besides its own; none: it does
	// not read [Config.Network].
	Networks []NetworkModel
	// Build makes the system at a configuration whose zero fields were filled in,
	// or says in a sentence, naming field and rule, why it cannot be. It sets
	// [System.Config] where it works out fields of its own.
	Build func(c Config) (*System, error)
	// Claims lists what the protocol claims.
	Claims []Claim
	// Properties lists what the protocol does not claim and people may ask of it all the same:
	// a check decides those that it names, and none unless it does. A verdict on one is an
	// answer; that a property does not hold is no finding.
	Properties []Claim
	// Costs lists the numbers of which the least and the most are of interest.
	Costs []*Cost
	// Variants lists the options and the mutants.
	Variants []Variant
	// Checks lists what `verify` alone runs.
	Checks []Check
	// Deep lists what `verify check --deep` runs: checks of minutes rather than seconds.
	Deep []Check
	// Findings lists the claims that are known not to hold as printed.
	Findings []Finding
	// Study says what to measure; nil where nothing is.
	Study *Study
}

// A Finding is a claim that its paper makes and the checker refutes for the protocol
// as printed, under conditions. The claim stays as it is; the finding says where its
// violation is known, so long as the kept trace still reproduces: in each configuration
// that covers ([Config.Covers]) that of the trace, or one of Breaks, unless it is one of
// Holds. A violation anywhere else is new, whatever its claim.
type Finding struct {
	Name    string // its anchor in docs/findings.md
	Variant string // "" for the protocol as printed
	Claim   string
	Trace   []byte // the kept trace, in the traces package's JSON
	// Breaks lists other least configurations in which the claim breaks: those that do
	// not cover the configuration of Trace. Parameters left open may have any value.
	Breaks []Config
	// Holds lists configurations in which the claim holds although they cover one in which it
	// breaks. Parameters left open, and an N of 0, may have any value; faults are as given.
	Holds []Config
}

// A Variant is an edit of a system before it runs: of the protocol's configuration
// or of the node table. A mutant names the claim it must break; an option keeps
// the claims.
type Variant struct {
	Name   string
	Title  string
	Breaks string // the claim a mutant must break; "" for an option
	// Edit is nil for a mutant that is no edit but a configuration, that of Show: the protocol
	// as printed, beyond the bounds that its paper gives or without what a claim assumes.
	Edit func(s *System)
	// Unclaimed lists claims of the protocol that an option does not make.
	Unclaimed []string
	// Waives lists, by claim, assumptions that an option does without.
	Waives map[string][]Assumption
	// Joins says that an option may be joined with others that say so: see
	// [Protocol.Variant].
	Joins bool
	// Show is the smallest check that shows a mutant, or one that tries an option: zero
	// for the protocol's first.
	Show Check
}

// Mutant reports whether the variant is a seeded bug.
func (v Variant) Mutant() bool { return v.Breaks != "" }

// A Check is one configuration with a way to check it.
type Check struct {
	Variant   string
	Config    Config // zero fields stand for the protocol's default
	Reading   Reading
	Schedules int      // > 0: sample so many schedules instead of searching
	Claims    []string // the claims to check; empty: all
	// AssumeAnyway puts claims to the test whose assumptions the configuration and the reading
	// do not meet. What then breaks one is no recorded finding. A claim that the variant does
	// not make stays out.
	AssumeAnyway bool
}

// Filled returns c with the defaults of the parameters that it leaves open.
func (p *Protocol) Filled(c Config) Config {
	for _, param := range p.Params {
		d := param.Declared()
		if _, set := c.Setting(d.Name); !set && d.HasDefault() {
			c = c.With(Setting{d.Name, d.Default})
		}
	}
	return c
}

// Spelled is Filled with N in place of each 0 that stands for all N, so that configurations can
// be compared by their numbers.
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

// How many nodes a system may have: what is searched, sampled or replayed has few; what
// only steps single runs takes a crowd.
const (
	fewNodes = 64
	// MostClients is how many clients [Protocol.Crowd] takes.
	MostClients = 4096
)

// System builds a variant of the protocol at a configuration, with at most 64 nodes. The
// error is a sentence that names the field and the rule.
func (p *Protocol) System(variant string, c Config) (*System, error) {
	return p.system(variant, c, false)
}

// Crowd is System for up to [MostClients] clients, whatever the protocol's range of
// [Clients]. It is for measuring: the searches
// pack node ids more tightly than that, and traces are kept of small systems.
func (p *Protocol) Crowd(variant string, c Config) (*System, error) {
	return p.system(variant, c, true)
}

func (p *Protocol) system(variant string, c Config, crowd bool) (*System, error) {
	c = p.Filled(c)
	if err := p.check(c, crowd); err != nil {
		return nil, err
	}
	s, err := p.built(c)
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

// built makes the system of a configuration, and refuses a Build that reads an N which is not declared.
func (p *Protocol) built(c Config) (s *System, err error) {
	s, err = p.made(c)
	if wrong := p.readsN(c, s); wrong != nil {
		return nil, wrong
	}
	return s, err
}

// made calls Build. A Build that panics is bad input, as is the Edit of a variant.
func (p *Protocol) made(c Config) (s *System, err error) {
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

// edit edits a system. A variant that is not for its configuration says so with
// [Misused].
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

// Variant finds a variant by name. A name with a "+" is that of several options which
// may be joined, carried out in that order.
func (p *Protocol) Variant(name string) (Variant, error) {
	if strings.Contains(name, "+") {
		return p.joined(name)
	}
	i := slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return Variant{}, fmt.Errorf("protocol %s has no variant %q; the verb list names them", p.Name, name)
	}
	return p.Variants[i], nil
}

// Cost finds a cost by name.
func (p *Protocol) Cost(name string) (*Cost, error) {
	i := slices.IndexFunc(p.Costs, func(c *Cost) bool { return c.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("protocol %s has no cost %q; the verb list names them", p.Name, name)
	}
	return p.Costs[i], nil
}

// Claim finds a claim by name, or one of the properties.
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

// Statements are the claims, and after them the properties.
func (p *Protocol) Statements() []Claim { return slices.Concat(p.Claims, p.Properties) }
