package compare

import (
	"contend/checker"
	"contend/lab/oracle"
	"contend/model"
)

// A Tally counts comparisons.
type Tally struct {
	Systems       int // drawn
	Compared      int // of these; the others are too large for brute force
	Resumed       int // searches resumed from a checkpoint
	Rows          map[Row]*Count
	Costs         Costs
	Disks         Disks          // including skipped systems
	Features      map[string]int // number of compared systems by feature
	Disagreements []*Comparison
}

// A Row is a key of counts.
type Row struct {
	Kind    model.Kind
	Reading model.Reading
}

// A Count counts the verdicts on claims of a row, one for each search of a system.
type Count struct {
	Claims        int // claims of searches
	Decided       int // of these, holding or violated
	Holds         int // of these, holding
	Inconclusive  int // without a verdict of the search
	Missed        int // of these, decided by brute force
	Disagreements int
}

// NewTally returns a tally with zeros.
func NewTally() *Tally {
	t := &Tally{Rows: map[Row]*Count{}, Features: map[string]int{}}
	for _, r := range Rows() {
		t.Rows[r] = &Count{}
	}
	return t
}

// Rows returns all rows in order.
func Rows() []Row {
	var rows []Row
	for kind := model.Always; kind <= model.AlmostSurely; kind++ {
		for reading := model.Untimed; reading <= model.Dense; reading++ {
			rows = append(rows, Row{kind, reading})
		}
	}
	return rows
}

// Add adds a comparison.
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
