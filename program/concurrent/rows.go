package concurrent

import (
	"fmt"
	"slices"
	"strings"
)

// A row is a step as it is written.
type row struct {
	goroutine               int
	place, function, op, is string // is: what becomes of the goroutine
	object                  string // that the operation is on, if any
}

// Bounds of what is written.
const (
	mostInARow   = 16  // steps of a goroutine in a row; of more, the first and the last half of these
	mostLines    = 400 // lines; of more, the first and the last half of these
	longestRound = 64  // steps of a round, which is written once although it comes several times
	leastFolded  = 8   // steps that are left out at least where it comes again
)

// writeRows writes rows in columns, with numbers from 1. Rounds that come again and the middle of very long lists are left out.
func writeRows(b *strings.Builder, rows []row) {
	cells := cellsOf(rows)
	kinds := kindsOf(rows)
	var lines []string
	inARow := 0
	for n := 0; n < len(rows); {
		if round, times := folded(kinds, n); times > 0 {
			lines = append(lines, "      "+foldedLine(rows, n, round, times))
			n += round * times
			continue
		}
		if n > 0 && rows[n-1].goroutine != rows[n].goroutine {
			inARow = 0
		}
		if left := more(rows, n) - mostInARow/2; inARow == mostInARow/2 && left > 0 {
			lines = append(lines, fmt.Sprintf("      goroutine %d does %s", rows[n].goroutine, counted(left, "more step")))
			n += left
		}
		inARow++
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%4d  %s", n+1, cells[n]), " "))
		n++
	}
	if over := len(lines) - mostLines; over > 0 {
		lines = slices.Concat(lines[:mostLines/2], []string{fmt.Sprintf("      … %s", counted(over, "more line"))}, lines[len(lines)-mostLines/2:])
	}
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
}

// cellsOf are the texts of rows, whose columns are as wide as their widest cell.
func cellsOf(rows []row) []string {
	var width [5]int
	cells := make([][5]string, len(rows))
	for n, r := range rows {
		op := r.op
		if r.object != "" {
			op = strings.Replace(op, objectMark, r.object, 1)
		}
		cells[n] = [5]string{fmt.Sprintf("goroutine %d", r.goroutine), r.place, r.function, op, r.is}
		for i, cell := range cells[n] {
			width[i] = max(width[i], len(cell))
		}
	}
	texts := make([]string, len(rows))
	for n := range rows {
		for i, cell := range cells[n] {
			texts[n] += fmt.Sprintf("%-*s  ", width[i], cell)
		}
	}
	return texts
}

// objectMark stands for the object in the text of an operation.
const objectMark = "\x00"

// kindsOf numbers rows such that two have the same number if they differ in their objects only.
func kindsOf(rows []row) []int {
	known := map[row]int{}
	kinds := make([]int, len(rows))
	for n, r := range rows {
		r.object = ""
		if _, is := known[r]; !is {
			known[r] = len(known)
		}
		kinds[n] = known[r]
	}
	return kinds
}

// more is how many rows of a goroutine come in a row from a place on.
func more(rows []row, at int) int {
	n := at
	for n < len(rows) && rows[n].goroutine == rows[at].goroutine {
		n++
	}
	return n - at
}

// folded returns the length of the shortest round that ends before a place and comes again there, and how often, if that leaves out enough.
func folded(kinds []int, at int) (round, times int) {
	for round := 1; round <= min(longestRound, at); round++ {
		same := 0
		for at+same < len(kinds) && kinds[at+same] == kinds[at+same-round] {
			same++
		}
		if times := same / round; times*round >= leastFolded {
			return round, times
		}
	}
	return 0, 0
}

// foldedLine says which goroutines do the steps before a place again.
func foldedLine(rows []row, at, round, times int) string {
	var who []int
	others := ""
	for n := at - round; n < at; n++ {
		who = append(who, rows[n].goroutine)
		if rows[n].object != rows[n+round].object {
			others = ", on other objects"
		}
	}
	slices.Sort(who)
	steps := fmt.Sprintf("steps %d–%d", at-round+1, at)
	if round == 1 {
		steps = fmt.Sprintf("step %d", at)
	}
	return fmt.Sprintf("%s %s again %s%s", doing(slices.Compact(who)), steps, counted(times, "time"), others)
}

// doing is the beginning of a sentence on what goroutines do.
func doing(who []int) string {
	if len(who) == 1 {
		return fmt.Sprintf("goroutine %d does", who[0])
	}
	names := make([]string, len(who))
	for i, g := range who {
		names[i] = fmt.Sprint(g)
	}
	last := len(names) - 1
	return fmt.Sprintf("goroutines %s and %s do", strings.Join(names[:last], ", "), names[last])
}
