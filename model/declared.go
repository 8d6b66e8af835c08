package model

import (
	"fmt"
	"slices"
	"strings"
)

// Declared returns the declaration of a parameter. It reports false if the protocol does not have it.
func (p *Protocol) Declared(name string) (d Declaration, ok bool) {
	i := slices.IndexFunc(p.Params, func(param Parameter) bool { return param.Declared().Name == name })
	if i < 0 {
		return d, false
	}
	return p.Params[i].Declared(), true
}

// Reads returns the names of the parameters, and "network" if the protocol has several networks.
func (p *Protocol) Reads() []string {
	names := []string{}
	for _, param := range p.Params {
		names = append(names, param.Declared().Name)
	}
	if len(p.Networks) > 0 {
		names = append(names, "network")
	}
	return names
}

// Settings returns the settings of a configuration in the order of [Protocol.Params], without settings that
// are [Declaration.Plain].
func (p *Protocol) Settings(c Config) []Setting {
	var settings []Setting
	for _, param := range p.Params {
		d := param.Declared()
		if v, set := c.Setting(d.Name); set && !d.Plain(v) {
			settings = append(settings, Setting{d.Name, v})
		}
	}
	return settings
}

// check returns an error if a value of the configuration is out of range, or is not a parameter of the
// protocol. A crowd may have more clients than declared.
func (p *Protocol) check(c Config, crowd bool) error {
	for _, param := range p.Params {
		d := param.Declared()
		if crowd && d.Name == Clients.Name {
			d.Most = MostClients
		}
		if v, set := c.Setting(d.Name); set {
			if err := d.Check(v); err != nil {
				return err
			}
		}
	}
	if err := p.checkNames(c); err != nil {
		return err
	}
	return c.Validate()
}

// checkNames returns an error if the configuration sets a parameter that the protocol does not have.
func (p *Protocol) checkNames(c Config) error {
	given := c.Settings()
	if c.B != 0 {
		given = slices.Insert(given, 0, B.Is(c.B))
	}
	if c.N != 0 {
		given = slices.Insert(given, 0, N.Is(c.N))
	}
	for _, s := range given {
		if _, ok := p.Declared(s.Name); !ok {
			return fmt.Errorf("%s is %d, but protocol %s has no such parameter: it reads %s", s.Name, s.Value, p.Name, strings.Join(p.Reads(), ", "))
		}
	}
	if c.Network != "" && !slices.Contains(p.Networks, c.Network.Model()) && c.Network.Validate() == nil {
		return fmt.Errorf("network is %s, but protocol %s has no such network", c.Network, p.Name)
	}
	return nil
}

// validateParams returns an error that names an invalid declaration of a parameter.
func (p *Protocol) validateParams() error {
	seen := map[string]bool{}
	for _, param := range p.Params {
		d := param.Declared()
		if !ParamName.MatchString(d.Name) || seen[d.Name] || slices.Contains(reserved, d.Name) {
			return fmt.Errorf("protocol %s: parameter %q needs a name of its own, of lower-case letters, digits and dashes, a letter first", p.Name, d.Name)
		}
		seen[d.Name] = true
		switch {
		case d.Meaning == "" || strings.ContainsAny(d.Meaning, "`\n"):
			return fmt.Errorf("protocol %s: parameter %s needs a meaning, in one line without backquotes", p.Name, d.Name)
		case d.Least < 0 || d.Least > d.Most:
			return fmt.Errorf("protocol %s: parameter %s has the range %s, but it must begin at 0 or above and not be empty", p.Name, d.Name, d.Range())
		case d.Default > d.Most || d.Default < 0:
			return fmt.Errorf("protocol %s: parameter %s has the default %d, which is not %s", p.Name, d.Name, d.Default, d.Range())
		case d.Name == B.Name && d.Default != 0:
			return fmt.Errorf("protocol %s: parameter b has the default %d, but without a word of them there are no liars", p.Name, d.Default)
		case d.Name == N.Name && d.Least == 0:
			return fmt.Errorf("protocol %s: parameter n must be 1 or more", p.Name)
		}
	}
	return nil
}
