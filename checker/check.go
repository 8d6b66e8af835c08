package checker

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"contend/checker/plan"
	"contend/checker/record"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/model"
	"contend/model/wrapped"
	"contend/traces"
)

// Reductions are the names that [Options.Reduce] takes.
var Reductions = []string{"symmetry", "clients", "stale", "merging"}

// Check decides the claims of one check and returns its rows, one for each search: see searchRows.
// The error is bad input: a sentence that names field and rule.
func Check(p *model.Protocol, c model.Check, opt Options) ([]*Row, error) {
	planned := plan.New
	if opt.From != nil {
		planned = plan.Continued
	}
	pl, err := planned(p, c)
	if err != nil {
		return nil, err
	}
	return Decide(pl, opt)
}

// Decide is [Check] for a check that is planned. With [Options.From] it is planned by [plan.Continued].
func Decide(pl *plan.Plan, opt Options) ([]*Row, error) {
	if err := Refuse(pl, opt); err != nil {
		return nil, err
	}
	for _, r := range opt.Reduce {
		if !slices.Contains(Reductions, r) {
			return nil, fmt.Errorf("reduce: %q is not one of %s, none", r, strings.Join(Reductions, ", "))
		}
	}
	var rows []*Row
	for _, one := range pl.Rows {
		some, err := decideRow(one, opt)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	rows = gathered(rows)
	for _, row := range rows {
		recognise(pl.Protocol, row)
		if pl.Note != "" {
			row.Notes = append(row.Notes, pl.Note)
		}
	}
	return rows, nil
}

// decideRow samples a row, or searches for its claims.
func decideRow(of *plan.Row, opt Options) ([]*Row, error) {
	if of.Check.Schedules == 0 {
		return searchRows(of, opt)
	}
	row, err := sampleRow(of, opt)
	return []*Row{row}, err
}

// gathered puts claims that are not claimed, when nothing else is in their row, into the first row
// that there is beside it: a row of its own stands only where nothing at all was put to the test. They may have been searched for,
// as goals that no run can reach are: what that search called stays known.
func gathered(rows []*Row) []*Row {
	if len(rows) < 2 || rows[0].Limit.Code != NothingClaimed {
		return rows
	}
	rows[1].Claims = append(rows[0].Claims, rows[1].Claims...)
	for name, ran := range rows[0].Handlers {
		if rows[1].Handlers == nil {
			rows[1].Handlers = map[string]bool{}
		}
		rows[1].Handlers[name] = rows[1].Handlers[name] || ran
	}
	return rows[1:]
}

// Refuse says in a sentence why a check cannot be made with these options, or nil: of some no
// checkpoints are kept, such as a search for a claim that is decided on the graph of all states, and a search in dense time does not read every fault.
func Refuse(pl *plan.Plan, opt Options) error {
	if opt.From != nil {
		if err := opt.From.refuse(pl); err != nil {
			return err
		}
	}
	if _, err := identities(pl, opt); err != nil {
		return err
	}
	if pl.Check.Reading != model.Dense || pl.Check.Schedules > 0 {
		return nil
	}
	return search.RefuseUndense(pl.System)
}

// newRow starts a row for one that is planned.
func newRow(of *plan.Row) *Row {
	p, c, s := of.Protocol, of.Check, of.System
	row := &Row{
		Schema: 1, Protocol: p.Name, Variant: c.Variant, Config: configJSON(p, s.Config), Faults: s.Faults,
		Assumes: []string{}, Cut: map[string]int64{}, Time: c.Reading.String(), Reductions: []string{}, Claims: []ClaimResult{},
		Command: command(p, c, s), Seed: "0",
		Notes: wrapped.Escapes(s),
	}
	switch {
	case c.Reading == model.Untimed:
	case s.Synchronous():
		row.Assumes = append(row.Assumes, string(model.Synchronous))
	case s.StableFromStart:
		row.Assumes = append(row.Assumes, string(model.StableFromStart))
	}
	for _, claim := range of.Claims {
		if claim.Unclaimed != "" {
			res := result(claim.Claim)
			res.Verdict, res.Text = NotClaimed, claim.Unclaimed
			row.Claims = append(row.Claims, res)
		}
	}
	return row
}

// passOver writes beside each verdict what its claim assumes and the row does not meet, where the
// claim was put to the test all the same.
func passOver(row *Row, of *plan.Row) {
	for i := range row.Claims {
		res := &row.Claims[i]
		at := slices.IndexFunc(of.Claims, func(c plan.Claim) bool { return c.Name == res.Name })
		if at < 0 || res.Verdict == NotClaimed {
			continue
		}
		for _, a := range of.Claims[at].Unmet {
			res.Unmet = append(res.Unmet, string(a))
		}
	}
}

func result(c model.Claim) ClaimResult {
	r := ClaimResult{Name: c.Name, Kind: c.Kind.String(), Source: c.Source}
	if c.Kind == model.AlmostSurely {
		r.Against = c.Against.String()
	}
	return r
}

// header starts the trace of a violation.
func header(of *plan.Row, watched []model.Claim, claim, text string) traces.Trace {
	t := traces.New(of.Protocol, of.Check.Variant, of.System.Config, of.Check.Reading != model.Untimed, claim, model.Printable(text))
	for _, w := range watched {
		t.Watched = append(t.Watched, w.Name)
	}
	return t
}

// overall draws a row's verdict from its claims'.
func overall(row *Row) {
	row.Verdict = Holds
	if !row.tested() {
		row.Verdict, row.Limit = Inconclusive, decide.Limited(NothingClaimed)
		return
	}
	for _, c := range row.Claims {
		switch {
		case c.Verdict == Violated:
			row.Verdict = Violated
			return
		case c.Verdict == Inconclusive:
			row.Verdict = Inconclusive
		}
	}
	if !row.Limit.None() && row.Verdict == Holds {
		row.Verdict = Inconclusive
	}
}

// tested reports whether any claim of a row was put to the test.
func (r *Row) tested() bool {
	return slices.ContainsFunc(r.Claims, func(c ClaimResult) bool { return c.Verdict != NotClaimed })
}

// recognise marks the violations of a row that are recorded findings. Two things are violations
// of their own, since either the protocol or the record is wrong: a finding whose kept trace does
// not reproduce, and a claim that holds at the very configuration of that trace.
func recognise(p *model.Protocol, row *Row) {
	for i := range row.Claims {
		c := &row.Claims[i]
		if c.Verdict == NotClaimed || len(c.Unmet) > 0 {
			continue
		}
		for _, f := range p.Findings {
			if f.Claim != c.Name || f.Variant != row.Variant {
				continue
			}
			kept, err := record.Reproduce(p, f)
			if err != nil {
				c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s does not reproduce: %v", f.Name, err)
				break
			}
			mark(p, row, c, f, kept)
		}
	}
}

// mark says of a claim's result what the record of a finding makes of it.
func mark(p *model.Protocol, row *Row, c *ClaimResult, f model.Finding, kept *traces.Trace) {
	is, least := row.Config.Config, p.Spelled(kept.Config.Model())
	is.Faults = row.Faults
	is = p.Spelled(is)
	switch expected := record.Covers(is, f, least); {
	case c.Verdict == Violated && expected:
		c.Finding, c.Unrecorded = f.Name, ""
	case c.Verdict == Violated && c.Finding == "":
		c.Unrecorded = f.Name
	case c.Verdict == Holds && is.Matches(least) && least.Matches(is) && kept.Timed() == (row.Time != model.Untimed.String()):
		c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s says that it breaks in this configuration, but it holds", f.Name)
	case c.Verdict == Holds && expected:
		c.excused = f.Name
	}
}

// Reproduce replays the kept trace of a finding.
func Reproduce(p *model.Protocol, f model.Finding) error {
	_, err := record.Reproduce(p, f)
	return err
}

// clock is where seconds in rows come from.
func clock(start time.Time) float64 { return time.Since(start).Seconds() }
