package decide

import (
	"strings"
	"testing"

	"contend/model"
)

// Every cell of the table has an answer of each part, its sentences are sentences, and what
// is not simply decided says why.
func TestEveryCell(t *testing.T) {
	if len(Cases()) != int(kinds)*int(readings)*2*2*int(faults)*3 {
		t.Errorf("%d cells", len(Cases()))
	}
	for _, c := range Cases() {
		e := Of(c)
		if len(e.Why) == 0 || e.Undecided() && !e.Refused && e.Limit == "" {
			t.Errorf("%+v: %+v", c, e)
		}
		for _, why := range e.Why {
			if len(why) < 20 || !strings.HasSuffix(why, ".") {
				t.Errorf("%+v: %q is no sentence", c, why)
			}
		}
		if strict := Of(Case{c.Kind, c.Reading, true, c.Cut, c.Fault, c.Channel}); (e.Refused || e.Undecided()) && !strict.Refused && !strict.Undecided() {
			t.Errorf("%+v: it is decided where bounds are strict, and not where they are closed", c)
		}
		if c.Reading != Exact && c.Reading != Closing && e.How() != Of(Case{c.Kind, c.Reading, !c.Strict, c.Cut, c.Fault, c.Channel}).How() {
			t.Errorf("%+v: strict bounds matter where none is closed", c)
		}
	}
}

// Every rule is the first for some cell: none stands behind one that covers all of it.
func TestEveryRuleIsUsed(t *testing.T) {
	for _, p := range Parts {
		used := make([]bool, len(p.Rules))
		for _, c := range Cases() {
			for i, r := range p.Rules {
				if r.covers(c) {
					used[i] = true
					break
				}
			}
		}
		for i, is := range used {
			if !is {
				t.Errorf("%s: rule %d is never used", p.Title, i+1)
			}
		}
	}
}

// What closing bounds does to a claim turns on whether it is about all runs or about some.
func TestDirections(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		reading Reading
		strict  bool
		how     string
	}{
		{Always, Untimed, true, "decided"}, {Always, Closing, false, "decided"}, {Always, Closing, true, "violation must be confirmed"},
		{Always, Exact, true, "only refuted"}, {Always, Dense, true, "decided"},
		{Linearizable, Closing, true, "violation must be confirmed"},
		{Sometimes, Closing, true, "witness must be confirmed"}, {SometimesDone, Closing, false, "decided"},
		{Sometimes, Exact, true, "only witnessed"},
		{Possible, Closing, false, "decided"}, {Possible, Closing, true, "decided where nothing misleads"},
		{Possible, Exact, true, "undecided: strict bound"}, {Possible, Dense, false, "undecided: dense time"},
		{Eventually, Untimed, false, "decided"}, {Eventually, Dense, true, "undecided: dense time"},
		{AlmostSurely, Untimed, false, "refused"}, {AlmostSurely, Closing, false, "decided"}, {AlmostSurely, Dense, false, "undecided: dense time"},
		{Cost, Untimed, true, "decided"}, {Cost, Dense, true, "decided"}, {Cost, Closing, false, "decided"},
		{Cost, Closing, true, "numbers must be confirmed"}, {Cost, Exact, true, "undecided: strict bound"},
	} {
		if got := Of(Case{Kind: c.kind, Reading: c.reading, Strict: c.strict}).How(); got != c.how {
			t.Errorf("%v, %v, strict %v: %s; want %s", c.kind, c.reading, c.strict, got, c.how)
		}
	}
}

// Claims and systems find their place in the table.
func TestPlaces(t *testing.T) {
	for want, c := range map[Kind]model.Claim{
		Always: {}, AlwaysDone: {Done: true}, Invariant: {Invariant: func([]model.Node) error { return nil }},
		Linearizable: {Kind: model.Linearizable}, Refines: {Kind: model.Refines}, Sometimes: {Kind: model.Sometimes}, SometimesDone: {Kind: model.Sometimes, Done: true},
		Possible: {Kind: model.PossibleFromEverywhere, Done: true}, Eventually: {Kind: model.Eventually}, AlmostSurely: {Kind: model.AlmostSurely}, Cost: {Kind: model.Measured},
	} {
		if got := KindOf(c); got != want {
			t.Errorf("%v; want %v", got, want)
		}
	}
	s := &model.System{Faults: model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1, Suspicions: 1, Partitions: 1}, Forge: func(model.Node, model.NodeID, model.NodeID) []any { return nil }}
	if got := faultsOf(s); len(got) != int(faults) {
		t.Errorf("faults %v", got)
	}
	if _, may := Before(model.Claim{Kind: model.Eventually}, &model.System{}, Dense); may {
		t.Error("a claim under fairness may be decided in dense time")
	}
	for _, r := range []Reading{Untimed, Closing} {
		if _, may := Before(model.Claim{Kind: model.Eventually}, s, r); !may {
			t.Errorf("a claim under fairness may not be decided: %v", r)
		}
	}
}

// The reason why a case is open is that of the part which sets the limit, whatever other parts
// say of the case.
func TestBecause(t *testing.T) {
	for _, c := range []struct {
		at    Case
		limit string
		want  string
	}{
		{Case{Kind: AlmostSurely, Reading: timed[0], Channel: model.Bag, Cut: true}, Cut,
			"An event that a cut keeps from firing is owed all the same, so a run short of the goal may go on beyond the cut."},
		{Case{Kind: Eventually, Reading: Dense, Channel: model.FIFO, Cut: true}, DenseTime,
			"A class of dense time holds moments from which different things can follow, so it says what happens in some run and not from where; read the claim on the grid."},
		{Case{Kind: Possible, Reading: Untimed, Cut: true}, Cut, "The ways on from a state may all lead through the cut."},
		{Case{Kind: AlwaysDone, Reading: Untimed, Channel: model.FIFO, Cut: true}, Cut,
			"The claim holds up to the cut, and where a cut keeps an event from firing no run stops."},
		{Case{Kind: Possible, Reading: Untimed}, Cut, ""},
	} {
		if got := Because(c.at, c.limit); got != c.want {
			t.Errorf("%+v, %s: %q, want %q", c.at, c.limit, got, c.want)
		}
	}
}
