package compare

import (
	"contend/checker"
	"contend/lab/oracle"
	"contend/model"
)

// A Tally counts comparisons.
type Tally struct {
	Systems       int // drawn
	Compared      int // of them: the others are too large for brute force
	Resumed       int // searches that were stopped and went on from a checkpoint
	Rows          map[Row]*Count
	Costs         Costs
	Disks         Disks          // those beside systems that are too large included
	Features      map[string]int // by name, how many of the compared systems have it
	Disagreements []*Comparison
}

// A Row is what claims are counted by.
type Row struct {
	Kind    model.Kind
	Reading model.Reading
}

// A Count counts the verdicts on claims of a kind in a reading, one for each way in which
// a system was searched.
type Count struct {
	Claims        int // that the search was put to
	Decided       int // by the search: it holds, or is violated
	Holds         int // of these, those that hold
	Inconclusive  int // the search comes to no verdict
	Missed        int // of these, those that brute force decides
	Disagreements int
}

// NewTally counts from zero.
func NewTally() *Tally {
	t := &Tally{Rows: map[Row]*Count{}, Features: map[string]int{}}
	for _, r := range Rows() {
		t.Rows[r] = &Count{}
	}
	return t
}

// Rows lists the kinds and readings, in order.
func Rows() []Row {
	var rows []Row
	for kind := model.Always; kind <= model.AlmostSurely; kind++ {
		for reading := model.Untimed; reading <= model.Dense; reading++ {
			rows = append(rows, Row{kind, reading})
		}
	}
	return rows
}

// Add counts a comparison.
func (t *Tally) Add(c *Comparison) {
	t.Systems++
	t.Disks.Add(c.Disks)
	if len(c.Problems) > 0 {
		t.Disagreements = append(t.Disagreements, c)
	}
	if c.Skipped != "" {
		return
	}
	t.Compared++
	t.Resumed += c.Resumed
	t.Costs.add(c.Costs)
	for _, name := range c.Features {
		t.Features[name]++
	}
	for _, claim := range c.Claims {
		t.Rows[Row{claim.Kind, claim.Reading}].add(claim)
	}
}

func (n *Count) add(c Claim) {
	switch c.Verdict {
	case checker.NotClaimed:
		return
	case checker.Inconclusive:
		n.Inconclusive++
		if c.Truth == oracle.Holds || c.Truth == oracle.Violated {
			n.Missed++
		}
	case checker.Holds:
		n.Holds++
		n.Decided++
	default:
		n.Decided++
	}
	n.Claims++
	if !c.Agrees() {
		n.Disagreements++
	}
}
