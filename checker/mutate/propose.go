package mutate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"contend/checker/mutate/driver"
	"contend/checker/verdict"
)

// Limits of candidates: the states and the time of a candidate without a mutant; the candidates that catch a mutant,
// behind which no more are tried on it; the steps that are spent on a mutant, counted without it; and the steps that
// count as a second when candidates are compared.
const (
	candidateStates = 8_000
	candidateTime   = 3 * time.Second
	enoughKillers   = 5
	enoughSteps     = 300_000
	stepsPerSecond  = 50_000
)

// propose returns rows that no protocol lists and that catch mutants that no cheap row catches. Tried has the
// mutants tried against the listed rows.
func (b *bench) propose(program string, rows []*baseline, tried []*Tried) ([]*baseline, error) {
	targets := b.targets(tried)
	if b.opt.Propose == 0 || len(targets) == 0 || b.ctx.Err() != nil {
		return nil, nil
	}
	all, err := b.candidates(program, rows)
	if err != nil {
		return nil, err
	}
	found := make([]map[*baseline]bool, len(targets))
	at := map[*Tried]int{}
	for i, m := range targets {
		at[m] = i
	}
	b.tryAll(targets, func(_ int, m *Tried) { found[at[m]] = b.killers(program, all, m, enoughKillers, enoughSteps) })
	chosen := needed(all, targets, found)
	b.complete(program, chosen, slices.Concat(tried, targets))
	return chosen, nil
}

// targets returns the mutants that a proposed row may be for: those that no row catches or even runs, and those that
// only larger rows than candidates catch.
func (b *bench) targets(tried []*Tried) (all []*Tried) {
	for _, m := range b.report.Mutants {
		cheap := slices.ContainsFunc(slices.Collect(maps.Keys(m.killers)), func(r *baseline) bool { return r.States <= candidateStates })
		switch {
		case slices.Contains(tried, m) && m.Outcome != Untried && !cheap:
			all = append(all, m)
		case m.Outcome == Unreached || m.Outcome == Unused:
			if b.opt.Sample == 0 && b.selected(m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// candidates checks candidates without a mutant, and returns those of which a claim is decided and none violated, the
// smallest first. Rows has the listed ones.
func (b *bench) candidates(program string, rows []*baseline) (all []*baseline, err error) {
	listed := func(a driver.Answer) bool {
		return slices.ContainsFunc(rows, func(r *baseline) bool { return r.Bounds == a.Bounds })
	}
	described, err := b.descriptions(program, "-candidates", strconv.Itoa(b.opt.Propose))
	if err != nil {
		return nil, err
	}
	type size struct {
		name          string
		states, steps int64
		reaches       int
	}
	met := map[size]bool{}
	for i, a := range described {
		if b.ctx.Err() != nil {
			break
		}
		if listed(a) {
			continue
		}
		b.progress("checking candidates", i, len(described))
		row, err := b.candidate(program, a)
		if err != nil {
			return nil, err
		}
		if row == nil || met[size{row.Name, row.States, row.Steps, len(row.reaches)}] {
			continue
		}
		met[size{row.Name, row.States, row.Steps, len(row.reaches)}] = true
		all = append(all, row)
	}
	slices.SortStableFunc(all, func(a, b *baseline) int { return int(a.Steps - b.Steps) })
	return all, nil
}

// candidate checks a candidate, and once more without claims that cannot be decided. It returns nil if the candidate
// is too large, decides nothing, or violates a claim; the report notes such a claim.
func (b *bench) candidate(program string, a driver.Answer) (*baseline, error) {
	a.Row.MaxStates, a.Row.Timeout = candidateStates, candidateTime
	for range 2 {
		row, why, err := b.baseline(program, a)
		if err != nil || why != "" || row.Limit != "" {
			return nil, err
		}
		claims, violated := decided(row.Answer)
		if violated != "" {
			b.noteViolated(row, violated)
			return nil, nil
		}
		if len(claims) == len(row.Claims) {
			return row, nil
		}
		if len(claims) == 0 {
			return nil, nil
		}
		given := *a.Row.Given
		given.Claims = claims
		a.Row.Given = &given
	}
	return nil, nil
}

// noteViolated notes a candidate that violates a claim without a mutant: the smallest of each variant and claim.
func (b *bench) noteViolated(row *baseline, claim string) {
	key := row.Name + ": " + claim
	if b.violated == nil {
		b.violated = map[string]bool{}
	}
	if !b.violated[key] {
		b.violated[key] = true
		b.report.Notes = append(b.report.Notes, fmt.Sprintf("not proposed: %s violates %q", command(row.Answer), claim))
	}
}

// decided returns the claims that a row puts to the test and decides. A claim that something happens
// sometimes is not violated where the configuration is too small for it. Violated is a claim that is violated, or "".
func decided(a driver.Answer) (claims []string, violated string) {
	for _, c := range a.Claims {
		switch {
		case c.Verdict == string(verdict.Violated) && c.Kind == "sometimes":
		case c.Verdict == string(verdict.Violated) && (c.Finding == "" || c.Lost):
			violated = c.Name
		case c.Limit == "" && c.Verdict != string(verdict.NotClaimed) && c.Tested:
			claims = append(claims, c.Name)
		}
	}
	return claims, violated
}

// killers returns the rows that catch a mutant, the smallest first: at most enough, found in rows of at most so many steps
// in all.
func (b *bench) killers(program string, rows []*baseline, m *Tried, enough int, most int64) map[*baseline]bool {
	t := &trial{bench: b, program: program, mutant: m.Mutant}
	defer t.close()
	all, steps := map[*baseline]bool{}, int64(0)
	for _, row := range rows {
		if !row.reaches[m.Number] {
			continue
		}
		if steps += row.Steps; steps > most {
			break
		}
		tried, known := t.try(row, row.stopping())
		if !known {
			break
		}
		if tried.Outcome == Caught {
			all[row] = true
		}
		if len(all) == enough || tried.By == stuck {
			break
		}
	}
	return all
}

// needed returns the rows of a cover of the targets.
func needed(rows []*baseline, targets []*Tried, found []map[*baseline]bool) (chosen []*baseline) {
	all, of := []*Choice{}, map[*Choice]*baseline{}
	for _, r := range rows {
		c := &Choice{Row: r.row(), steps: r.Steps}
		c.Seconds = float64(r.Steps) / stepsPerSecond // times differ from run to run, and so would the proposed rows
		for i, m := range targets {
			if found[i][r] {
				c.Kills = append(c.Kills, m)
			}
		}
		all, of[c] = append(all, c), r
	}
	for _, c := range cover(all) {
		chosen = append(chosen, of[c])
	}
	return chosen
}

// complete tries proposed rows on all mutants.
func (b *bench) complete(program string, proposed []*baseline, mutants []*Tried) {
	seen, all := map[*Tried]bool{}, []*Tried(nil)
	for _, m := range mutants {
		if !seen[m] && m.Outcome != Untried {
			seen[m], all = true, append(all, m)
		}
	}
	var mu sync.Mutex
	killers := map[*Tried]map[*baseline]bool{}
	b.tryAll(all, func(_ int, m *Tried) {
		found := b.killers(program, proposed, m, len(proposed), math.MaxInt64)
		mu.Lock()
		defer mu.Unlock()
		killers[m] = found
	})
	for m, rows := range killers {
		if m.killers == nil {
			m.killers = map[*baseline]bool{}
		}
		maps.Copy(m.killers, rows)
	}
}
