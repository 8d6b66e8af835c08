package multicast

import (
	"testing"

	"contend/model"
)

// The first processes multicast. By default all do, and never more than the group has.
func TestSenders(t *testing.T) {
	for _, c := range []struct {
		senders int
		sends   []int
		err     string
	}{
		{0, []int{2, 2, 2}, ""},
		{2, []int{2, 2, 0}, ""},
		{4, nil, "senders is 4, but must be at most n = 3"},
	} {
		config := model.Config{N: 3}.With(Senders.Is(c.senders), Messages.Is(2))
		got := ""
		if err := CheckSenders(config); err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("senders %d: %q", c.senders, got)
		}
		for i, want := range c.sends {
			if got := len(Script(config, i)); got != want {
				t.Errorf("senders %d: process %d sends %d messages, want %d", c.senders, i+1, got, want)
			}
		}
	}
}

// The claims of a protocol and its other properties together are all claims about a group.
func TestOthers(t *testing.T) {
	claimed := []model.Claim{
		Claim(Group, TotalOrder, "", ""), Claim(Group, Integrity, "a text", "a proof", model.NoLoss),
	}
	if c := claimed[1]; c.Name != Integrity || c.Source != "a text" || c.Proof != "a proof" || len(c.Assumes) != 2 {
		t.Errorf("the claim is %+v", c)
	}
	seen := map[string]bool{}
	for _, c := range append(Others(Group, claimed), claimed...) {
		if seen[c.Name] || c.Monitor == nil {
			t.Errorf("%q, met before: %v", c.Name, seen[c.Name])
		}
		seen[c.Name] = true
	}
	if len(seen) != 8 {
		t.Errorf("there are %d: %v", len(seen), seen)
	}
}
