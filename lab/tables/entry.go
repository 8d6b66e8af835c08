// Package tables computes the cells of tables about protocols, see [printed.Comparison], and compares them
// with the printed ones. Numbers are the least and the most over all runs, properties are verdicts on claims,
// and problems are runs that show them. Begin with compute.go; fit.go finds the formula of numbers.
package tables

import (
	"contend/checker"
	"contend/model/printed"
	"contend/traces"
)

// A Verdict is the relation of a computed cell to the printed one.
type Verdict string

// Verdicts.
const (
	Agrees       Verdict = "agrees"
	Differs      Verdict = "differs"      // Why has the known reason
	NotPrinted   Verdict = "not printed"  // the text has no such cell
	Inconclusive Verdict = "inconclusive" // a search was incomplete, or bounded by a cut
)

// Kinds of entries.
const (
	Number   = "number"
	Property = "property"
	Problem  = "problem"
)

// An Entry is a computed cell beside the printed one. Its JSON is a stable contract.
type Entry struct {
	Schema   int    `json:"schema"`
	Kind     string `json:"kind"`            // number, property or problem
	Table    string `json:"table,omitempty"` // table of the row
	Row      string `json:"row"`
	Title    string `json:"title"`
	Protocol string `json:"protocol"`
	Variant  string `json:"variant"`
	Source   string `json:"source"`
	Name     string `json:"name"`           // cost, property, or claim that a problem breaks
	When     string `json:"when,omitempty"` // conditions of a number or a property
	Printed  string `json:"printed"`        // printed cell, or description of the problem
	// Size is the variable of the formulas.
	Size   string   `json:"size"`
	Unit   string   `json:"unit,omitempty"` // of a number
	Points []Point  `json:"points,omitempty"`
	Least  string   `json:"least,omitempty"` // formula of the least numbers, or the numbers
	Most   string   `json:"most,omitempty"`
	Claims []Result `json:"claims,omitempty"` // of a property or a problem
	// Verdict is the relation to the printed cell. Expected reports whether this relation is on record.
	Verdict  Verdict `json:"verdict"`
	Expected bool    `json:"expected"`
	Why      string  `json:"why,omitempty"` // known reason of a difference, or reason of an undecided cell
	Command  string  `json:"command"`       // command line for the deciding number or verdict
	Steps    int     `json:"steps,omitempty"`
	Trace    string  `json:"trace,omitempty"` // file of a run that shows a difference or a problem

	Comparison *printed.Comparison `json:"-"`
	Run        *traces.Trace       `json:"-"`
	// Shows is the name of the run's property, for its file name.
	Shows string `json:"-"`
}

// A Point is a number at one size.
type Point struct {
	N       int    `json:"n"`
	Size    int    `json:"size"`
	Least   *int   `json:"least"` // nil if no run has a number
	Most    *int   `json:"most"`
	More    bool   `json:"more,omitempty"`  // the most exceeds the cost's maximum
	Limit   string `json:"limit,omitempty"` // reason why these are not the numbers of all runs
	Cut     bool   `json:"cut,omitempty"`   // these are the numbers of all runs up to a cut
	States  int64  `json:"states"`
	Command string `json:"command"`

	row *checker.CostRow
}

// A Result is a claim's verdict.
type Result struct {
	Name    string          `json:"name"`
	Verdict checker.Verdict `json:"verdict"`
	Steps   int             `json:"steps,omitempty"`
	Limit   string          `json:"limit,omitempty"`
	Command string          `json:"command"`

	run       *traces.Trace
	witnessed bool // some run tested the claim
}
