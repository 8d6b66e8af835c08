package tool

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/verify/flags"
	"contend/model"
)

// A Target is a protocol, or a variant of one, named on the command line.
type Target struct {
	Protocol *model.Protocol
	Variant  string
	Named    bool // else it stands for its part of the whole suite
}

// Targets returns the targets of arguments of the form PROTOCOL[/VARIANT]; without arguments, the whole suite.
func (t *Tool) Targets(args []string) ([]Target, error) {
	var out []Target
	if len(args) == 0 {
		for _, p := range t.Suite {
			out = append(out, Target{Protocol: p})
		}
	}
	for _, arg := range args {
		name, variant, sub := strings.Cut(arg, "/")
		p, err := t.Protocol(name)
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
		out = append(out, Target{p, variant, true})
	}
	return out, nil
}

// Plan plans a check, with a remark for its rows. The error names the protocol.
func Plan(p *model.Protocol, c model.Check, note string) (*plan.Plan, error) {
	pl, err := plan.New(p, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	pl.Note = note
	return pl, nil
}

// Protocol finds a protocol of the suite.
func (t *Tool) Protocol(name string) (*model.Protocol, error) {
	i := slices.IndexFunc(t.Suite, func(p *model.Protocol) bool { return p.Name == name })
	if i >= 0 {
		return t.Suite[i], nil
	}
	if hint := flags.DidYouMean(name, t.ProtocolNames()); hint != "" || len(t.Suite) == 0 {
		return nil, fmt.Errorf("there is no protocol %q%s", name, hint)
	}
	return nil, fmt.Errorf("this program has no protocol %q, only %s; %s new --help says how to build one with your own protocols", name, t.some(), verdict.Tool)
}

// mostNamed is the maximum number of protocols of a large suite that are named.
const mostNamed = 3

// some names protocols of the suite, and counts the others.
func (t *Tool) some() string {
	names := t.ProtocolNames()
	if others := len(names) - mostNamed; others > 1 {
		names = append(names[:mostNamed], fmt.Sprintf("%d others", others))
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// ProtocolNames lists the protocols of the suite.
func (t *Tool) ProtocolNames() []string {
	var names []string
	for _, p := range t.Suite {
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

// ClaimNames lists the claims of a protocol.
func ClaimNames(p *model.Protocol) []string { return claimNames(p.Claims) }

// StatementNames lists the claims and the properties of a protocol.
func StatementNames(p *model.Protocol) []string { return claimNames(p.Statements()) }

func claimNames(claims []model.Claim) (names []string) {
	for _, c := range claims {
		names = append(names, c.Name)
	}
	return names
}
