package mutate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"contend/checker/mutate/driver"
	"contend/checker/mutate/schemata"
	"contend/checker/verdict"
)

// Limits of a mutant relative to the original in a row: first in states, then in time. They are generous,
// since wall time varies on a busy machine.
const (
	statesFactor, statesMore = 8, 5000
	timeFactor               = 10
	timeMore                 = 5 * time.Second
	killMore                 = 10 * time.Second
)

// A baseline is a row of the original, and the mutants that it reaches.
type baseline struct {
	driver.Answer
	reaches map[int]bool
}

// Claims tries the mutants of handlers against the checks that the protocols list. The error is about invalid
// input or a failed compilation.
func Claims(opt Options) (*Report, error) {
	b, close, err := begin(opt, handlers)
	if err != nil {
		return nil, err
	}
	defer close()
	program, rows, err := b.original()
	if err != nil {
		return nil, err
	}
	b.tryAll(b.planned(), func(_ int, m *Tried) { b.againstRows(program, rows, m) })
	return b.end(), nil
}

// original builds the driver, checks the rows without a mutant, and marks the mutants that no row reaches.
func (b *bench) original() (program string, rows []*baseline, err error) {
	if program, err = b.buildDriver(); err != nil {
		return "", nil, err
	}
	if rows, err = b.baselines(program); err != nil {
		return "", nil, err
	}
	reached := map[int]bool{}
	for _, row := range rows {
		maps.Copy(reached, row.reaches)
		b.report.Rows = append(b.report.Rows, row.row())
	}
	b.mark(reached)
	return program, rows, nil
}

// row returns the row for the report.
func (r *baseline) row() Row {
	return Row{r.Name, command(r.Answer), r.States, r.Seconds, len(r.reaches)}
}

// buildDriver builds the program that checks the rows with mutants.
func (b *bench) buildDriver() (string, error) {
	if len(b.packages) == 0 {
		return "", errors.New("no handler of a node is in what is named: there is nothing to mutate")
	}
	o, err := newOverlay(b.dir, b.packages)
	if err != nil {
		return "", err
	}
	for _, p := range b.sources {
		protocols := Protocols(p)
		if len(protocols) == 0 {
			continue
		}
		if p.Name == "main" {
			return "", fmt.Errorf("package %s is a main package, so it cannot be imported: move the protocol into a package of its own", p.Path)
		}
		b.progress("compiling", 0, 0)
		const main = "contendmutants"
		if err := o.add(filepath.Join(p.Dir, main, "main.go"), mainFile(p, protocols)); err != nil {
			return "", err
		}
		program := filepath.Join(b.dir, "driver")
		return program, o.run(p.Dir, "build", "-o", program, "./"+main)
	}
	return "", errors.New("the named packages have no exported variable of type *model.Protocol")
}

// baselines checks each row of the original in a process of its own. It sorts them by steps, the fewest
// first: an order by time would vary from run to run, and so would the row that catches a mutant.
func (b *bench) baselines(program string) (all []*baseline, err error) {
	listed, err := b.descriptions(program, "-list")
	if err != nil {
		return nil, err
	}
	if !b.opt.Deep {
		listed = slices.DeleteFunc(listed, func(a driver.Answer) bool { return a.Deep })
	}
	for i, a := range listed {
		if b.ctx.Err() != nil {
			break
		}
		b.progress("checking the original", i, len(listed))
		row, why, err := b.baseline(program, a)
		if err != nil {
			return nil, err
		}
		if b.ctx.Err() != nil {
			break // its result is unknown
		}
		if why != "" {
			b.report.Notes = append(b.report.Notes, fmt.Sprintf("left out: %s: %s", command(a), why))
			continue
		}
		all = append(all, row)
	}
	if len(all) == 0 && b.ctx.Err() == nil {
		return nil, errors.New("no check of the protocol is complete, so mutants cannot be compared")
	}
	slices.SortStableFunc(all, func(a, b *baseline) int { return int(a.Steps - b.Steps) })
	return all, nil
}

// descriptions returns the descriptions of rows that the driver writes.
func (b *bench) descriptions(program string, args ...string) (all []driver.Answer, err error) {
	listing := process{program: program, args: args, dir: b.dir}.run(b.ctx)
	if listing.cancelled {
		return nil, nil
	}
	if listing.code != 0 {
		return nil, fmt.Errorf("the program with the mutants fails: %s", listing.err)
	}
	for d := json.NewDecoder(bytes.NewReader([]byte(listing.out))); d.More(); {
		var a driver.Answer
		if err := d.Decode(&a); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// command returns the user's command line for an answer's check.
func command(a driver.Answer) string { return verdict.Tool + " " + a.Bounds }

// baseline checks one row. Why is the reason to omit the row, or "".
func (b *bench) baseline(program string, a driver.Answer) (row *baseline, why string, err error) {
	if a.Error != "" {
		return nil, a.Error, nil
	}
	if a.Row.Timeout == 0 {
		a.Row.Timeout = b.opt.Budget
	}
	s, err := start(b.ctx, b.process(program, 0, filepath.Join(b.dir, "reached")))
	if err != nil {
		return nil, "", err
	}
	defer os.Remove(filepath.Join(b.dir, "reached"))
	answer, ended := s.ask(a.Row, a.Row.Timeout+killMore)
	s.close()
	switch {
	case ended != "":
		return nil, ended, nil
	case answer.Error != "":
		return nil, answer.Error, nil
	case answer.Limit == "timeout" || slices.ContainsFunc(answer.Claims, func(c driver.Claim) bool { return c.Limit == "timeout" }):
		return nil, fmt.Sprintf("it does not end within %v", a.Row.Timeout), nil
	}
	row = &baseline{Answer: answer}
	row.reaches, err = readReached(filepath.Join(b.dir, "reached"))
	return row, "", err
}

func (b *bench) process(program string, mutant int, reached string) process {
	return process{program: program, dir: b.dir, memory: b.opt.Memory, mutant: mutant, reached: reached}
}

// againstRows tries a mutant against the rows that reach it, until a claim is violated or a handler fails.
func (b *bench) againstRows(program string, rows []*baseline, m *Tried) {
	t := &trial{bench: b, program: program, mutant: m.Mutant}
	defer t.close()
	best := Tried{Mutant: m.Mutant, Outcome: Survived}
	for _, row := range rows {
		if !row.reaches[m.Number] {
			continue
		}
		tried, known := t.try(row, row.limited())
		if !known {
			return
		}
		best = better(best, tried)
		if best.How == ByClaim || best.How == ByFailure {
			break
		}
	}
	*m = best
}

// A trial tries one mutant against rows, in one session while that answers.
type trial struct {
	*bench
	program string
	mutant  *schemata.Mutant
	s       *session
}

// try tries a row. It reports false if the result is unknown, because the time was over.
func (t *trial) try(row *baseline, r driver.Row) (tried Tried, known bool) {
	if t.s == nil {
		var err error
		if t.s, err = start(t.ctx, t.process(t.program, t.mutant.Number, "")); err != nil {
			return tried, false
		}
	}
	answer, ended := t.s.ask(r, r.Timeout+killMore)
	if t.ctx.Err() != nil {
		return tried, false
	}
	tried = compare(row.Answer, answer, ended)
	tried.Mutant, tried.Where = t.mutant, command(row.Answer)
	if ended != "" {
		t.close()
	} else if answer.States != row.States || answer.Steps != row.Steps {
		tried.Differs = command(row.Answer)
	}
	return tried, true
}

// close ends the session.
func (t *trial) close() {
	if t.s != nil {
		t.s.close()
		t.s = nil
	}
}

// better returns the stronger of two outcomes of a mutant, with the first check that has other states.
func better(best, tried Tried) Tried {
	differs := or(best.Differs, tried.Differs)
	if stronger(tried, best) {
		best = tried
	}
	best.Differs = differs
	return best
}

// limited returns the row with the limits of a mutant.
func (r *baseline) limited() driver.Row {
	row := r.Row
	took := time.Duration(r.Seconds * float64(time.Second))
	row.MaxStates, row.Timeout = statesFactor*r.States+statesMore, timeFactor*took+timeMore
	return row
}

// stronger reports whether one outcome outranks another.
func stronger(a, b Tried) bool {
	value := func(t Tried) int {
		switch {
		case t.Outcome == Caught && t.How != ByFinding:
			return 3
		case t.Outcome == Caught:
			return 2
		case t.Outcome == Limit:
			return 1
		}
		return 0
	}
	return value(a) > value(b)
}
