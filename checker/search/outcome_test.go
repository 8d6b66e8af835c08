package search

import (
	"fmt"
	"testing"

	"contend/checker/search/decide"
	"contend/model"
)

// What tests ask of a result, by the places of claims.

func (r *Result) violation(claim int) (c Candidate, violated bool) {
	if is := r.Claims[claim].Violated; is != nil {
		return *is, true
	}
	return c, false
}

func (r *Result) broken(claim int) Candidate {
	c, _ := r.violation(claim)
	return c
}

func each[V comparable](r *Result, of func(o *Outcome) V) map[int]V {
	var none V
	all := map[int]V{}
	for i := range r.Claims {
		if v := of(&r.Claims[i]); v != none {
			all[i] = v
		}
	}
	return all
}

func (r *Result) open() map[int]string {
	return each(r, func(o *Outcome) string { return o.Limit.String() })
}
func (r *Result) disputes() map[int]string {
	return each(r, func(o *Outcome) string { return o.Disputed })
}
func (r *Result) spurious() map[int]int { return each(r, func(o *Outcome) int { return o.Spurious }) }
func (r *Result) reached() map[int]bool { return each(r, func(o *Outcome) bool { return o.Reached }) }
func (r *Result) witnessed() map[int]bool {
	return each(r, func(o *Outcome) bool { return o.Witnessed })
}
func (r *Result) costs() map[int]Extremes {
	return each(r, func(o *Outcome) (e Extremes) {
		if o.Cost != nil {
			e = *o.Cost
		}
		return e
	})
}

// What an outcome says for certain precedes what it leaves open, and that precedes what stopped the search.
func TestPrecedence(t *testing.T) {
	cut, late := decide.Limited(decide.Cut), decide.Limited(Timeout)
	broken := &Candidate{}
	for _, c := range []struct {
		name    string
		kind    model.Kind
		outcome Outcome
		stopped decide.Limit
		state   State
		limit   decide.Limit
	}{
		{"violated", model.Always, Outcome{Violated: broken, Limit: cut, Tested: Tested{Spurious: 1, Disputed: "so"}}, late, Violated, decide.Limit{}},
		{"a goal", model.Sometimes, Outcome{Limit: cut, Tested: Tested{Reached: true, Spurious: 1, Disputed: "so"}}, late, Holds, decide.Limit{}},
		{"disputed", model.Always, Outcome{Limit: cut, Tested: Tested{Spurious: 1, Disputed: "so"}}, late, Open, decide.Limit{Code: Internal, Detail: "so"}},
		{"spurious", model.Always, Outcome{Limit: cut, Tested: Tested{Spurious: 1}}, late, Open, decide.Limited(decide.StrictBound)},
		{"limited", model.Sometimes, Outcome{Limit: cut}, late, Open, cut},
		{"limited in a complete search", model.Sometimes, Outcome{Limit: cut, Tested: Tested{Witnessed: true}}, decide.Limit{}, Open, cut},
		{"stopped", model.Always, Outcome{Tested: Tested{Witnessed: true}}, late, Open, late},
		{"a goal that is stopped", model.Sometimes, Outcome{}, late, Open, late},
		{"a goal that no run reaches", model.Sometimes, Outcome{}, decide.Limit{}, Unreached, decide.Limit{}},
		{"holds", model.Always, Outcome{Tested: Tested{Witnessed: true}}, decide.Limit{}, Holds, decide.Limit{}},
		{"untested", model.Always, Outcome{}, decide.Limit{}, Untested, decide.Limit{}},
	} {
		r := newResult(1)
		r.Claims[0], r.Limit, r.Complete = c.outcome, c.stopped, c.stopped.None()
		if state, limit := r.Verdict(0, c.kind); state != c.state || limit != c.limit {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, state, limit, c.state, c.limit)
		}
	}
	r := newResult(1)
	if r.Complete = true; len(r.Violated()) > 0 {
		t.Errorf("violated %v", r.Violated())
	}
	if state, _ := r.Verdict(1, model.Always); state != Holds {
		t.Errorf("that no handler fails is %v, want that it holds untested", state)
	}
}

// findings are what a result says of a system and its claims.
func findings(r *Result) string {
	steps := map[int]string{}
	for _, claim := range r.Violated() {
		c := r.Claims[claim].Violated
		steps[claim] = fmt.Sprint(c.Text, c.Steps)
	}
	return fmt.Sprint(r.States, r.Transitions, r.Widths, r.Complete, r.Cut, steps, r.witnessed(), r.reached(), r.open(), r.disputes(), r.costs())
}
