package checker

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"contend/checker/judge"
	"contend/checker/plan"
	"contend/checker/record"
	"contend/checker/search"
	"contend/model"
	"contend/model/wrapped"
	"contend/traces"
)

// Reductions are the names that [Options.Reduce] takes.
var Reductions = []string{"symmetry", "clients", "stale", "merging"}

// Check decides the claims of one check and returns its rows, one for each search: see searches.
// The error is bad input: a sentence that names field and rule.
func Check(p *model.Protocol, c model.Check, opt Options) ([]*Row, error) {
	claims, err := plan.Claims(p, c.Claims)
	if err != nil {
		return nil, err
	}
	if err := Refuse(p, c, opt); err != nil {
		return nil, err
	}
	for _, r := range opt.Reduce {
		if !slices.Contains(Reductions, r) {
			return nil, fmt.Errorf("reduce: %q is not one of %s, none", r, strings.Join(Reductions, ", "))
		}
	}
	if c.Schedules > 0 {
		row, err := sampleRow(p, c, claims, opt)
		if err != nil {
			return nil, err
		}
		recognise(p, row)
		return []*Row{row}, nil
	}
	var rows []*Row
	for _, search := range searches(p, c, claims, opt) {
		some, err := searchRows(search, p, opt)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	rows = gathered(rows)
	for _, row := range rows {
		recognise(p, row)
	}
	return rows, nil
}

// gathered puts claims that are not claimed, when nothing else is in their row, into the first row
// that there is beside it: a row of its own stands only where nothing at all was put to the test. They may have been searched for,
// as goals that no run can reach are: what that search called stays known.
func gathered(rows []*Row) []*Row {
	if len(rows) < 2 || rows[0].Limit != NothingClaimed {
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

// Claimed reports whether a check puts a claim to the test: one that its protocol, or its variant,
// makes, and whose assumptions it meets or is told to pass over. It is true of a check that
// cannot be made, which [Check] refuses.
func Claimed(p *model.Protocol, c model.Check) bool {
	claims, err := plan.Claims(p, c.Claims)
	return err != nil || slices.ContainsFunc(claims, func(claim model.Claim) bool { return plan.Searchable(p, c, claim) })
}

// PassesOver reports whether a check puts a claim to the test although it does not meet what the
// claim assumes.
func PassesOver(p *model.Protocol, c model.Check) bool {
	claims, err := plan.Claims(p, c.Claims)
	return err != nil || c.AssumeAnyway && slices.ContainsFunc(claims, func(claim model.Claim) bool {
		without := c
		without.AssumeAnyway = false
		return plan.Searchable(p, c, claim) && !plan.Searchable(p, without, claim)
	})
}

// Refuse says in a sentence why a check cannot be made with these options, or nil: of some no
// checkpoints are kept, such as a search for a claim that is decided on the graph of all states, and a search in dense time does not read every fault.
func Refuse(p *model.Protocol, c model.Check, opt Options) error {
	if opt.From != nil {
		if err := opt.From.refuse(p, c, opt); err != nil {
			return err
		}
	}
	if opt.Checkpoints != "" {
		if _, err := identities(Planned{p, c}, opt); err != nil {
			return err
		}
	}
	if c.Reading != model.Dense || c.Schedules > 0 {
		return nil
	}
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return err
	}
	return search.RefuseUndense(s)
}

// newRow starts a row for a system.
func newRow(p *model.Protocol, c model.Check, s *model.System) *Row {
	row := &Row{
		Schema: 1, Protocol: p.Name, Variant: c.Variant, Config: configJSON(p, s.Config), Faults: s.Faults,
		Assumes: []string{}, Cut: map[string]int64{}, Time: c.Reading.String(), Reductions: []string{}, Claims: []ClaimResult{},
		Command: Command(p, c, s.Config), Seed: "0",
		Notes: wrapped.Escapes(s),
	}
	switch {
	case c.Reading == model.Untimed:
	case s.Synchronous():
		row.Assumes = append(row.Assumes, string(model.Synchronous))
	case s.StableFromStart:
		row.Assumes = append(row.Assumes, string(model.StableFromStart))
	}
	return row
}

// passOver writes beside each verdict what its claim assumes and the row does not meet, where the
// claim was put to the test all the same.
func passOver(row *Row, p *model.Protocol, s *model.System, r model.Reading) {
	variant, _ := p.Variant(row.Variant)
	for i := range row.Claims {
		res := &row.Claims[i]
		if claim, err := p.Claim(res.Name); err == nil && res.Verdict != NotClaimed {
			for _, a := range variant.Made(claim).Unmet(s, r) {
				res.Unmet = append(res.Unmet, string(a))
			}
		}
	}
}

// split separates the claims that a row can judge from those whose assumptions it
// does not meet, which it reports at once.
func split(row *Row, p *model.Protocol, s *model.System, claims []model.Claim, check model.Check) []model.Claim {
	var met []model.Claim
	variant, _ := p.Variant(row.Variant)
	for _, c := range claims {
		if why := plan.Unclaimed(variant, c, s, check); why != "" {
			res := result(c)
			res.Verdict, res.Text = NotClaimed, why
			row.Claims = append(row.Claims, res)
			continue
		}
		met = append(met, c)
	}
	return judge.Watched(met)
}

func result(c model.Claim) ClaimResult {
	r := ClaimResult{Name: c.Name, Kind: c.Kind.String(), Source: c.Source}
	if c.Kind == model.AlmostSurely {
		r.Against = c.Against.String()
	}
	return r
}

// header starts the trace of a violation.
func header(p *model.Protocol, c model.Check, s *model.System, watched []model.Claim, claim, text string) traces.Trace {
	t := traces.New(p, c.Variant, s.Config, c.Reading != model.Untimed, claim, model.Printable(text))
	for _, w := range watched {
		t.Watched = append(t.Watched, w.Name)
	}
	return t
}

// overall draws a row's verdict from its claims'.
func overall(row *Row) {
	row.Verdict = Holds
	if !row.tested() {
		row.Verdict, row.Limit = Inconclusive, NothingClaimed
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
	if row.Limit != "" && row.Verdict == Holds {
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
