package model

import (
	"fmt"
	"regexp"
)

// A Param is a parameter of a protocol: a size, a bound or a time that a configuration
// sets. It is declared once, beside the protocol that reads it, and listed in
// [Protocol.Params]:
//
//	var Tries = model.Param[int]{Name: "tries", Meaning: "broadcasts for each operation", Least: 1, Most: 20, Default: 2}
//
// A configuration sets it, and Build reads it:
//
//	c := model.Config{N: 3}.With(Tries.Is(4))
//	tries := Tries.Of(c)
//
// The flag, its help and its completion, the keys of rows and traces, and the bounds that
// are printed follow from the declaration. What is not a whole number is no parameter
// but a [Variant].
type Param[T Whole] struct {
	// Name is the flag, and the key in rows and traces: lower-case letters, digits and
	// dashes, a letter first. A name of one letter is a short flag too.
	Name string
	// Meaning says in some words what is counted or measured.
	Meaning string
	// Symbol is what tables of results print for it; "" stands for the name.
	Symbol string
	// Least and Most are the range, both allowed.
	Least, Most T
	// Default stands where nothing is set. One below Least says that there is none: Build
	// works the value out, or does without.
	Default T
	// All says that 0 stands for all N. Its meaning says so by itself.
	All bool
}

// Whole is the type of a parameter as it is read. Times are [Ticks].
type Whole interface{ ~int | ~int64 }

// Is sets the parameter: see [Config.With].
func (p Param[T]) Is(v T) Setting { return Setting{p.Name, int64(v)} }

// Of reads the parameter. Of a configuration that leaves it open it is the default.
func (p Param[T]) Of(c Config) T {
	if v, ok := c.Setting(p.Name); ok {
		return T(v)
	}
	return p.Default
}

// WithDefault is the parameter with another default.
func (p Param[T]) WithDefault(v T) Param[T] {
	p.Default = v
	return p
}

// WithRange is the parameter with another range.
func (p Param[T]) WithRange(least, most T) Param[T] {
	p.Least, p.Most = least, most
	return p
}

// WithMeaning is the parameter with another meaning.
func (p Param[T]) WithMeaning(meaning string) Param[T] {
	p.Meaning = meaning
	return p
}

// Declared is what the parameter is, whatever its type.
func (p Param[T]) Declared() Declaration {
	d := Declaration{Name: p.Name, Meaning: p.Meaning, Symbol: p.Symbol, Least: int64(p.Least), Most: int64(p.Most), Default: int64(p.Default), All: p.All}
	if d.All {
		d.Meaning += "; 0 stands for all"
	}
	if _, timed := any(p.Least).(Ticks); timed {
		d.Unit = "ticks"
	}
	if d.Symbol == "" {
		d.Symbol = d.Name
	}
	return d
}

// A Parameter is a [Param] of any type.
type Parameter interface{ Declared() Declaration }

// A Declaration is what tools know of a parameter.
type Declaration struct {
	Name, Meaning, Symbol string
	Unit                  string // "ticks", or "" of what is counted
	Least, Most, Default  int64
	All                   bool // 0 stands for all N
}

// HasDefault reports whether a value stands where nothing is set.
func (d Declaration) HasDefault() bool { return d.Default >= d.Least }

// Range is the range in words.
func (d Declaration) Range() string { return fmt.Sprintf("%d to %d", d.Least, d.Most) }

// Bounds are the range and the default, if there is one, in words.
func (d Declaration) Bounds() string {
	if !d.HasDefault() {
		return d.Range()
	}
	return fmt.Sprintf("%s, default %d", d.Range(), d.Default)
}

// Flag is the parameter's flag as it is typed.
func (d Declaration) Flag() string {
	if len(d.Name) == 1 {
		return "-" + d.Name
	}
	return "--" + d.Name
}

// Plain reports whether a value goes without saying: 0 that is the default, or that
// stands for none.
func (d Declaration) Plain(v int64) bool { return v == 0 && d.Default == 0 }

// Check says in a sentence whether a value is out of range, or nil.
func (d Declaration) Check(v int64) error {
	if v < d.Least || v > d.Most {
		return fmt.Errorf("%s is %d, but must be %s", d.Name, v, d.Range())
	}
	return nil
}

// ParamName is how the names of parameters are written.
var ParamName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)

// reserved are the names of what all protocols have in common, as flags and as keys of
// rows and traces.
var reserved = []string{"network", "drift", "faults", "beyond-bounds", "f", "loss", "duplication", "crashes", "restarts", "suspicions", "partitions"}

// N and B are the parameters that have fields of their own in [Config]. Of a protocol
// without servers N counts its processes. A protocol that has either lists it.
var (
	N = Param[int]{Name: "n", Meaning: "servers", Least: 1, Most: 32}
	B = Param[int]{Name: "b", Meaning: "Byzantine servers", Most: 10}
)

// Parameters that several protocols have. A protocol lists those that it reads, with a
// default or a range of its own where it likes.
var (
	// Quorum has no default: the smallest that serves depends on N and B.
	Quorum  = Param[int]{Name: "quorum", Meaning: "size of a quorum", Least: 1, Most: 32}
	Clients = Param[int]{Name: "clients", Meaning: "clients", Least: 1, Most: 32, Default: 2}
	Ops     = Param[int]{Name: "ops", Meaning: "operations of each client", Least: 1, Most: 1000, Default: 1}
	// Delay is δ.
	Delay = Param[Ticks]{Name: "delay", Meaning: "δ, the bound on message delay", Symbol: "δ", Least: 1, Most: 1000, Default: 1}
)
