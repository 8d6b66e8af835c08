// Package printed has the cells of tables about protocols that a text prints, so that searches can check them.
package printed

import (
	"fmt"

	"contend/model"
)

// A Comparison is a row of a printed table: a protocol, with each number and each property that the text
// prints. Each has the searches that compute it. Cells that the text leaves empty are computed too, and
// compared with nothing.
type Comparison struct {
	Name       string // of the row
	Table      *Table // the table of the row, or nil
	Title      string // the protocol's name in the text
	Protocol   *model.Protocol
	Variant    string // an option of the protocol, or ""
	Source     string // where the row is printed
	Size       Size
	Numbers    []Number
	Properties []Property
	Problems   []Problem
}

// A Table is a group of rows.
type Table struct {
	Name string // the name of the table in commands, such as "elections"
	// Title and About are the heading and the first paragraph of its section on the page, in Markdown; "" for
	// rows that have sections of their own.
	Title, About string
	// Matrix prints each row as a line of a matrix with a column for each property. There is a matrix for each
	// [Property.When]. Such rows have properties only.
	Matrix  bool
	Columns []string // the order of the columns; others follow
	Missing string   // the text of a cell that a row does not have; "" means a dash
}

// A Size is the parameter of the formulas of a row, computed from [model.Config.N].
type Size struct {
	Name string          // the name in the text, such as "N"
	Of   func(n int) int // nil means n itself
}

// At returns the size for n nodes.
func (s Size) At(n int) int {
	if s.Of == nil {
		return n
	}
	return s.Of(n)
}

// Unbounded is the printed number for no maximum.
const Unbounded = -1

// A Number is a cell with the least and the greatest cost.
type Number struct {
	Cost string // the name of a cost of the protocol
	When string // the conditions, in a few words: "one process asks"
	Text string // the printed cell, abbreviated; "" if the text has none
	// Least and Most are the printed formulas; nil if the text has none. They may return [Unbounded].
	Least, Most func(size int) int
	// At returns the check that computes the number, by [model.Config.N]. It uses the row's variant unless it
	// names one. Sizes are computed for the page; More take longer. Both are in ascending order.
	At          func(n int) model.Check
	Sizes, More []int
	// Differs is a sentence on the reason that the number is known to differ from the printed one; "" if it
	// agrees.
	Differs string
}

// A Property is a cell with a yes or a no.
type Property struct {
	Name   string   // the name in the text, such as "safety"
	When   string   // the conditions, in a few words; "" if the row has no others
	Text   string   // the printed cell; "" if the text has none
	Holds  bool     // the printed value
	Claims []string // names of claims of the protocol: the property holds if they all hold
	Check  model.Check
	// Also has further checks, as of other sizes. The property holds if it holds in all, and the first in which
	// it does not is reported. More take longer.
	Also, More []model.Check
	Differs    string // as in a Number
}

// A Problem is a printed defect of the protocol, with the check in which it violates a claim.
type Problem struct {
	Text  string // the sentence, abbreviated
	Claim string
	Check model.Check
}

// Validate returns an error that names a missing or contradictory field of the row.
func (c *Comparison) Validate() error {
	if c.Name == "" || c.Protocol == nil || c.Size.Name == "" {
		return fmt.Errorf("table row %q: it needs a name, a protocol and the name of a size", c.Name)
	}
	at := fmt.Sprintf("table row %s", c.Name)
	if c.Table != nil && c.Table.Matrix && len(c.Numbers)+len(c.Problems) > 0 {
		return fmt.Errorf("%s: it has numbers or problems, but the rows of table %s have properties alone", at, c.Table.Name)
	}
	for _, n := range c.Numbers {
		if _, err := c.Protocol.Cost(n.Cost); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if n.At == nil || len(n.Sizes) == 0 {
			return fmt.Errorf("%s: %s needs checks and sizes", at, n.Cost)
		}
	}
	for _, p := range c.Properties {
		if err := c.checkClaims(p.Claims...); err != nil {
			return fmt.Errorf("%s: %s: %w", at, p.Name, err)
		}
	}
	for _, p := range c.Problems {
		if err := c.checkClaims(p.Claim); err != nil {
			return fmt.Errorf("%s: %s: %w", at, p.Text, err)
		}
	}
	return nil
}

// checkClaims returns an error if the protocol does not make one of the claims.
func (c *Comparison) checkClaims(names ...string) error {
	if len(names) == 0 {
		return fmt.Errorf("it names no claim")
	}
	for _, name := range names {
		if _, err := c.Protocol.Claim(name); err != nil {
			return err
		}
	}
	return nil
}
