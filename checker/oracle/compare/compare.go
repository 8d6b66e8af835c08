// Package compare holds the search against brute force, on random systems.
package compare

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"contend/checker"
	"contend/checker/internal/random"
	"contend/checker/oracle"
	"contend/model"
)

// Limits of one comparison.
const (
	searched = 100_000 // states of a search; more is inconclusive
	patience = 20 * time.Second
)

// A Comparison is what the search and brute force said of one random system.
type Comparison struct {
	Seed     uint64
	About    string // the system, in a line
	Skipped  string // why brute force says nothing
	Claims   []Claim
	Problems []string // each a disagreement, in a line
}

// A Claim is a claim as one search decided it.
type Claim struct {
	Kind    model.Kind
	Reading model.Reading
	Truth   oracle.Verdict
	Verdict checker.Verdict
}

// Agrees reports whether brute force lets a verdict pass. One that decides nothing always
// does.
func (c Claim) Agrees() bool {
	switch c.Verdict {
	case checker.Holds:
		return c.Truth == oracle.Holds || c.Truth == oracle.Either
	case checker.Violated:
		return c.Truth == oracle.Violated || c.Truth == oracle.Either
	}
	return true
}

// One compares the system of a seed, if it has no more states than the limit. The check
// goes the whole way: search, confirmation, verdict.
func One(seed uint64, limit int) *Comparison {
	it := random.Draw(seed)
	c := &Comparison{Seed: seed, About: it.String()}
	truth, err := oracle.Judge(it.System, it.Claims, it.Reading, limit)
	if err != nil {
		c.Skipped = err.Error()
		return c
	}
	for _, set := range settings(seed) {
		c.with(it, truth, set)
	}
	return c
}

// A setting is one way to search.
type setting struct {
	name string
	opt  checker.Options
}

// settings are those that a seed's system is searched with: plainly, and in another way.
func settings(seed uint64) []setting {
	r := rand.New(rand.NewPCG(seed, 13))
	ways := []setting{
		{"all reductions", checker.Options{Workers: 1}},
		{"all reductions, two workers", checker.Options{Workers: 2}},
		{"no reductions, two workers, 128 bits", checker.Options{Workers: 2, Reduce: []string{}, Fingerprints: 128}},
		{"all reductions, 128 bits, little memory", checker.Options{Workers: 1, Fingerprints: 128, MaxMemory: 1 << 20}},
		{"stale and merging", checker.Options{Workers: 1, Reduce: []string{"stale", "merging"}}},
		{"symmetry and clients", checker.Options{Workers: 1, Reduce: []string{"symmetry", "clients"}}},
	}
	chosen := []setting{{"no reductions", checker.Options{Workers: 1, Reduce: []string{}}}, ways[r.IntN(len(ways))]}
	for i := range chosen {
		chosen[i].opt.MaxStates, chosen[i].opt.Timeout = searched, patience
	}
	return chosen
}

// with checks a case in one way.
func (c *Comparison) with(it random.Case, truth *oracle.Judgement, set setting) {
	problem := func(format string, args ...any) {
		c.Problems = append(c.Problems, fmt.Sprintf("seed %d (%s; %s): ", c.Seed, c.About, set.name)+fmt.Sprintf(format, args...))
	}
	rows, err := Check(it, set.opt)
	if err != nil {
		problem("the check ends with: %v", err)
		return
	}
	for i, claim := range it.Claims {
		result, ok := Find(rows, claim.Name)
		if !ok {
			problem("%s has no verdict", claim.Name)
			continue
		}
		got := Claim{claim.Kind, it.Reading, truth.Verdicts[i], result.Verdict}
		c.Claims = append(c.Claims, got)
		if !got.Agrees() {
			problem("%s, %s: the search says %s%s, brute force %s", claim.Name, about(claim), result.Verdict, why(result), got.Truth)
		}
	}
	if row := rows[0]; truth.States > 0 && it.System.Forge == nil && row.Complete && len(row.Reductions) == 0 && row.States != int64(truth.States) {
		problem("the search has %d states, brute force %d", row.States, truth.States)
	}
}

func why(r checker.ClaimResult) string {
	if r.Text == "" {
		return ""
	}
	return " (" + r.Text + ")"
}

// about says what is claimed, in a few words.
func about(c model.Claim) string {
	switch {
	case c.Done:
		return "all scripts get done"
	case c.Invariant != nil:
		return "an invariant"
	case c.Monitor != nil:
		return fmt.Sprintf("%T%+v", c.Monitor(nil), c.Monitor(nil))
	}
	return "an object"
}

// Find finds a claim's result among the rows of a check.
func Find(rows []*checker.Row, claim string) (checker.ClaimResult, bool) {
	for _, row := range rows {
		for _, c := range row.Claims {
			if c.Name == claim {
				return c, true
			}
		}
	}
	return checker.ClaimResult{}, false
}

// Check checks a case as a protocol's check is. A panic is an error here: whatever it is,
// the search has come to no verdict.
func Check(it random.Case, opt checker.Options) (rows []*checker.Row, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	p := &model.Protocol{
		Name: "random", Claims: it.Claims,
		Build: func(model.Config) (*model.System, error) {
			s := *it.System
			return &s, nil
		},
	}
	rows, err = checker.Check(p, model.Check{Reading: it.Reading, Config: model.Config{Faults: it.System.Faults}}, opt)
	if err == nil && len(rows) == 0 {
		err = errors.New("there are no rows")
	}
	return rows, err
}
