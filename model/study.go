package model

import "fmt"

// A Study is a measurement of a protocol: the waiting times of t clients that begin an operation at one time,
// and the statements of papers on these. Measurements decide no claim.
type Study struct {
	// Config is the default configuration of measurements. [Clients] is a parameter of the protocol and is
	// replaced by t.
	Config Config
	// Variants has the variants that are measured by default, apart from the protocol itself.
	Variants []string
	// Unit returns the time to which waits are compared, in ticks, ≥ 1. UnitName is its name in the paper.
	Unit     func(c Config) Ticks
	UnitName string
	// Statements has the statements that measurements are compared with.
	Statements []Statement
}

// A Statement is a statement of a paper on waiting times.
type Statement struct {
	Name   string // the name in the paper
	Text   string // one sentence
	Source string // paper and section
	Proof  string // file and anchor in docs/proofs, or ""
	About  Aspect
}

// An Aspect is the subject of a statement: OneRoundTrip, LinearMean or LinearLast. go doc
// contend/model.OneRoundTrip describes each.
type Aspect int

// The aspects. A single client waits at most a round trip and tries once; the mean wait of t clients is at most
// linear in t; the time until the last of t clients has returned is at most linear in t.
const (
	OneRoundTrip Aspect = iota
	LinearMean
	LinearLast
)

// validate returns an error if the study lacks a unit, or names something that the protocol does not have.
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
