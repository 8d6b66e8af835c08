package mutate

import (
	"contend/checker/mutate/driver"
	"contend/checker/verdict"
)

// A Choice is a row with what it catches.
type Choice struct {
	Row
	Listed string   // Default, Deep or Proposed
	Kills  []*Tried // mutants that it catches
	Alone  []*Tried // of Kills, those that no other row catches; for a proposed row, those that no listed row catches
	Spare  bool     // a listed row without which the listed rows catch as much; all spare rows may go together
	Chosen bool     // in the set that catches all that any row catches, in the least time that is easily found

	steps int64
}

// Where a Choice is listed.
const (
	Default  = "default"
	Deep     = "deep"
	Proposed = "proposed"
)

// Rows tries the mutants of handlers as [Claims] does, but each mutant against all rows that reach it. It
// compares the rows by what they catch, and proposes further rows for mutants that no cheap row catches. The
// error is about invalid input or a failed compilation.
func Rows(opt Options) (*Report, error) {
	b, close, err := begin(opt, handlers)
	if err != nil {
		return nil, err
	}
	defer close()
	program, rows, err := b.original()
	if err != nil {
		return nil, err
	}
	planned := b.planned()
	b.tryAll(planned, func(_ int, m *Tried) { b.againstAll(program, rows, m) })
	proposed, err := b.propose(program, rows, planned)
	if err != nil {
		return nil, err
	}
	report := b.end()
	report.Choices = choices(rows, proposed, report.Mutants)
	return report, nil
}

// stuck is the By of a mutant with a handler that does not return.
const stuck = "a handler does not return"

// againstAll tries a mutant against all rows that reach it.
func (b *bench) againstAll(program string, rows []*baseline, m *Tried) {
	t := &trial{bench: b, program: program, mutant: m.Mutant}
	defer t.close()
	best := Tried{Mutant: m.Mutant, Outcome: Survived, killers: map[*baseline]bool{}}
	for _, row := range rows {
		if !row.reaches[m.Number] {
			continue
		}
		tried, known := t.try(row, row.stopping())
		if !known {
			return // it stays untried
		}
		killers := best.killers
		best = better(best, tried)
		best.killers = killers
		if tried.Outcome == Caught {
			killers[row] = true
		}
		if tried.By == stuck { // each row would take the seconds after which the driver gives up
			for _, row := range rows {
				if row.reaches[m.Number] {
					killers[row] = true
				}
			}
			break
		}
	}
	*m = best
}

// stopping returns the row with the limits of a mutant. Its check ends at the first violation that the original
// does not have.
func (r *baseline) stopping() driver.Row {
	row := r.limited()
	row.Stop = true
	for _, c := range r.Claims {
		if c.Verdict == string(verdict.Violated) {
			row.Known = append(row.Known, c.Name)
		}
	}
	return row
}
