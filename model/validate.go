package model

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ValidateSuite returns an error if a protocol is invalid or two have one name. It is also an error if two
// protocols declare a parameter of one name with different units.
func ValidateSuite(suite []*Protocol) error {
	seen, by := map[string]bool{}, map[string]*Protocol{}
	for _, p := range suite {
		if err := p.Validate(); err != nil {
			return err
		}
		if seen[p.Name] {
			return fmt.Errorf("protocol %s is listed twice", p.Name)
		}
		seen[p.Name] = true
		for _, param := range p.Params {
			d := param.Declared()
			other, known := by[d.Name]
			if !known {
				by[d.Name] = p
				continue
			}
			if o, _ := other.Declared(d.Name); o.Unit != d.Unit {
				return fmt.Errorf("parameter %s is in ticks in one of the protocols %s and %s, and a number in the other: one of them needs another name", d.Name, other.Name, p.Name)
			}
		}
	}
	return nil
}

// Validate returns an error if a name is missing or not unique, or refers to nothing.
func (p *Protocol) Validate() error {
	if p.Name == "" {
		return errors.New("a protocol needs a Name")
	}
	if p.Build == nil {
		return fmt.Errorf("protocol %s needs a Build", p.Name)
	}
	if err := p.validateNames(); err != nil {
		return err
	}
	if err := p.validateParams(); err != nil {
		return err
	}
	claims, variants := map[string]bool{}, map[string]bool{"": true}
	for _, c := range p.Statements() {
		if c.Name == "" || claims[c.Name] {
			return fmt.Errorf("protocol %s: claim %q needs a name of its own", p.Name, c.Name)
		}
		claims[c.Name] = true
		if err := c.validate(); err != nil {
			return fmt.Errorf("protocol %s: %w", p.Name, err)
		}
	}
	for _, v := range p.Variants {
		if variants[v.Name] || v.Edit == nil && !v.Mutant() {
			return fmt.Errorf("protocol %s: variant %q needs a name of its own and an Edit", p.Name, v.Name)
		}
		variants[v.Name] = true
	}
	if err := p.Study.validate(p); err != nil {
		return err
	}
	return p.validateReferences(claims)
}

// validateNames returns an error if a name cannot be printed or stored in a trace.
func (p *Protocol) validateNames() error {
	if err := validWord("a protocol", p.Name); err != nil {
		return err
	}
	for _, c := range p.Statements() {
		if err := validName("a claim", c.Name); err != nil {
			return fmt.Errorf("protocol %s: %w", p.Name, err)
		}
		if c.Name == NoHandlerFails {
			return fmt.Errorf("protocol %s: claim %q is one that every protocol makes", p.Name, c.Name)
		}
	}
	for _, v := range p.Variants {
		if err := validWord("a variant", v.Name); err != nil {
			return fmt.Errorf("protocol %s: %w", p.Name, err)
		}
	}
	return nil
}

// validate returns an error unless exactly one field defines the claim, and it fits the kind.
func (c Claim) validate() error {
	ways := 0
	for _, set := range []bool{c.Monitor != nil, c.Invariant != nil, c.Done, c.Object.Step != nil, c.Refinement.Page != nil} {
		if set {
			ways++
		}
	}
	switch {
	case ways != 1:
		return fmt.Errorf("claim %s: exactly one of Monitor, Invariant, Done, Object and Refinement must say what is claimed, not %d", c.Name, ways)
	case (c.Object.Step != nil) != (c.Kind == Linearizable):
		return fmt.Errorf("claim %s: an Object goes with the kind %v, and only with it", c.Name, Linearizable)
	case (c.Refinement.Page != nil) != (c.Kind == Refines):
		return fmt.Errorf("claim %s: a Refinement goes with the kind %v, and only with it", c.Name, Refines)
	case c.Kind == Refines && c.Refinement.See == nil:
		return fmt.Errorf("claim %s: its Refinement needs a See, which maps what is observed to what the page shows", c.Name)
	case c.Invariant != nil && c.Kind != Always:
		return fmt.Errorf("claim %s: an Invariant goes with the kind %v only", c.Name, Always)
	case c.Kind < 0 || int(c.Kind) >= len(claimKinds):
		return fmt.Errorf("claim %s: its Kind is %d, but must be one of those that the package names", c.Name, c.Kind)
	}
	for _, a := range c.Assumes {
		if !slices.Contains(assumptions, a) {
			return fmt.Errorf("claim %s: it assumes %q, but an assumption must be one of %q", c.Name, a, assumptions)
		}
	}
	return nil
}

func (p *Protocol) validateReferences(claims map[string]bool) error {
	known := func(list []string, what string) error {
		for _, name := range list {
			if !claims[name] {
				return fmt.Errorf("protocol %s: %s refers to claim %q, which it does not make", p.Name, what, name)
			}
		}
		return nil
	}
	for _, v := range p.Variants {
		list := slices.AppendSeq(slices.Clone(v.Unclaimed), maps.Keys(v.Waives))
		if v.Mutant() {
			list = append(list, v.Breaks)
		}
		if err := known(list, "variant "+v.Name); err != nil {
			return err
		}
	}
	for i, c := range slices.Concat(p.Checks, p.Deep) {
		what := fmt.Sprintf("check %d", i+1)
		if err := known(c.Claims, what); err != nil {
			return err
		}
		if c.Variant != "" {
			if _, err := p.Variant(c.Variant); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
		}
	}
	for _, f := range p.Findings {
		if err := known([]string{f.Claim}, "finding "+f.Name); err != nil {
			return err
		}
	}
	return nil
}
