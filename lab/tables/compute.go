package tables

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/checker"
	"contend/checker/search/decide"
	"contend/model"
	"contend/model/printed"
)

// Options configure the computation of a table.
type Options struct {
	checker.Options
	More bool // also compute the sizes that take longer
}

// Entries computes a row, and calls emit with each cell. The error is about invalid input, or emit's.
func Entries(c *printed.Comparison, opt Options, emit func(*Entry) error) error {
	if err := c.Validate(); err != nil {
		return err
	}
	for _, n := range c.Numbers {
		if err := emitter(number(c, n, opt))(emit); err != nil {
			return err
		}
	}
	for left := c.Properties; len(left) > 0; {
		n := 1
		if c.Table != nil && c.Table.Matrix {
			n = sameChecks(left)
		}
		entries, err := properties(c, left[:n], opt)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := emit(e); err != nil {
				return err
			}
		}
		left = left[n:]
	}
	for _, p := range c.Problems {
		if err := emitter(problem(c, p, opt))(emit); err != nil {
			return err
		}
	}
	return nil
}

func emitter(e *Entry, err error) func(emit func(*Entry) error) error {
	return func(emit func(*Entry) error) error {
		if err != nil {
			return err
		}
		return emit(e)
	}
}

func newEntry(c *printed.Comparison, kind, name, printed string) *Entry {
	e := &Entry{Schema: 1, Kind: kind, Row: c.Name, Title: c.Title, Protocol: c.Protocol.Name, Variant: c.Variant, Source: c.Source,
		Name: name, Printed: printed, Size: c.Size.Name, Comparison: c}
	if c.Table != nil {
		e.Table = c.Table.Name
	}
	return e
}

// number computes a cell with the least and the most of a cost.
func number(c *printed.Comparison, p printed.Number, opt Options) (*Entry, error) {
	cost, err := c.Protocol.Cost(p.Cost)
	if err != nil {
		return nil, err
	}
	e := newEntry(c, Number, p.Cost, p.Text)
	e.When, e.Unit = p.When, cost.Unit
	sizes := p.Sizes
	if opt.More {
		sizes = slices.Concat(p.Sizes, p.More)
	}
	for _, n := range sizes {
		check := p.At(n)
		check.Variant = cmp.Or(check.Variant, c.Variant)
		row, err := checker.FindCost(c.Protocol, cost, check, opt.Options)
		if err != nil {
			return nil, fmt.Errorf("%s at n = %d: %w", c.Name, n, err)
		}
		e.Points = append(e.Points, point(n, c.Size.At(n), row))
	}
	e.Least, e.Most = e.formulas()
	e.compare(p)
	return e, nil
}

func point(n, size int, row *checker.CostRow) Point {
	p := Point{N: n, Size: size, States: row.States, Command: row.Command, row: row}
	if row.Least != nil {
		least, most := row.Least.Number, row.Most.Number
		p.Least, p.Most, p.More = &least, &most, row.Most.More
	}
	switch {
	case row.Least == nil && row.Limit.None():
		p.Limit = "no run comes to a number"
	case row.Limit.Code == decide.Cut:
		p.Limit, p.Cut = row.Text, true
	case !row.Complete:
		p.Limit = cmp.Or(row.Limit.String(), "unknown")
		if row.Text != "" {
			p.Limit += ": " + row.Text
		}
	}
	return p
}

// compare sets the verdict of a cell. One different number suffices for a difference.
func (e *Entry) compare(p printed.Number) {
	last := e.Points[len(e.Points)-1]
	e.Command = last.Command
	for _, at := range e.Points {
		if r, shows := at.differs(p); r != nil {
			e.Verdict, e.Command, e.Steps, e.Run = Differs, at.Command, r.Steps, r.Run
			e.Shows, e.Why, e.Expected = p.Cost+" "+shows, p.Differs, p.Differs != ""
			return
		}
	}
	e.Expected = p.Differs == ""
	e.Verdict = Agrees
	if p.Least == nil && p.Most == nil {
		e.Verdict = NotPrinted
	}
	for _, at := range e.Points {
		if at.Limit != "" {
			if e.Why = fmt.Sprintf("n = %d: %s", at.N, at.Limit); at.Cut {
				e.Why = fmt.Sprintf("n = %d: of runs up to the cut; %s", at.N, at.Limit)
			}
			if e.Verdict == Agrees || !at.Cut {
				e.Verdict = Inconclusive
			}
			return
		}
	}
}

// differs returns the number that contradicts the printed one, and its name. After an incomplete search, a least number contradicts only if it is too small, a most number only if it is too large.
func (p Point) differs(from printed.Number) (r *checker.Reading, which string) {
	if p.Least == nil {
		return nil, ""
	}
	if from.Least != nil {
		want, have := from.Least(p.Size), *p.Least
		if have < want || have > want && p.Limit == "" {
			return p.row.Least, "least"
		}
	}
	if from.Most != nil {
		want, have := from.Most(p.Size), *p.Most
		switch {
		case want == printed.Unbounded && !p.More && p.Limit == "",
			want != printed.Unbounded && (have > want || p.More || have < want && p.Limit == ""):
			return p.row.Most, "most"
		}
	}
	return nil, ""
}

// sameChecks returns the number of leading properties with the same checks.
func sameChecks(all []printed.Property) int {
	n := 1
	for n < len(all) && reflect.DeepEqual(checks(all[0], true), checks(all[n], true)) {
		n++
	}
	return n
}

// checks returns the checks of a property.
func checks(p printed.Property, more bool) []model.Check {
	all := slices.Concat([]model.Check{p.Check}, p.Also)
	if more {
		all = slices.Concat(all, p.More)
	}
	return all
}

// properties computes the cells of properties with the same checks. Each check decides the properties that no
// earlier one has refuted.
func properties(c *printed.Comparison, all []printed.Property, opt Options) ([]*Entry, error) {
	entries := make([]*Entry, len(all))
	for i, p := range all {
		entries[i] = newEntry(c, Property, p.Name, p.Text)
		entries[i].When = p.When
	}
	for _, check := range checks(all[0], opt.More) {
		if err := decideOpen(c, all, entries, check, opt); err != nil {
			return nil, err
		}
	}
	for i, p := range all {
		entries[i].compareProperty(p)
	}
	return entries, nil
}

// decideOpen decides, at a check, the properties that are not yet refuted.
func decideOpen(c *printed.Comparison, all []printed.Property, entries []*Entry, check model.Check, opt Options) error {
	var names []string
	for i, e := range entries {
		if holds, known := e.holds(); !known || holds {
			names = append(names, all[i].Claims...)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	found, err := search(c, check, slices.Compact(names), opt)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if holds, known := e.holds(); !known || holds {
			e.addClaims(found, all[i].Claims)
		}
	}
	return nil
}

// compareProperty sets the verdict of a property.
func (e *Entry) compareProperty(p printed.Property) {
	holds, known := e.holds()
	e.Command = e.Claims[0].Command
	for _, r := range e.Claims {
		if r.Verdict == checker.Violated {
			e.Command, e.Steps, e.Run, e.Shows = r.Command, r.Steps, r.run, r.Name
		}
	}
	e.Expected = p.Differs == ""
	switch {
	case !known:
		e.Verdict, e.Why = Inconclusive, e.open()
	case holds && !slices.ContainsFunc(e.Claims, func(r Result) bool { return r.witnessed }):
		e.Verdict, e.Why = Inconclusive, "no run put it to the test"
	case p.Text == "":
		e.Verdict = NotPrinted
	case holds == p.Holds:
		e.Verdict = Agrees
	default:
		e.Verdict, e.Why, e.Expected = Differs, p.Differs, p.Differs != ""
	}
}

// problem computes the cell of a problem.
func problem(c *printed.Comparison, p printed.Problem, opt Options) (*Entry, error) {
	e := newEntry(c, Problem, p.Claim, p.Text)
	found, err := search(c, p.Check, []string{p.Claim}, opt)
	if err != nil {
		return nil, err
	}
	e.addClaims(found, []string{p.Claim})
	e.Expected, e.Command, e.Steps = true, e.Claims[0].Command, e.Claims[0].Steps
	switch holds, known := e.holds(); {
	case !known:
		e.Verdict, e.Why = Inconclusive, e.open()
	case holds:
		e.Verdict, e.Expected, e.Why = Differs, false, "no run shows it"
	default:
		e.Verdict, e.Run, e.Shows = Agrees, e.Claims[0].run, p.Claim
	}
	return e, nil
}

// A finding is the result of a search for claims.
type finding struct {
	variant string
	claims  []Result
}

// search decides claims at a check.
func search(c *printed.Comparison, check model.Check, claims []string, opt Options) (*finding, error) {
	check.Claims = claims
	check.Variant = cmp.Or(check.Variant, c.Variant)
	rows, err := checker.Check(c.Protocol, check, opt.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	found := &finding{variant: check.Variant}
	for _, row := range rows {
		for _, r := range row.Claims {
			if r.Limit.Code == checker.Untested {
				r.Verdict = checker.Holds // compareProperty requires one check of the cell that tests the claim
			}
			limit := cmp.Or(r.Text, r.Limit.String())
			if r.Verdict == checker.Violated || r.Verdict == checker.Holds {
				limit = ""
			}
			found.claims = append(found.claims, Result{r.Name, r.Verdict, r.Steps, limit, commandFor(row.Command, r.Name, len(claims)), r.Counterexample, r.Witnessed})
		}
	}
	return found, nil
}

// commandFor returns the command line for one of a search's claims. These are the last arguments.
func commandFor(command, claim string, count int) string {
	if before, _, asks := strings.Cut(command, " --claim "); asks && count > 1 {
		return fmt.Sprintf("%s --claim %q", before, claim)
	}
	return command
}

// addClaims adds the results of some claims, in their order.
func (e *Entry) addClaims(found *finding, claims []string) {
	e.Variant = found.variant
	for _, name := range claims {
		for _, r := range found.claims {
			if r.Name == name {
				e.Claims = append(e.Claims, r)
			}
		}
	}
}

// holds reports whether all claims hold, and whether that is known. One violation decides.
func (e *Entry) holds() (holds, known bool) {
	known = len(e.Claims) > 0
	for _, r := range e.Claims {
		switch r.Verdict {
		case checker.Violated:
			return false, true
		case checker.Holds:
		default:
			known = false
		}
	}
	return known, known
}

// open returns the reason why the claims of a cell are undecided.
func (e *Entry) open() string {
	for _, r := range e.Claims {
		if r.Verdict != checker.Holds {
			return fmt.Sprintf("%s is %s: %s", r.Name, r.Verdict, cmp.Or(r.Limit, "no limit is named"))
		}
	}
	return "no claim was decided"
}
