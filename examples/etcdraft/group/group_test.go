package group_test

import (
	"fmt"
	"reflect"
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/examples/etcdraft/group"
	"contend/model"
)

// Test checks that every check holds except the findings, that the findings replay, that every mutant is
// caught, and no option is. With -short it runs each third check and each third mutant.
func Test(t *testing.T) {
	p := *group.Protocol
	if testing.Short() {
		p.Checks, p.Variants = nil, nil
		for i, c := range group.Protocol.Checks {
			if i%3 == 0 {
				p.Checks = append(p.Checks, c)
			}
		}
		for i, v := range group.Protocol.Variants {
			if i%3 == 0 || !v.Mutant() {
				p.Variants = append(p.Variants, v)
			}
		}
	}
	checker.Test(t, &p)
}

// TestStates pins the numbers of states of the first checks. A different number means that the library, its
// glue or the names of states have changed. Some of these checks exercise each claim.
func TestStates(t *testing.T) {
	witnessed := map[string]bool{}
	counted := []int{147, 7803, 1602, 41324, 9289, 241, 248, 117, 6455, 925, 585093, 207798, 322}
	for i, states := range counted {
		if testing.Short() && states > 1000 {
			continue
		}
		check := group.Protocol.Checks[i]
		rows, err := checker.Check(group.Protocol, check, checker.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if int(r.States) != states {
				t.Errorf("check %d: %d states, not %d", i+1, r.States, states)
			}
			for _, claim := range r.Claims {
				witnessed[claim.Name] = witnessed[claim.Name] || claim.Witnessed
			}
		}
	}
	for _, c := range group.Protocol.Claims {
		if !witnessed[c.Name] && !testing.Short() {
			t.Errorf("no run put %s to the test", c.Name)
		}
	}
}

// What does not fit together is refused in a sentence.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		config model.Config
		err    string
	}{
		{model.Config{N: 3}.With(group.Voters.Is(4)), "voters is 4, but there are only n = 3 peers"},
		{model.Config{N: 2}.With(group.Led.Is(1), group.Candidates.Is(2)), "candidates is 2, but there are only n = 2 peers, the leader among them"},
		{model.Config{N: 2}.With(group.Candidates.Is(0)), "candidates is 0, but only a group that is led at the beginning needs none"},
	} {
		if _, err := group.Protocol.System("", c.config); fmt.Sprint(err) != c.err {
			t.Errorf("%v: %v, not %s", c.config, err, c.err)
		}
	}
}

// A search that begins in the middle of a run to a violation finds it, in a peer that is rebuilt from its
// history. It needs the same number of steps and fewer states.
func TestFromTheMiddleOfARun(t *testing.T) {
	variant, err := group.Protocol.Variant("vote-not-written")
	if err != nil {
		t.Fatal(err)
	}
	check := variant.Show
	check.Variant, check.Claims = variant.Name, []string{variant.Breaks}
	from, states := (*checker.From)(nil), int64(0)
	for range 2 {
		rows, err := checker.Check(group.Protocol, check, checker.Options{Workers: 1, From: from})
		if err != nil {
			t.Fatal(err)
		}
		found := rows[0].Claims[0].Counterexample
		switch {
		case found == nil:
			t.Fatalf("%s: %s", variant.Breaks, rows[0].Verdict)
		case from != nil && (!reflect.DeepEqual(found.Steps[:from.Steps], from.Trace.Steps[:from.Steps]) || len(found.Steps) != len(from.Trace.Steps) || rows[0].States >= states):
			t.Errorf("%d steps, %d states; from the beginning %d steps, %d states", len(found.Steps), rows[0].States, len(from.Trace.Steps), states)
		}
		from, states = &checker.From{Trace: found, Steps: len(found.Steps) - 3}, rows[0].States
	}
}

// FuzzGroup runs groups of up to five peers by bytes.
func FuzzGroup(f *testing.F) {
	checker.Target{Protocol: group.Protocol, Configure: configure}.Fuzz(f)
}

func configure(c sample.Choices) model.Check {
	n := 3 + c.Choose(3)
	config := model.Config{N: n}.With(
		group.Candidates.Is(1+c.Choose(2)), group.Campaigns.Is(1+c.Choose(3)), group.Proposals.Is(c.Choose(4)), group.Reads.Is(c.Choose(3)),
		group.Transfers.Is(c.Choose(2)), group.Led.Is(c.Choose(2)), group.Voters.Is(n-c.Choose(2)), group.Changes.Is(c.Choose(3)), group.Compact.Is(c.Choose(3)),
	)
	config.Faults = model.Faults{Loss: c.Choose(3), Duplication: c.Choose(2), Restarts: c.Choose(3), Partitions: c.Choose(2)}
	variants := []string{"", "prevote", "checkquorum", "prevote+checkquorum", "async", "torn", "joint", "learners", "step-down+joint"}
	return model.Check{Variant: variants[c.Choose(len(variants))], Config: config}
}
