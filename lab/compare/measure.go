package compare

import (
	"fmt"

	"contend/checker"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

// Measured is the feature of a cost whose numbers the interpreter confirmed.
const Measured = "a cost is measured"

// Costs counts compared costs.
type Costs struct {
	Compared int // both numbers confirmed by the interpreter
	Spread   int // of these, with different numbers
	None     int // no run has a number
	Open     int // a number was not confirmed, or a limit was reached
	Skipped  int // too large for brute force
}

func (n *Costs) add(m Costs) {
	n.Compared += m.Compared
	n.Spread += m.Spread
	n.None += m.None
	n.Open += m.Open
	n.Skipped += m.Skipped
}

// costSetting returns the search of a cost.
func costSetting(seed uint64) setting {
	set := setting{name: "all reductions", opt: checker.Options{Workers: 1 + int(seed/2%2)}}
	if seed%2 == 0 {
		set = setting{name: "no reductions", opt: checker.Options{Workers: 1, Reduce: []string{}}}
	}
	set.opt.MaxStates, set.opt.Timeout = searched, patience
	return set
}

// measure compares the least and the most of a cost.
func (c *Comparison) measure(it random.Case, cost *model.Cost, limit int, set setting) {
	problem := func(format string, args ...any) {
		c.Problems = append(c.Problems, fmt.Sprintf("seed %d (%s; %s), cost %s: ", c.Seed, c.About, set.name, cost.Name)+fmt.Sprintf(format, args...))
	}
	want, none, failed, err := oracle.Measure(it.System, cost, it.Reading, limit)
	if err != nil {
		c.Costs.Skipped++
		return
	}
	p := protocol(it)
	p.Costs = []*model.Cost{cost}
	row, err := checker.FindCost(p, cost, model.Check{Reading: it.Reading, Config: model.Config{Faults: it.System.Faults}}, set.opt)
	switch {
	case err != nil:
		problem("the search ends with: %v", err)
		return
	case row.Limit.Code == checker.Internal:
		problem("%s", row.Limit)
		return
	case failed && row.Complete:
		problem("the search is complete, but a handler fails")
	case none && row.Least != nil && row.Least.Confirmed:
		problem("the search says %v, but brute force comes to no number", row.Least)
	case !none && row.Least == nil && row.Limit.None():
		problem("the search comes to no number, brute force to %d", want.Least)
	}
	switch {
	case none:
		c.Costs.None++
	case row.Least == nil || !row.Least.Confirmed || !row.Most.Confirmed:
		c.Costs.Open++
	default:
		c.feature(Measured)
		c.Costs.Compared++
		if want.Least < want.Most {
			c.Costs.Spread++
		}
		for _, x := range []struct {
			got  *checker.Reading
			want int
		}{{row.Least, want.Least}, {row.Most, want.Most}} {
			if right := reading(cost, x.want); x.got.String() != right.String() {
				problem("%v, but brute force says %v", x.got, right)
			}
		}
	}
}

// reading returns a number in the search's form.
func reading(cost *model.Cost, n int) *checker.Reading {
	if n > cost.Largest() {
		return &checker.Reading{Number: cost.Largest(), More: true}
	}
	return &checker.Reading{Number: n}
}
