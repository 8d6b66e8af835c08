package reduce

import (
	"os"
	"slices"
	"strings"
	"testing"
)

var allReductions = []Reduction{ServerSymmetry, ClientSymmetry, StaleAbsorption, EchoAbsorption, Inclusion, ConvexMerging, SettledHolds, EqualEvents}

// A row of the table in docs/proofs/search.md bars a reduction where all its conditions are met.
type row struct {
	when []string
	why  string
}

// proofs reads the page, and the rows of its table by reduction.
func proofs(t *testing.T) (page string, rows map[string][]row) {
	t.Helper()
	b, err := os.ReadFile("../../../docs/proofs/search.md")
	if err != nil {
		t.Fatal(err)
	}
	rows = map[string][]row{}
	for line := range strings.Lines(string(b)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || !strings.HasPrefix(line, "| [") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(cells[0]), "["), "]")
		rows[name] = append(rows[name], row{strings.Split(strings.TrimSpace(cells[1]), ", "), strings.TrimSpace(cells[2])})
	}
	return string(b), rows
}

// met says of each word of the table whether it is true.
func met(c Conditions) map[string]bool {
	return map[string]bool{
		"untimed": !c.Timed, "timed": c.Timed, "dense": c.Dense, "not dense": !c.Dense, "eventually": c.Eventually, "coins": c.Coins,
		"causal pasts": c.Causal, "sends counted": c.Sends, "FIFO": c.Fifo, "own windows": c.OwnWindows, "partitions": c.Parted, "foreign": c.Foreign,
		"set": c.Set, "restarts": c.Restarts,
	}
}

// everyCondition is every combination that there is: dense time is timed, and coins are
// tossed on the grid alone; a channel is of one kind.
func everyCondition() (all []Conditions) {
	for bits := range 1 << 12 {
		is := func(k int) bool { return bits>>k&1 == 1 }
		c := Conditions{Timed: is(0), Dense: is(1), Eventually: is(2), Coins: is(3), Causal: is(4), Fifo: is(5), OwnWindows: is(6), Parted: is(7), Sends: is(8), Foreign: is(9), Set: is(10), Restarts: is(11)}
		if c.Dense && !c.Timed || c.Coins && (c.Dense || !c.Timed) || c.Fifo && c.Set {
			continue
		}
		all = append(all, c)
	}
	return all
}

// The predicates bar each reduction exactly where the table beside its proof does, for a
// reason that the table has; and each reduction has its proof there.
func TestReductionsAreBarredAsProved(t *testing.T) {
	page, rows := proofs(t)
	for _, r := range allReductions {
		if !strings.Contains(page, "\n## "+r.Name+"\n") {
			t.Errorf("%s has no proof", r.Name)
		}
		for _, c := range everyCondition() {
			var why []string
			for _, row := range rows[r.Name] {
				if !slices.ContainsFunc(row.when, func(word string) bool {
					is, known := met(c)[word]
					if !known {
						t.Fatalf("the table says %q", word)
					}
					return !is
				}) {
					why = append(why, row.why)
				}
			}
			if barred := r.Barred(c); (barred != "") != (len(why) > 0) || barred != "" && !slices.Contains(why, barred) {
				t.Errorf("%s, %+v: barred %q, the table has %q", r.Name, c, barred, why)
			}
		}
	}
	if len(rows) != len(allReductions) {
		t.Errorf("the table is about %d reductions", len(rows))
	}
}
