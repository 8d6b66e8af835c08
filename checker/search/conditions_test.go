package search

import (
	"os"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/reduce"
	"contend/model"
	"contend/model/value"
)

var allReductions = []reduce.Reduction{reduce.ServerSymmetry, reduce.ClientSymmetry, reduce.StaleAbsorption, reduce.EchoAbsorption, reduce.Inclusion, reduce.ConvexMerging, reduce.SettledHolds, reduce.EqualEvents}

// A row of the table in docs/proofs/search.md bars a reduction where all its conditions are met.
type row struct {
	when []string
	why  string
}

// proofs reads the page, and the rows of its table by reduction.
func proofs(t *testing.T) (page string, rows map[string][]row) {
	t.Helper()
	b, err := os.ReadFile("../../docs/proofs/search.md")
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
func met(c reduce.Conditions) map[string]bool {
	return map[string]bool{
		"untimed": !c.Timed, "timed": c.Timed, "dense": c.Dense, "not dense": !c.Dense, "eventually": c.Eventually, "coins": c.Coins,
		"causal pasts": c.Causal, "sends counted": c.Sends, "FIFO": c.Fifo, "own windows": c.OwnWindows,
	}
}

// everyCondition is every combination that there is: dense time is timed, and coins are
// tossed on the grid alone.
func everyCondition() (all []reduce.Conditions) {
	for bits := range 1 << 8 {
		is := func(k int) bool { return bits>>k&1 == 1 }
		c := reduce.Conditions{Timed: is(0), Dense: is(1), Eventually: is(2), Coins: is(3), Causal: is(4), Fifo: is(5), OwnWindows: is(6), Sends: is(7)}
		if c.Dense && !c.Timed || c.Coins && (c.Dense || !c.Timed) {
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

// A search uses what it is asked to use and may use.
func TestSearchesUseWhatTheyMay(t *testing.T) {
	s := system(client("c", scripted{}, "go"), server("s", scripted{}))
	s.Network.Delay = model.By(1)
	own := *s
	own.Network = model.Network{Channel: model.FIFO, Messages: func(_, _ model.NodeID, _ any) model.Window { return model.By(1) }}
	all := Options{Symmetry: true, Clients: true, Stale: true, Merge: true}
	causal := never(1)
	causal.Causal = func(model.Observation) bool { return true }
	counted, chained := model.Cost{Name: "c", Sends: true}, model.Cost{Name: "c", Chains: true}
	for _, c := range []*model.Cost{&counted, &chained} {
		c.Meter = never(1).Monitor
	}
	eventually := tells("1 is told", model.Eventually, 1)
	surely := tells("1 is told", model.AlmostSurely, 1)
	in := func(opt Options, timed, dense bool) Options { opt.Timed, opt.Dense = timed, dense; return opt }
	for _, c := range []struct {
		name  string
		s     *model.System
		claim model.Claim
		opt   Options
		want  reduce.Uses
	}{
		{"untimed", s, never(1), all, reduce.Uses{Servers: true, Clients: true, Stale: true, Echoes: true, Equals: true}},
		{"grid", s, never(1), in(all, true, false), reduce.Uses{Servers: true, Clients: true, Stale: true, Equals: true}},
		{"dense", s, never(1), in(all, true, true), reduce.Uses{Servers: true, Clients: true, Stale: true, Inclusion: true, Merging: true, Settles: true}},
		{"nothing is asked for", s, never(1), Options{}, reduce.Uses{Equals: true}},
		{"own windows, untimed", &own, never(1), all, reduce.Uses{Servers: true, Clients: true, Stale: true, Echoes: true, Equals: true}},
		{"own windows", &own, never(1), in(all, true, false), reduce.Uses{Servers: true, Clients: true, Equals: true}},
		{"eventually", s, eventually, all, reduce.Uses{Equals: true}},
		{"almost surely", s, surely, in(all, true, false), reduce.Uses{Equals: true}},
		{"causal", s, causal, all, reduce.Uses{Equals: true}},
		{"messages are counted", s, counted.Claim(), all, reduce.Uses{Servers: true, Clients: true, Stale: true, Equals: true}},
		{"chains are followed", s, chained.Claim(), all, reduce.Uses{Equals: true}},
	} {
		codec, err := value.For(c.s, []model.Claim{c.claim})
		if err != nil {
			t.Fatal(err)
		}
		if x := newExplorer(c.s, codec, []model.Claim{c.claim}, c.opt, component.Closing, newGuesses()); x.Uses != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, x.Uses, c.want)
		}
	}
}
