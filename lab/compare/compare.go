// Package compare compares the search with brute force on random systems.
package compare

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"contend/checker"
	"contend/checker/search"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

// Limits of one comparison.
const (
	searched  = 100_000 // maximum states of a search; beyond it the result is inconclusive
	fewStates = 10      // states after which a search is stopped, to be resumed
	patience  = 20 * time.Second
)

// A Comparison is the result of one random system.
type Comparison struct {
	Seed     uint64
	About    string // the system, in one line
	Features []string
	Skipped  string // reason why brute force has no result
	Claims   []Claim
	Costs    Costs
	Disks    Disks
	Resumed  int      // number of searches resumed from a checkpoint
	Problems []string // disagreements, one line each
}

// A Claim is a claim with the verdicts of a search and of brute force.
type Claim struct {
	Kind    model.Kind
	Reading model.Reading
	Truth   oracle.Verdict
	Verdict checker.Verdict
}

// Agrees reports whether brute force permits the search's verdict. An undecided verdict is always permitted.
func (c Claim) Agrees() bool {
	switch c.Verdict {
	case checker.Holds:
		return c.Truth == oracle.Holds || c.Truth == oracle.Either
	case checker.Violated:
		return c.Truth == oracle.Violated || c.Truth == oracle.Either || c.Truth == oracle.NotHeld
	}
	return true
}

// Compare compares the system of a seed, if it has at most limit states. The check includes search,
// confirmation and verdict.
func Compare(seed uint64, limit int) *Comparison {
	it := random.Draw(seed)
	c := &Comparison{Seed: seed, About: it.String()}
	truth, err := oracle.Judge(it.System, it.Claims, it.Reading, limit)
	if err != nil {
		c.skip(it, err)
		return c
	}
	c.Features = it.Features()
	if truth.NoHandlerFails == oracle.Violated {
		c.Features = append(c.Features, Failed)
	}
	c.checkAll(it, truth, settings(seed, it))
	if seed%8 == 0 { // brute force over two systems takes long
		c.refine(it, limit)
	}
	for i, cost := range it.Costs {
		c.measure(it, cost, limit, costSetting(seed+uint64(i)))
	}
	return c
}

// skip records why brute force has no result. Unless the system is too large, the search must refuse it, too,
// or have nothing to decide.
func (c *Comparison) skip(it random.Case, why error) {
	c.Skipped = why.Error()
	if errors.Is(why, oracle.ErrLarge) {
		return
	}
	searches := func(r *checker.Row) bool { return r.States > 0 }
	if rows, err := Check(it, checker.Options{Workers: 1, MaxStates: fewStates}); err == nil && slices.ContainsFunc(rows, searches) {
		c.Problems = append(c.Problems, fmt.Sprintf("seed %d (%s): brute force ends with: %v; the search does not", c.Seed, c.About, why))
	}
}

// A setting is a way to search.
type setting struct {
	name    string
	opt     checker.Options
	resumed bool // stopped after a few states and resumed from the checkpoint
	few     int64
}

// settings returns the searches of a seed's system: plain, with drawn options, and, if checkpoints are
// possible, also resumed.
func settings(seed uint64, it random.Case) []setting {
	r := rand.New(rand.NewPCG(seed, 13))
	ways := []setting{
		{name: "all reductions", opt: checker.Options{Workers: 1}},
		{name: "all reductions, two workers", opt: checker.Options{Workers: 2}},
		{name: "no reductions, two workers, 128 bits", opt: checker.Options{Workers: 2, Reduce: []string{}, Fingerprints: 128}},
		{name: "all reductions, 128 bits, little memory", opt: checker.Options{Workers: 1, Fingerprints: 128, MaxMemory: 64 << 20}},
		{name: "stale and merging", opt: checker.Options{Workers: 1, Reduce: []string{"stale", "merging"}}},
		{name: "symmetry and clients", opt: checker.Options{Workers: 1, Reduce: []string{"symmetry", "clients"}}},
	}
	chosen := []setting{{name: "no reductions", opt: checker.Options{Workers: 1, Reduce: []string{}}}, ways[r.IntN(len(ways))]}
	if checkpointed(it) {
		ways = []setting{
			{name: "no reductions, resumed", opt: checker.Options{Workers: 1, Reduce: []string{}}, resumed: true},
			{name: "all reductions, two workers, resumed", opt: checker.Options{Workers: 2}, resumed: true},
		}
		resumed := ways[r.IntN(len(ways))]
		resumed.few = []int64{2, fewStates, fewStates, 3 * fewStates}[r.IntN(4)]
		chosen = append(chosen, resumed)
	}
	for i := range chosen {
		chosen[i].opt.MaxStates, chosen[i].opt.Timeout, chosen[i].opt.Pure = searched, patience, true
	}
	return chosen
}

// checkpointed reports whether a case's search supports checkpoints: it is not dense, and needs no graph.
func checkpointed(it random.Case) bool {
	return it.Reading != model.Dense && !slices.ContainsFunc(it.Claims, func(c model.Claim) bool {
		return slices.Contains([]model.Kind{model.Eventually, model.PossibleFromEverywhere, model.AlmostSurely}, c.Kind)
	})
}

// check checks a case. A resumed check first stops after a few states; stopped reports whether it had not
// ended before.
func (set setting) check(it random.Case) (rows []*checker.Row, stopped bool, err error) {
	if !set.resumed {
		rows, err = Check(it, set.opt)
		return rows, false, err
	}
	dir, err := os.MkdirTemp("", "contend-selftest-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	opt := set.opt
	opt.Checkpoints, opt.MaxStates = dir, set.few
	rows, err = Check(it, opt)
	if err != nil {
		return nil, false, fmt.Errorf("when it is stopped: %w", err)
	}
	if slices.ContainsFunc(rows, outOfTime) {
		return rows, false, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "checkpoint"))
	if err != nil {
		return nil, false, err
	}
	opt.Resume, opt.MaxStates = true, set.opt.MaxStates
	rows, err = Check(it, opt)
	return rows, len(files) > 0, err
}

// outOfTime reports whether a row ended at its time limit, as happens on a busy machine. Its abandoned search
// may still own checkpoints.
func outOfTime(r *checker.Row) bool {
	return r.Limit.Code == search.Timeout || r.Limit.Code == checker.Stuck
}

// checkAll checks a case in several ways. Complete searches without reductions must have the same number of
// states.
func (c *Comparison) checkAll(it random.Case, truth *oracle.Judgement, ways []setting) {
	plain := int64(truth.States)
	for _, set := range ways {
		row := c.checkWith(it, truth, set)
		if row == nil || !row.Complete || len(row.Reductions) > 0 || it.System.Forge != nil && it.Reading != model.Untimed {
			continue
		}
		if plain == 0 {
			plain = row.States
		}
		if row.States != plain {
			c.Problems = append(c.Problems, fmt.Sprintf("seed %d (%s; %s): the search has %d states, not %d", c.Seed, c.About, set.name, row.States, plain))
		}
	}
}

// checkWith checks a case in one way, and returns the first row, or nil.
func (c *Comparison) checkWith(it random.Case, truth *oracle.Judgement, set setting) *checker.Row {
	problem := func(format string, args ...any) {
		c.Problems = append(c.Problems, fmt.Sprintf("seed %d (%s; %s): ", c.Seed, c.About, set.name)+fmt.Sprintf(format, args...))
	}
	rows, stopped, err := set.check(it)
	if stopped {
		c.Resumed++
		c.feature(Resumed)
	}
	if err != nil {
		if !refusesPage(err) {
			problem("the check ends with: %v", err)
		}
		return nil
	}
	for i, claim := range it.Claims {
		result, ok := Find(rows, claim.Name)
		if !ok {
			problem("%s has no verdict", claim.Name)
			continue
		}
		got := Claim{claim.Kind, it.Reading, truth.Verdicts[i], result.Verdict}
		c.Claims = append(c.Claims, got)
		if result.Internal() {
			problem("%s, %s: %s", claim.Name, describe(claim), result.Limit)
		}
		if result.Verdict == checker.NotClaimed { // hence it is not compared
			problem("%s, %s: it is not claimed: %s", claim.Name, describe(claim), result.Text)
		}
		if !got.Agrees() {
			problem("%s, %s: the search says %s%s, brute force %s", claim.Name, describe(claim), result.Verdict, reason(result), got.Truth)
		}
	}
	c.failing(it, truth, rows, problem)
	c.reduced(rows)
	return rows[0]
}

// failing compares the verdicts on the claim that no handler fails. A row contains the claim only if it is
// violated, or may be.
func (c *Comparison) failing(it random.Case, truth *oracle.Judgement, rows []*checker.Row, problem func(format string, args ...any)) {
	got := Claim{model.Always, it.Reading, truth.NoHandlerFails, checker.Holds}
	complete := !slices.ContainsFunc(rows, func(r *checker.Row) bool { return !r.Complete })
	switch result, ok := Find(rows, model.NoHandlerFails); {
	case ok:
		got.Verdict = result.Verdict
	case !complete:
		got.Verdict = checker.Inconclusive // the other claims may be decided before
	case !it.Fails && got.Truth == oracle.Holds:
		return
	}
	c.Claims = append(c.Claims, got)
	if !got.Agrees() {
		problem("%s: the search says %s, brute force %s", model.NoHandlerFails, got.Verdict, got.Truth)
	}
}

// reduced records the reductions of a search.
func (c *Comparison) reduced(rows []*checker.Row) {
	for _, row := range rows {
		for _, name := range row.Reductions {
			c.feature(used + name)
		}
		for _, note := range row.Notes {
			if strings.Contains(note, " is refused: ") || strings.Contains(note, " is off for ") {
				c.feature(Refused)
			}
		}
	}
}

// feature adds a feature once.
func (c *Comparison) feature(name string) {
	if !slices.Contains(c.Features, name) {
		c.Features = append(c.Features, name)
	}
}

func reason(r checker.ClaimResult) string {
	if r.Text == "" {
		return ""
	}
	return " (" + r.Text + ")"
}

// describe returns a short description of a claim.
func describe(c model.Claim) string {
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

// Find returns a claim's result from the rows of a check.
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

// Check checks a case as the check of a protocol. It returns a panic as an error: the search has no verdict
// then.
func Check(it random.Case, opt checker.Options) (rows []*checker.Row, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	rows, err = checker.Check(protocol(it), model.Check{Reading: it.Reading, Config: model.Config{Faults: it.System.Faults}}, opt)
	if err == nil && len(rows) == 0 {
		err = errors.New("there are no rows")
	}
	return rows, err
}

// withReasons returns the claims with a reason for vacuity, so that claims that no run tests are compared, too.
// Sometimes claims get none: with a reason, an unreachable goal would not be claimed.
func withReasons(list []model.Claim) []model.Claim {
	list = slices.Clone(list)
	for i := range list {
		if list[i].Kind != model.Sometimes {
			list[i].Vacuous = func(*model.System) string { return "brute force decides it" }
		}
	}
	return list
}

// protocol returns a case as a protocol.
func protocol(it random.Case) *model.Protocol {
	return &model.Protocol{
		Name: "random", Claims: withReasons(it.Claims),
		Build: func(model.Config) (*model.System, error) {
			s := *it.System
			return &s, nil
		},
	}
}
