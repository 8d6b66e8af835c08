package committee_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"contend/checker"
	"contend/checker/judge"
	"contend/checker/sample"
	"contend/examples/dbft/committee"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// Test checks that every check holds except the findings, that the findings replay, and that every mutant is
// caught.
func Test(t *testing.T) { checker.Test(t, committee.Protocol) }

// TestStates pins the numbers of states of some checks. A different number means that the library, its glue
// or the names of states have changed.
func TestStates(t *testing.T) {
	for i, states := range map[int]int{5: 40727, 6: 10968} {
		rows, err := checker.Check(committee.Protocol, committee.Protocol.Checks[i], checker.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if int(r.States) != states {
				t.Errorf("check %d: %d states, not %d", i+1, r.States, states)
			}
		}
	}
}

// The stored runs violate their claims, step by step.
func TestKeptRuns(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d kept runs: %v", len(files), err)
	}
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := traces.Read(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Replay(committee.Protocol, trace, judge.Watched(committee.Protocol.Statements())); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// What does not fit together is refused in a sentence.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		config model.Config
		err    string
	}{
		{model.Config{N: 4, B: 1}.With(committee.Liar.Is(4)), "liar is 4, but there are only n = 4 validators, from 0 on"},
		{model.Config{N: 5, B: 1, Faults: model.Faults{Crashes: 1}}, "b and crashes are 2 together, but n = 5 validators bear f = 1 faulty ones"},
		{model.Config{N: 5, B: 1, Beyond: true, Faults: model.Faults{Crashes: 1}}, "<nil>"},
	} {
		if _, err := committee.Protocol.System("", c.config); fmt.Sprint(err) != c.err {
			t.Errorf("%v: %v, not %s", c.config, err, c.err)
		}
	}
}

// FuzzCommittee runs committees of four or five validators by bytes: with a liar, a crash, or neither.
func FuzzCommittee(f *testing.F) {
	checker.Target{Protocol: committee.Protocol, Configure: configure}.Fuzz(f)
}

func configure(c sample.Choices) model.Check {
	n, faulty := 4+c.Choose(2), c.Choose(3)
	config := model.Config{N: n, Faults: model.Faults{Loss: c.Choose(3), Duplication: c.Choose(2)}}
	switch faulty {
	case 1:
		config.B = 1
	case 2:
		config.Faults.Crashes = 1
		config.Faults.Partitions = c.Choose(2)
	}
	return model.Check{Config: config.With(
		committee.Liar.Is(c.Choose(n)), committee.Views.Is(1+c.Choose(3)), committee.Timeouts.Is(c.Choose(4)), committee.Hasty.Is(c.Choose(n+1)),
	)}
}
