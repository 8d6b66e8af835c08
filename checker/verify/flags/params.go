package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"contend/model"
)

// params are the flags for the parameters of a suite's protocols, one for each name.
type params struct {
	suite  []*model.Protocol
	all    []string
	values map[string]*int64
}

// newParams lists the parameters of a suite, but for some, each protocol's in its order.
func newParams(suite []*model.Protocol, but []model.Parameter) params {
	out := params{suite: suite, values: map[string]*int64{}}
	left := map[string]bool{}
	for _, param := range but {
		left[param.Declared().Name] = true
	}
	for _, p := range suite {
		at := 0 // behind what the protocol lists before
		for _, param := range p.Params {
			name := param.Declared().Name
			if left[name] {
				continue
			}
			if i := slices.Index(out.all, name); i >= 0 {
				at = i + 1
				continue
			}
			out.all = slices.Insert(out.all, at, name)
			out.values[name] = new(int64)
			at++
		}
	}
	return out
}

func (x params) names() []string { return slices.Clone(x.all) }

// bind makes a flag of each.
func (x params) bind(flags *pflag.FlagSet) {
	for _, name := range x.all {
		short := ""
		if len(name) == 1 {
			short = name
		}
		flags.Int64VarP(x.values[name], name, short, 0, x.usage(name))
		if err := flags.SetAnnotation(name, parameter, nil); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// parameter marks the flags of parameters.
const parameter = "contend_parameter"

// IsParam reports whether a flag is for a parameter.
func IsParam(f *pflag.Flag) bool {
	_, is := f.Annotations[parameter]
	return is
}

// usage returns the meaning of a parameter, its range and its default, with the protocols unless all have the
// same.
func (x params) usage(name string) string {
	type group struct {
		d  model.Declaration
		in []string
	}
	var groups []group
	for _, p := range x.suite {
		d, ok := p.Declared(name)
		if !ok {
			continue
		}
		i := slices.IndexFunc(groups, func(g group) bool { return g.d == d })
		if i < 0 {
			i, groups = len(groups), append(groups, group{d: d})
		}
		groups[i].in = append(groups[i].in, p.Name)
	}
	unit := "`N` "
	if groups[0].d.Unit != "" {
		unit = "`TICKS` for "
	}
	var out []string
	for i, g := range groups {
		text := g.d.Bounds()
		if i == 0 || g.d.Meaning != groups[i-1].d.Meaning {
			text = g.d.Meaning + ", " + text
		}
		if len(g.in) < len(x.suite) {
			text += " (" + strings.Join(g.in, ", ") + ")"
		}
		out = append(out, text)
	}
	return unit + strings.Join(out, "; ")
}

// set writes the values of a protocol's parameter flags into a configuration.
func (x params) set(p *model.Protocol, flags *pflag.FlagSet, c model.Config) (model.Config, error) {
	for _, name := range x.all {
		if !flags.Changed(name) {
			continue
		}
		d, ok := p.Declared(name)
		if !ok {
			return c, x.notRead(name, p)
		}
		v := *x.values[name]
		if err := d.Check(v); err != nil {
			return c, err
		}
		c = c.With(model.Setting{Name: name, Value: v})
	}
	return c, nil
}

// notRead returns the error that a protocol does not read a flag, with the protocols that do.
func (x params) notRead(flag string, p *model.Protocol) error {
	return fmt.Errorf("%s is set, but this protocol does not read it; it reads %s", (model.Declaration{Name: flag}).Flag(), listed(p.Reads()))
}

// listed joins names for a sentence.
func listed(names []string) string {
	switch n := len(names); n {
	case 0:
		return "none"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// Defaults returns the default values of a parameter, each with its protocols and range; with a protocol only its
// own.
func (f *Config) Defaults(name, protocol string) [][2]string {
	var out [][2]string
	for _, p := range f.params.suite {
		d, ok := p.Declared(name)
		if ok && d.HasDefault() && (protocol == "" || p.Name == protocol) {
			out = append(out, [2]string{fmt.Sprint(d.Default), fmt.Sprintf("%s: %s, %s", p.Name, d.Meaning, d.Range())})
		}
	}
	return out
}

// Params names the parameters that have flags.
func (f *Config) Params() []string { return f.params.names() }
