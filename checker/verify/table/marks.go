package table

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/verify/console"
	"contend/lab/tables"
)

// marks are letters for the bounds of a section's cells, and numbers for the reasons of cells that differ or are
// open.
type marks struct{ bounds, reasons []string }

// of is the letter of the bounds of a command.
func (m *marks) of(command string) string {
	bounds := boundsOf(command)
	i := slices.Index(m.bounds, bounds)
	if i < 0 {
		i = len(m.bounds)
		m.bounds = append(m.bounds, bounds)
	}
	return letter(i)
}

// letter counts a, b, … z, aa, ab …
func letter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letter(i/26-1) + letter(i%26)
}

// legend returns the meanings of the letters.
func (m *marks) legend() string {
	if len(m.bounds) == 1 {
		return fmt.Sprintf("- a: `%s`\n", m.bounds[0])
	}
	base, changed := changes(m.bounds)
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`, and then:\n\n", base)
	for i, change := range changed {
		if change = "`" + change + "`"; change == "``" {
			change = "nothing"
		}
		fmt.Fprintf(&b, "- %s: %s\n", letter(i), change)
	}
	return b.String()
}

// note returns the number of a cell's reason in brackets, or "".
func (m *marks) note(e *tables.Entry) string {
	if !remarkable(e) {
		return ""
	}
	i := slices.Index(m.reasons, why(e))
	if i < 0 {
		i = len(m.reasons)
		m.reasons = append(m.reasons, why(e))
	}
	return fmt.Sprintf(" [%d]", i+1)
}

// found returns the result of a cell, and the letters of its bounds.
func (m *marks) found(e *tables.Entry) (is, bounds string) {
	if e.Kind == tables.Number {
		return computed(e), m.of(e.Points[len(e.Points)-1].Command)
	}
	var letters, names []string
	for _, r := range e.Claims {
		letters, names = append(letters, m.of(r.Command)), append(names, r.Name)
	}
	var parts []string
	for _, name := range unique(names) {
		part := m.verdicts(e, name)
		if name != e.Name || e.Kind == tables.Problem {
			part = name + " " + part
		}
		parts = append(parts, part)
	}
	if is = strings.Join(parts, ", "); e.Kind == tables.Problem && e.Steps > 0 {
		is += ", " + console.Counted(e.Steps, "step", "steps")
	}
	return is, strings.Join(unique(letters), ", ")
}

// verdicts returns the verdicts on a claim of a cell: one, or several with the letters of their bounds.
func (m *marks) verdicts(e *tables.Entry, claim string) string {
	var verdicts, at []string
	for _, r := range e.Claims {
		if r.Name == claim {
			verdicts, at = append(verdicts, string(r.Verdict)), append(at, fmt.Sprintf("%s (%s)", r.Verdict, m.of(r.Command)))
		}
	}
	if all := unique(verdicts); len(all) == 1 {
		return all[0]
	}
	return strings.Join(at, ", ")
}

// unique has each once, in the order in which they come.
func unique(all []string) []string {
	var once []string
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}
