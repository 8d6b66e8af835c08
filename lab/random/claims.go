package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// A sequence waits for some observations in order, possibly with others in between. Its goal is reached when
// the last comes. If late is set, the goal is not reached after its alarm.
type sequence struct {
	want   []int
	window model.Window
	late   bool
	broken bool // the complete sequence breaks the claim

	At   int
	Rung bool
}

func (s *sequence) Observe(w model.Watch, o model.Observation) {
	if s.At == len(s.want) || s.Rung || observedNumber(o) != s.want[s.At] {
		return
	}
	w.Witness()
	if s.At++; s.At == 1 && s.late {
		w.After("late", s.window)
	}
	if s.At == len(s.want) && s.broken {
		w.Violate("%v comes as the last of %v", o.Value, s.want)
	}
}

func (s *sequence) Expire(model.Watch, any) { s.Rung = s.At < len(s.want) }
func (s *sequence) Reached() bool           { return s.At == len(s.want) }

// observedNumber returns an observation as a number: a noted or delivered number, or the kind from 10 on.
func observedNumber(o model.Observation) int {
	if o.Kind == model.Noted || o.Kind == model.Delivered {
		if n, ok := o.Value.(int); ok {
			return n
		}
		return 2 // a name
	}
	return 10 + int(o.Kind)
}

// An ower has an unreached goal from one observation to another.
type ower struct {
	from, to int

	Owes bool
}

func (x *ower) Observe(_ model.Watch, o model.Observation) {
	switch observedNumber(o) {
	case x.from:
		x.Owes = true
	case x.to:
		x.Owes = false
	}
}

func (x *ower) Reached() bool { return !x.Owes }

// observed draws the observation that a monitor waits for.
func observed(r *rand.Rand) int {
	if r.IntN(3) == 0 {
		return 10 + r.IntN(int(model.Crashed)+1)
	}
	return r.IntN(3)
}

// claims draws claims of all kinds, mostly with a claim that continues the search after the others are
// violated.
func claims(r *rand.Rand, reading model.Reading) []model.Claim {
	m := mixture{open: reading != model.Untimed && r.IntN(2) == 0}
	kinds := []model.Kind{
		model.Always, model.Always, model.Sometimes, model.Eventually, model.PossibleFromEverywhere, model.Linearizable, model.AlmostSurely,
	}
	switch reading {
	case model.Untimed:
		kinds = kinds[:6] // coins are drawn in time
	case model.Dense:
		kinds = append(kinds, model.Always, model.Always, model.Sometimes, model.Sometimes, model.Linearizable)
	}
	var list []model.Claim
	for i := range 1 + r.IntN(3) {
		c := m.claim(r, kinds[r.IntN(len(kinds))])
		c.Name = fmt.Sprintf("%d %v", i, c.Kind)
		list = append(list, c)
	}
	if r.IntN(4) > 0 {
		list = append(list, model.Claim{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }})
	}
	return list
}

// claim draws a claim of a kind.
func (m mixture) claim(r *rand.Rand, kind model.Kind) model.Claim {
	c := model.Claim{Kind: kind}
	if kind == model.AlmostSurely {
		c.Against = model.Adversary(r.IntN(3))
	}
	switch way := r.IntN(6); {
	case kind == model.Linearizable:
		c.Object = rising(r.IntN(2) == 0)
	case way < 2:
		c.Done = true
	case way == 2 && kind == model.Always:
		c.Invariant = maximum(1 + r.IntN(2))
	case way == 3 && kind == model.Always:
		p := pacer{window: m.window(r), length: model.Bound{At: model.Ticks(r.IntN(2)), Open: r.IntN(2) == 0}, holds: m.open}
		c.Monitor = func(*model.System) model.Monitor { q := p; return &q }
	case way == 3 && kind != model.Sometimes:
		o := ower{from: observed(r), to: observed(r)}
		c.Monitor = func(*model.System) model.Monitor { q := o; return &q }
	default:
		s := sequence{window: m.window(r), late: r.IntN(3) == 0, broken: kind == model.Always}
		for range 1 + r.IntN(2) {
			s.want = append(s.want, observed(r))
		}
		c.Monitor = func(*model.System) model.Monitor { q := s; return &q }
	}
	return c
}

// maximum returns an invariant that no node's state reaches a number.
func maximum(most int) func(nodes []model.Node) error {
	return func(nodes []model.Node) error {
		for i, n := range nodes {
			at := 0
			switch n := n.(type) {
			case *ticker:
				at = n.State
			case *machine:
				at = n.State
			case *keeper:
				at = n.Grants
			}
			if at >= most {
				return fmt.Errorf("node %d is at %d", i, at)
			}
		}
		return nil
	}
}

// rising returns an object whose operations return numbers in ascending order, or lists of such lengths.
func rising(strictly bool) model.Object {
	return model.Object{Name: "rising", Init: 0, Types: []any{list{}}, Step: func(state any, _ model.NodeID, op any) []model.Effect {
		if op != (call{}) {
			return []model.Effect{{State: state}}
		}
		var effects []model.Effect
		for n := state.(int); n <= 4; n++ {
			next := n
			if strictly {
				next++
			}
			effects = append(effects, model.Effect{State: next, Result: n}, model.Effect{State: next, Result: list{make([]int, n)}})
		}
		return effects
	}}
}
