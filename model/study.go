package model

import "fmt"

// A Study says what to measure of a protocol: how long clients wait when a number of
// them, t, begin an operation at one time, and what was stated of that. Measuring
// decides no claim.
type Study struct {
	// Config is measured unless flags say otherwise; what it leaves open is the protocol's
	// default. [Clients], which the protocol must have, is not read: it is t.
	Config Config
	// Variants are measured beside the protocol itself when none is named.
	Variants []string
	// Unit is the time that waits are compared with, in ticks, ≥ 1, and UnitName what
	// the paper calls it.
	Unit     func(c Config) Ticks
	UnitName string
	// Statements are what measurements are held against.
	Statements []Statement
}

// A Statement is what a paper says of waiting times.
type Statement struct {
	Name   string // as the paper names it
	Text   string // one sentence
	Source string // paper and place
	Proof  string // file and anchor in docs/proofs, or ""
	About  Aspect
}

// An Aspect is what a statement is about: OneRoundTrip, LinearMean or LinearLast. go doc contend/model.OneRoundTrip describes each.
type Aspect int

// What can be stated: that one client alone waits at most a round trip and tries
// once; that the mean wait of t clients is at most linear in t; that the time until
// the last of them has returned is.
const (
	OneRoundTrip Aspect = iota
	LinearMean
	LinearLast
)

// validate checks that a study names options of its protocol.
func (s *Study) validate(p *Protocol) error {
	if s == nil {
		return nil
	}
	if s.Unit == nil || s.UnitName == "" {
		return fmt.Errorf("protocol %s: its study needs a Unit and a name for it", p.Name)
	}
	if _, ok := p.Declared(Clients.Name); !ok {
		return fmt.Errorf("protocol %s: its study needs the parameter %s, whose number it varies", p.Name, Clients.Name)
	}
	for _, name := range s.Variants {
		if v, err := p.Variant(name); err != nil || v.Mutant() {
			return fmt.Errorf("protocol %s: its study names %q, which is not one of its options", p.Name, name)
		}
	}
	return nil
}
