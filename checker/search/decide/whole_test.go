package decide

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"contend/model"
)

var update = flag.Bool("update", false, "rewrite testdata/table.txt")

// letters stand for what [Entry.How] says, in testdata/table.txt.
var letters = map[string]byte{
	"decided": 'D', "violation must be confirmed": 'v', "witness must be confirmed": 'w', "numbers must be confirmed": 'n',
	"only refuted": 'r', "only witnessed": 't', "decided where nothing misleads": 'p', "refused": '-',
	"undecided: " + Cut: 'c', "undecided: " + StrictBound: 's', "undecided: " + DenseTime: 'd', "undecided: " + TimedRound: 'l',
	"undecided: " + TimeStandsStill: 'z',
}

// The whole table is as it was last looked at: a line for kind, reading and bounds, a word for each fault without and
// with a cut, and in it a letter for each channel.
func TestWholeTable(t *testing.T) {
	var out strings.Builder
	last := ""
	for _, c := range Cases() {
		bounds := map[bool]string{true: "strict", false: "closed"}[c.Strict]
		line := fmt.Sprintf("%v, %v, %s", c.Kind, c.Reading, bounds)
		if line != last {
			fmt.Fprintf(&out, "\n%-48s", line)
			last = line
		}
		if c.Channel == model.Bag {
			out.WriteByte(' ')
		}
		letter, known := letters[Of(c).How()]
		if !known {
			t.Errorf("%+v: %s", c, Of(c).How())
		}
		out.WriteByte(letter)
	}
	const golden = "testdata/table.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(strings.TrimPrefix(out.String(), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	is := strings.Split(strings.TrimPrefix(out.String(), "\n")+"\n", "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(is) || is[i] != line {
			t.Errorf("line %d is not\n%s\nbut\n%s\nif that is right: go test ./checker/search/decide -update", i+1, line, is[min(i, len(is)-1)])
			break
		}
	}
}

// A case says what each part says that takes part: those that refuse it, the first alone where it leaves nothing, or all. Of either
// verdict each part leaves at most what it says of that verdict, and the limit is that of the first.
func TestSaysWhatTakesPart(t *testing.T) {
	for _, c := range Cases() {
		var all, refused []string
		for i, part := range Parts {
			e := part.entry(c)
			if i == 0 || !Parts[0].entry(c).Undecided() {
				all = append(all, e.Why...)
			}
			if e.Refused {
				refused = append(refused, e.Why...)
			}
		}
		if len(refused) > 0 {
			all = refused
		}
		if !slices.Equal(Of(c).Why, all) {
			t.Fatalf("%+v: %q; want %q", c, Of(c).Why, all)
		}
		if len(refused) > 0 {
			continue
		}
		first := Parts[0].entry(c)
		holds, violated := first.Holds, first.Violated
		for _, part := range Parts {
			if e := part.entry(c); !first.Undecided() {
				holds, violated = min(holds, e.Holds), min(violated, e.Violated)
			}
		}
		if e := Of(c); e.Holds != holds || e.Violated != violated || e.Limit != first.Limit {
			t.Fatalf("%+v: holds %v, violated %v, limit %q; want %v, %v, %q", c, e.Holds, e.Violated, e.Limit, holds, violated, first.Limit)
		}
	}
}

// Each fault is found alone, and no other with it.
func TestEachFault(t *testing.T) {
	for fault, s := range map[Fault]*model.System{
		None: {}, Loss: {Faults: model.Faults{Loss: 1}}, Duplication: {Faults: model.Faults{Duplication: 2}}, Crashes: {Faults: model.Faults{Crashes: 1}},
		Restarts: {Faults: model.Faults{Restarts: 1}}, Suspicions: {Faults: model.Faults{Suspicions: 1}}, Partitions: {Faults: model.Faults{Partitions: 1}},
		Lies: {Forge: func(model.Node, model.NodeID, model.NodeID) []any { return nil }},
	} {
		want := []Fault{None, fault}
		if fault == None {
			want = want[:1]
		}
		if got := faultsOf(s); !slices.Equal(got, want) {
			t.Errorf("%v: faults %v", fault, got)
		}
	}
}

// A claim is refused before the search only where neither sort of bounds could decide it, with the entry that says why.
func TestBefore(t *testing.T) {
	lossy := &model.System{Faults: model.Faults{Loss: 1}}
	for _, c := range []struct {
		kind    model.Kind
		s       *model.System
		reading Reading
		how     string // "" where it may be decided
	}{
		{model.Always, lossy, Untimed, ""}, {model.Always, lossy, Dense, ""}, {model.Always, lossy, Exact, ""},
		{model.Eventually, lossy, Dense, "undecided: dense time"}, {model.PossibleFromEverywhere, &model.System{}, Dense, "undecided: dense time"},
		{model.PossibleFromEverywhere, &model.System{}, Exact, ""}, // decided where no bound is strict
		{model.AlmostSurely, &model.System{}, Untimed, "refused"}, {model.AlmostSurely, lossy, Closing, ""},
		{model.Measured, lossy, Exact, ""}, {model.Always, &model.System{Faults: model.Faults{Duplication: 1}}, Dense, "refused"},
	} {
		e, may := Before(model.Claim{Kind: c.kind}, c.s, c.reading)
		if may != (c.how == "") || !may && e.How() != c.how {
			t.Errorf("%v, %v: %v, %s", c.kind, c.reading, may, e.How())
		}
	}
}

// What is asked of readings and entries besides the table.
func TestReadings(t *testing.T) {
	for from, want := range map[model.Reading]Reading{model.Untimed: Untimed, model.Grid: Closing, model.Dense: Dense} {
		if got := ReadingOf(from); got != want {
			t.Errorf("%v is read as %v", from, got)
		}
	}
	if text := (Entry{Why: []string{"One.", "Two."}}).Text(); text != "One. Two." {
		t.Errorf("%q", text)
	}
}
