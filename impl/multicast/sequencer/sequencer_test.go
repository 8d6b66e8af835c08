package sequencer_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast"
	"contend/impl/multicast/sequencer"
	"contend/model"
)

// stated are the least and the most of each cost with three processes.
var stated = []struct {
	variant, cost string
	least, most   int
}{
	{"", "messages per multicast", 4, 4},
	{"", "delivery latency", 2, 2},
	{"", "messages of the sequencer", 4, 4},
	{"member", "messages per multicast", 2, 2},
	{"member", "delivery latency", 0, 1},
	{"orders", "messages per multicast", 7, 7},
	{"orders", "delivery latency", 2, 2},
	{"orders", "messages of the sequencer", 4, 4},
}

// The costs of one multicast equal the costs in the proofs.
func TestCosts(t *testing.T) {
	for _, is := range stated {
		cost, err := sequencer.Protocol.Cost(is.cost)
		if err != nil {
			t.Fatal(err)
		}
		check := model.Check{Variant: is.variant, Config: model.Config{N: 3}.With(multicast.Messages.Is(1), multicast.Senders.Is(1))}
		row, err := checker.FindCost(sequencer.Protocol, cost, check, checker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if row.Least == nil || row.Most == nil || row.Least.Number != is.least || row.Most.Number != is.most || !row.Limit.None() {
			t.Errorf("%s: %+v, want %d to %d", row.Command, row, is.least, is.most)
		}
	}
}

// What FIFO and causal order depend on: neither is claimed.
func TestOrders(t *testing.T) {
	for variant, want := range map[string]checker.Verdict{
		"":              checker.Violated,
		"batches":       checker.Violated,
		"fifo-channels": checker.Holds,
		"fifo-total":    checker.Holds,
		"one-at-a-time": checker.Holds,
		"orders":        checker.Violated,
		"stable":        checker.Violated,
	} {
		check := model.Check{
			Variant: variant, Claims: []string{multicast.FIFOOrder, multicast.CausalOrder},
			Config: model.Config{N: 2}.With(multicast.Messages.Is(2), multicast.Senders.Is(1)),
		}
		rows, err := checker.Check(sequencer.Protocol, check, checker.Options{})
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
