package schedule

import (
	"fmt"
	"slices"
)

// A Deviation is a choice that is not the usual one.
type Deviation struct {
	Kind      Kind `json:"-"`
	Goroutine int  `json:"goroutine,omitempty"` // at a point
	Turn      int  `json:"turn"`                // the number of the point among those of its goroutine, or of the choice among those of its kind; from 0
	Take      int  `json:"take"`                // the goroutine that runs, Time, or the place of the case among those that are ready
}

// key is where a deviation is.
func (d Deviation) key() Deviation { d.Take = 0; return d }

// Deviations are those of a run, in their order.
func (r *Run) Deviations() (all []Deviation) {
	for _, c := range r.Choices {
		if c.Took == 0 || c.Forced {
			continue
		}
		d := Deviation{Kind: c.Kind, Goroutine: int(c.Goroutine), Turn: int(c.Turn), Take: int(c.Next)}
		if c.Kind == Case {
			d.Take = int(c.Took)
		}
		all = append(all, d)
	}
	return all
}

// Guided takes the usual options but for some deviations. Those that cannot be taken are left out.
func Guided(all []Deviation) Scheduler {
	g := guided{}
	for _, d := range all {
		g[d.key()] = d.Take
	}
	return g
}

type guided map[Deviation]int

func (g guided) Choose(c *Choice) int {
	key := Deviation{Kind: c.Kind, Turn: c.Turn}
	if c.Kind == Point {
		key.Goroutine = c.Goroutines[0]
	}
	take, is := g[key]
	switch {
	case !is:
		return 0
	case c.Kind == Case:
		return min(take, c.Of-1)
	}
	return max(slices.Index(c.Goroutines, take), 0)
}

// String says in words what a deviation is.
func (d Deviation) String() string {
	switch d.Kind {
	case Point:
		if d.Take == Time {
			return fmt.Sprintf("the next timer fires before goroutine %d passes its point %d", d.Goroutine, d.Turn+1)
		}
		return fmt.Sprintf("goroutine %d is preempted at its point %d and goroutine %d runs", d.Goroutine, d.Turn+1, d.Take)
	case Pick:
		return fmt.Sprintf("at the free choice %d goroutine %d runs", d.Turn+1, d.Take)
	}
	return fmt.Sprintf("at the select statement %d the ready case %d is taken", d.Turn+1, d.Take+1)
}
