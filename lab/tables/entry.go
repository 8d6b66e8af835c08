// Package tables computes what a text prints about protocols: the cells of each
// [printed.Comparison], numbers as the least and the most over all runs, properties as verdicts of
// claims, problems as runs that show them; and says of each whether it agrees with what is
// printed. compute.go is where to begin; fit.go finds the formula that numbers follow.
package tables

import (
	"contend/checker"
	"contend/model/printed"
	"contend/traces"
)

// A Verdict says how a cell that was computed stands to the one that is printed.
type Verdict string

// The verdicts on a cell.
const (
	Agrees       Verdict = "agrees"
	Differs      Verdict = "differs"      // with what is printed; Why tells what is known of it
	NotPrinted   Verdict = "not printed"  // the text has no such cell
	Inconclusive Verdict = "inconclusive" // a search did not come to its end, or a cut bounds it
)

// The kinds of entries.
const (
	Number   = "number"
	Property = "property"
	Problem  = "problem"
)

// An Entry is a cell as it was computed, beside what is printed. Its JSON is a stable contract.
type Entry struct {
	Schema   int    `json:"schema"`
	Kind     string `json:"kind"`            // number, property or problem
	Table    string `json:"table,omitempty"` // that the row belongs to
	Row      string `json:"row"`
	Title    string `json:"title"`
	Protocol string `json:"protocol"`
	Variant  string `json:"variant"`
	Source   string `json:"source"`
	Name     string `json:"name"`           // of the cost or property; of a problem the claim that it breaks
	When     string `json:"when,omitempty"` // of a number or a property: the conditions
	Printed  string `json:"printed"`        // the cell as it is printed, or what is said of the problem
	// Size is what the formulas speak of.
	Size   string   `json:"size"`
	Unit   string   `json:"unit,omitempty"` // of a number
	Points []Point  `json:"points,omitempty"`
	Least  string   `json:"least,omitempty"` // the formula of the least numbers, or the numbers
	Most   string   `json:"most,omitempty"`
	Claims []Result `json:"claims,omitempty"` // of a property or a problem
	// Verdict is how the cell stands to what is printed; Expected says that it is recorded to
	// stand so: a difference that is known, or none.
	Verdict  Verdict `json:"verdict"`
	Expected bool    `json:"expected"`
	Why      string  `json:"why,omitempty"` // what is known of a difference, or what left a cell open
	Command  string  `json:"command"`       // finds the deciding number or verdict again
	Steps    int     `json:"steps,omitempty"`
	Trace    string  `json:"trace,omitempty"` // the file of the run that shows a difference or a problem

	// Of is the row.
	Of  *printed.Comparison `json:"-"`
	Run *traces.Trace       `json:"-"`
	// Shows is what the run shows, for the name of its file.
	Shows string `json:"-"`
}

// A Point is a number at one size.
type Point struct {
	N       int    `json:"n"`
	Size    int    `json:"size"`
	Least   *int   `json:"least"` // nil where no run came to a number
	Most    *int   `json:"most"`
	More    bool   `json:"more,omitempty"`  // the most is beyond what the cost tells apart
	Limit   string `json:"limit,omitempty"` // why these are not the numbers of all runs
	Cut     bool   `json:"cut,omitempty"`   // they are those of all runs up to a declared cut
	States  int64  `json:"states"`
	Command string `json:"command"`

	row *checker.CostRow
}

// A Result is the verdict on a claim.
type Result struct {
	Name    string          `json:"name"`
	Verdict checker.Verdict `json:"verdict"`
	Steps   int             `json:"steps,omitempty"`
	Limit   string          `json:"limit,omitempty"`
	Command string          `json:"command"`

	run       *traces.Trace
	witnessed bool // some run put it to the test
}
