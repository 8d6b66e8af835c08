// Package printed says what a text prints in a table about protocols, so that each cell can be held against what searches find.
package printed

import (
	"fmt"

	"contend/model"
)

// A Comparison is a row of a table that a text prints about protocols: what it says of one of
// them, each number and each property beside the searches that find out. Cells that the text
// leaves empty are there all the same: what they come to is told, and compared with nothing.
type Comparison struct {
	Name       string // of the row
	Table      *Table // that it belongs to, or nil
	Title      string // what the text calls the protocol
	Protocol   *model.Protocol
	Variant    string // an option of the protocol, or ""
	Source     string // where the row is printed
	Size       Size
	Numbers    []Number
	Properties []Property
	Problems   []Problem
}

// A Table is what rows belong to that are asked for together.
type Table struct {
	Name string // by which its rows are asked for: "elections"
	// Title and About are the heading and the first paragraph of its section on the page, in
	// Markdown; "" for rows that have sections of their own.
	Title, About string
	// Matrix has each row printed as a line of a matrix with a column for each property, and there
	// is a matrix for each [Property.When]. Its rows have properties alone.
	Matrix  bool
	Columns []string // the order of the columns; those that are not here come after
	Missing string   // what a cell says that a row does not have, or "" for a dash
}

// A Size is what the formulas of a row speak of, made from [model.Config.N] of the protocol.
type Size struct {
	Name string          // as the text writes it: "N"
	Of   func(n int) int // nil where it is n itself
}

// At is the size for a number of nodes.
func (s Size) At(n int) int {
	if s.Of == nil {
		return n
	}
	return s.Of(n)
}

// Unbounded, as a printed number, says that there is no largest.
const Unbounded = -1

// A Number is a cell with the least and the most that a cost comes to.
type Number struct {
	Cost string // of the protocol, by name
	When string // the conditions it is printed for, in a few words: "one process asks"
	Text string // the cell as it is printed, in short; "" where the text has none
	// Least and Most are the printed formulas, of the row's size, and may come to [Unbounded];
	// nil where the text gives none.
	Least, Most func(size int) int
	// At is the check that the number is found at, by [model.Config.N], of the row's variant unless it
	// names one. Sizes are those of the page
	// and More those that take longer, both in ascending order.
	At          func(n int) model.Check
	Sizes, More []int
	// Differs says in a sentence why the number is known to differ from what is printed; ""
	// where it agrees.
	Differs string
}

// A Property is a cell with a yes or a no.
type Property struct {
	Name   string   // as the text has it: "safety"
	When   string   // the conditions, in a few words; "" where the row has no others
	Text   string   // the cell as it is printed; "" where the text has none
	Holds  bool     // what it says
	Claims []string // of the protocol, by name: the property holds where they all do
	Check  model.Check
	// Also are further checks, as of other sizes: the property holds where it does at all, and
	// the first at which it does not is told. More are those that take longer.
	Also, More []model.Check
	Differs    string // as in a Number
}

// A Problem is something that the text says goes wrong with the protocol, and the check
// at which a claim is violated by it.
type Problem struct {
	Text  string // the sentence, in short
	Claim string
	Check model.Check
}

// Validate says in a sentence what is wrong with a row, or nil.
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
		if err := c.claimed(p.Claims...); err != nil {
			return fmt.Errorf("%s: %s: %w", at, p.Name, err)
		}
	}
	for _, p := range c.Problems {
		if err := c.claimed(p.Claim); err != nil {
			return fmt.Errorf("%s: %s: %w", at, p.Text, err)
		}
	}
	return nil
}

// claimed says which of some claims the protocol does not make, or nil.
func (c *Comparison) claimed(names ...string) error {
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
