package verify

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/model"
)

// A target is a protocol, or a variant of one, named on the command line.
type target struct {
	protocol *model.Protocol
	variant  string
	named    bool // else it stands for its part of the whole suite
}

// targets finds what arguments of the form PROTOCOL[/VARIANT] name; none name the
// whole suite.
func (t *tool) targets(args []string) ([]target, error) {
	var out []target
	if len(args) == 0 {
		for _, p := range t.suite {
			out = append(out, target{protocol: p})
		}
	}
	for _, arg := range args {
		name, variant, sub := strings.Cut(arg, "/")
		p, err := t.protocol(name)
		if err != nil {
			return nil, err
		}
		_, err = p.Variant(variant)
		if sub && err != nil && strings.Contains(variant, "+") {
			return nil, err
		}
		if sub && err != nil {
			return nil, fmt.Errorf("protocol %s has no variant %q%s", p.Name, variant, flags.DidYouMean(variant, variantNames(p)))
		}
		out = append(out, target{p, variant, true})
	}
	return out, nil
}

// protocol finds a protocol of the suite.
func (t *tool) protocol(name string) (*model.Protocol, error) {
	i := slices.IndexFunc(t.suite, func(p *model.Protocol) bool { return p.Name == name })
	if i >= 0 {
		return t.suite[i], nil
	}
	return nil, fmt.Errorf("there is no protocol %q%s", name, flags.DidYouMean(name, t.protocolNames()))
}

func (t *tool) protocolNames() []string {
	var names []string
	for _, p := range t.suite {
		names = append(names, p.Name)
	}
	return names
}

func variantNames(p *model.Protocol) []string {
	var names []string
	for _, v := range p.Variants {
		names = append(names, v.Name)
	}
	return names
}

// chosen returns the claims of a check that are asked for: all that are asked for
// when the check leaves it open, and none when it has none of them.
func chosen(c model.Check, asked []string) (claims []string, ok bool) {
	if len(asked) == 0 {
		return c.Claims, true
	}
	for _, name := range asked {
		if len(c.Claims) == 0 || slices.Contains(c.Claims, name) {
			claims = append(claims, name)
		}
	}
	return claims, len(claims) > 0
}

// withClaims keeps the targets that have the claims asked for. A target named on
// the command line must have them.
func withClaims(targets []target, asked []string) ([]target, error) {
	if len(asked) == 0 {
		return targets, nil
	}
	var kept []target
	for _, at := range targets {
		known := report.ClaimNames(at.protocol)
		if at.named {
			known = report.StatementNames(at.protocol)
		}
		missing := slices.IndexFunc(asked, func(name string) bool { return !slices.Contains(known, name) })
		switch {
		case missing < 0:
			kept = append(kept, at)
		case at.named:
			return nil, fmt.Errorf("protocol %s has no claim %q%s", at.protocol.Name, asked[missing], flags.DidYouMean(asked[missing], known))
		}
	}
	if len(kept) == 0 {
		var known []string
		for _, at := range targets {
			known = append(known, report.ClaimNames(at.protocol)...)
		}
		return nil, fmt.Errorf("no protocol has the claim %q%s", strings.Join(asked, `" and "`), flags.DidYouMean(asked[0], known))
	}
	return kept, nil
}
