package agreed_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast"
	"contend/impl/multicast/agreed"
	"contend/model"
)

// stated are the least and the most of each cost with three processes.
var stated = []struct {
	variant, cost string
	least, most   int
}{
	{"", "messages per multicast", 6, 6},
	{"", "delivery latency", 2, 3},
	{"by-message", "messages per multicast", 9, 9},
	{"by-message", "delivery latency", 3, 4},
}

// The costs of one multicast are the costs in the page of proofs.
func TestCosts(t *testing.T) {
	for _, is := range stated {
		cost, err := agreed.Protocol.Cost(is.cost)
		if err != nil {
			t.Fatal(err)
		}
		check := model.Check{Variant: is.variant, Config: model.Config{N: 3}.With(multicast.Messages.Is(1), multicast.Senders.Is(1))}
		row, err := checker.FindCost(agreed.Protocol, cost, check, checker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if row.Least == nil || row.Most == nil || row.Least.Number != is.least || row.Most.Number != is.most || !row.Limit.None() {
			t.Errorf("%s: %+v, want %d to %d", row.Command, row, is.least, is.most)
		}
	}
}

// The conditions of FIFO and causal order: neither is claimed.
func TestOrders(t *testing.T) {
	for variant, want := range map[string]checker.Verdict{
		"":               checker.Violated,
		"fifo-channels":  checker.Holds,
		"one-at-a-time":  checker.Holds,
		"unagreed-first": checker.Violated,
		"by-message":     checker.Violated,
	} {
		check := model.Check{
			Variant: variant, Claims: []string{multicast.FIFOOrder, multicast.CausalOrder},
			Config: model.Config{N: 2}.With(multicast.Messages.Is(2), multicast.Senders.Is(1)),
		}
		rows, err := checker.Check(agreed.Protocol, check, checker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, c := range row.Claims {
				if c.Verdict != want {
					t.Errorf("%s, %s: %v, want %v", variant, c.Name, c.Verdict, want)
				}
			}
		}
	}
}
