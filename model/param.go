package model

import (
	"fmt"
	"regexp"
)

// A Param is a parameter of a protocol: a size, a bound or a time. The protocol declares it once and lists it in
// [Protocol.Params]:
//
//	var Tries = model.Param[int]{Name: "tries", Meaning: "broadcasts for each operation", Least: 1, Most: 20, Default: 2}
//
// A configuration sets it, and Build reads it:
//
//	c := model.Config{N: 3}.With(Tries.Is(4))
//	tries := Tries.Of(c)
//
// The declaration determines the flag with its help and completion, the keys of rows and traces, and the printed
// bounds. A choice that is not a whole number is a [Variant].
type Param[T Whole] struct {
	// Name is the flag, and the key in rows and traces. It has lower-case letters, digits and dashes, and
	// begins with a letter. A name of one letter is a short flag.
	Name string
	// Meaning is a phrase for the counted or measured quantity.
	Meaning string
	// Symbol is the name in tables of results; "" means Name.
	Symbol string
	// Least and Most are the range, inclusive.
	Least, Most T
	// Default is the value if none is set. A value below Least means no default: Build computes the value or
	// needs none.
	Default T
	// All reports whether 0 means all N. The printed meaning then says so.
	All bool
}

// Whole is the constraint of a parameter's type. Times are [Ticks].
type Whole interface{ ~int | ~int64 }

// Is returns a setting of the parameter for [Config.With].
func (p Param[T]) Is(v T) Setting { return Setting{p.Name, int64(v)} }

// Of returns the value of the parameter in c, or the default if it is not set.
func (p Param[T]) Of(c Config) T {
	if v, ok := c.Setting(p.Name); ok {
		return T(v)
	}
	return p.Default
}

// WithDefault returns the parameter with another default.
func (p Param[T]) WithDefault(v T) Param[T] {
	p.Default = v
	return p
}

// WithRange returns the parameter with another range.
func (p Param[T]) WithRange(least, most T) Param[T] {
	p.Least, p.Most = least, most
	return p
}

// WithMeaning returns the parameter with another meaning.
func (p Param[T]) WithMeaning(meaning string) Param[T] {
	p.Meaning = meaning
	return p
}

// Declared returns the parameter without its type.
func (p Param[T]) Declared() Declaration {
	d := Declaration{Name: p.Name, Meaning: p.Meaning, Symbol: p.Symbol, Least: int64(p.Least), Most: int64(p.Most), Default: int64(p.Default), All: p.All}
	if d.All {
		d.Meaning += "; 0 stands for all"
	}
	switch any(p.Least).(type) {
	case Ticks:
		d.Unit = "ticks"
	case int:
		d.Counts = true
	}
	if d.Symbol == "" {
		d.Symbol = d.Name
	}
	return d
}

// A Parameter is a [Param] of any type.
type Parameter interface{ Declared() Declaration }

// A Declaration is a [Param] without its type.
type Declaration struct {
	Name, Meaning, Symbol string
	Unit                  string // "ticks", or "" for a number
	Least, Most, Default  int64
	All                   bool // 0 means all N
	Counts                bool // the type is int: the parameter counts something
}

// HasDefault reports whether the parameter has a default.
func (d Declaration) HasDefault() bool { return d.Default >= d.Least }

// Range returns the range as text.
func (d Declaration) Range() string { return fmt.Sprintf("%d to %d", d.Least, d.Most) }

// Bounds returns the range and the default, if there is one, as text.
func (d Declaration) Bounds() string {
	if !d.HasDefault() {
		return d.Range()
	}
	return fmt.Sprintf("%s, default %d", d.Range(), d.Default)
}

// Flag returns the flag with its dashes.
func (d Declaration) Flag() string {
	if len(d.Name) == 1 {
		return "-" + d.Name
	}
	return "--" + d.Name
}

// Plain reports whether a value need not be printed: it is 0 and the default is 0.
func (d Declaration) Plain(v int64) bool { return v == 0 && d.Default == 0 }

// Check returns an error if the value is out of range.
func (d Declaration) Check(v int64) error {
	if v < d.Least || v > d.Most {
		return fmt.Errorf("%s is %d, but must be %s", d.Name, v, d.Range())
	}
	return nil
}

// ParamName matches the names of parameters.
var ParamName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)

// reserved has the flags and keys that all protocols have.
var reserved = []string{"network", "drift", "faults", "beyond-bounds", "f", "loss", "duplication", "crashes", "restarts", "suspicions", "partitions"}

// N and B are the parameters with fields in [Config]. For a protocol without servers N counts the processes.
// A protocol lists its parameters.
var (
	N = Param[int]{Name: "n", Meaning: "servers", Least: 1, Most: 32}
	B = Param[int]{Name: "b", Meaning: "Byzantine servers", Most: 10}
)

// Parameters of several protocols. A protocol lists its parameters, and may change their defaults and ranges.
var (
	// Quorum has no default: the smallest possible size depends on N and B.
	Quorum  = Param[int]{Name: "quorum", Meaning: "size of a quorum", Least: 1, Most: 32}
	Clients = Param[int]{Name: "clients", Meaning: "clients", Least: 1, Most: 32, Default: 2}
	Ops     = Param[int]{Name: "ops", Meaning: "operations of each client", Least: 1, Most: 1000, Default: 1}
	// Delay is δ.
	Delay = Param[Ticks]{Name: "delay", Meaning: "δ, the bound on message delay", Symbol: "δ", Least: 1, Most: 1000, Default: 1}
)
