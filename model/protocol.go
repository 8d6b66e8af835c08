package model

import (
	"fmt"
	"slices"
	"strings"
)

// A Config holds the sizes and bounds of a check, under the names of the command
// line's flags. Zero means that the protocol's default stands.
type Config struct {
	N        int   // servers, or processes where there are no servers
	B        int   // Byzantine servers
	Quorum   int   // size of a quorum
	Clients  int   // clients
	Ops      int   // operations per client
	Tries    int   // broadcasts per operation
	Attempts int   // passages of the ordering thread per operation
	Delay    Ticks // δ, the bound on message delay, ≥ 1
	Section  Ticks // Δ, the length of the critical section, ≥ 1
	// Processing is the longest time in ticks from a server's handling of a request to
	// the leaving of its answer, ≥ 0.
	Processing Ticks
	Network    NetworkModel // which messages are timely
	// Drift is ρ in thousandths, in [0, 500]: clocks run at rates within 1 ± ρ of real
	// time; see [Drift].
	Drift  int
	Faults Faults
	// Beyond lets a configuration break the paper's bound on purpose.
	Beyond bool
}

// A Protocol is what a suite lists.
type Protocol struct {
	Name   string
	Title  string // one line for people
	Source string // the paper
	// Config is the default configuration.
	Config Config
	// Fields names the configuration fields that the protocol reads, by flag.
	Fields []string
	// Build makes the system at a configuration whose zero fields were filled in,
	// or says in a sentence, naming field and rule, why it cannot be. It sets
	// [System.Config] where it works out fields of its own.
	Build func(c Config) (*System, error)
	// Claims lists what the protocol claims.
	Claims []Claim
	// Costs lists the numbers of which the least and the most are of interest.
	Costs []*Cost
	// Variants lists the options and the mutants.
	Variants []Variant
	// Checks lists what `verify` alone runs.
	Checks []Check
	// Findings lists the claims that are known not to hold as printed.
	Findings []Finding
	// Study says what to measure; nil where nothing is.
	Study *Study
}

// A Finding is a claim that its paper makes and the checker refutes for the protocol
// as printed. The claim stays as it is; the finding says that its violation is
// known, so long as the kept trace still reproduces.
type Finding struct {
	Name    string // its anchor in docs/findings.md
	Variant string // "" for the protocol as printed
	Claim   string
	Trace   []byte // the kept trace, in the traces package's JSON
}

// A Variant is an edit of a system before it runs: of the protocol's configuration
// or of the node table. A mutant names the claim it must break; an option keeps
// the claims.
type Variant struct {
	Name   string
	Title  string
	Breaks string // the claim a mutant must break; "" for an option
	Edit   func(s *System)
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
}

// Filled returns c with its zero fields taken from the protocol's default.
func (p *Protocol) Filled(c Config) Config {
	d := p.Config
	for _, f := range []struct{ to, from *int }{
		{&c.N, &d.N}, {&c.B, &d.B}, {&c.Quorum, &d.Quorum}, {&c.Clients, &d.Clients},
		{&c.Ops, &d.Ops}, {&c.Tries, &d.Tries}, {&c.Attempts, &d.Attempts},
	} {
		if *f.to == 0 {
			*f.to = *f.from
		}
	}
	for _, f := range []struct{ to, from *Ticks }{{&c.Delay, &d.Delay}, {&c.Section, &d.Section}, {&c.Processing, &d.Processing}} {
		if *f.to == 0 {
			*f.to = *f.from
		}
	}
	if c.Network == "" {
		c.Network = d.Network
	}
	return c
}

// Validate says in a sentence which field is out of the range that any protocol
// allows, or nil.
func (c Config) Validate() error { return c.validate(fewClients) }

// validate is Validate with the largest number of clients given.
func (c Config) validate(clients int64) error {
	for _, f := range []struct {
		name        string
		is          int64
		least, most int64 // besides 0, which stands for the default
	}{
		{"n", int64(c.N), 1, 32}, {"b", int64(c.B), 0, 10}, {"quorum", int64(c.Quorum), 1, 32}, {"clients", int64(c.Clients), 1, clients},
		{"ops", int64(c.Ops), 1, 1000}, {"tries", int64(c.Tries), 1, 20}, {"attempts", int64(c.Attempts), 1, 1000},
		{"delay", int64(c.Delay), 1, 1000}, {"section", int64(c.Section), 1, 1000},
		{"processing", int64(c.Processing), 0, 1000}, {"drift", int64(c.Drift), 0, 500},
	} {
		if f.is < 0 || f.is > f.most {
			return fmt.Errorf("%s is %d, but must be %d to %d", f.name, f.is, f.least, f.most)
		}
	}
	if err := c.Network.Validate(); err != nil {
		return err
	}
	return c.Faults.Validate()
}

// How many clients, and nodes in all, a system may have: what is searched, sampled
// or replayed has few; what only steps single runs takes a crowd.
const (
	fewClients, fewNodes = 32, 64
	// MostClients is how many clients [Protocol.Crowd] takes.
	MostClients = 4096
)

// System builds a variant of the protocol at a configuration, with at most 32 clients
// and 64 nodes. The error is a sentence that names the field and the rule.
func (p *Protocol) System(variant string, c Config) (*System, error) {
	return p.system(variant, c, fewClients, fewNodes)
}

// Crowd is System for up to [MostClients] clients. It is for measuring: the searches
// pack node ids more tightly than that, and traces are kept of small systems.
func (p *Protocol) Crowd(variant string, c Config) (*System, error) {
	return p.system(variant, c, MostClients, 2*MostClients)
}

func (p *Protocol) system(variant string, c Config, clients int64, nodes int) (*System, error) {
	c = p.Filled(c)
	if err := c.validate(clients); err != nil {
		return nil, err
	}
	s, err := p.Build(c)
	if err != nil {
		return nil, err
	}
	if s.Config == (Config{}) {
		s.Config = c
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
	return s, s.validate(nodes)
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
			panic(p)
		}
	}()
	v.Edit(s)
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
		return Variant{}, fmt.Errorf("protocol %s has no variant %q; verify list names them", p.Name, name)
	}
	return p.Variants[i], nil
}

// Claim finds a claim by name.
func (p *Protocol) Claim(name string) (Claim, error) {
	i := slices.IndexFunc(p.Claims, func(c Claim) bool { return c.Name == name })
	if i < 0 {
		return Claim{}, fmt.Errorf("protocol %s has no claim %q; verify list names them", p.Name, name)
	}
	return p.Claims[i], nil
}
