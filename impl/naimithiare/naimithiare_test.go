package naimithiare_test

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/impl/naimithiare"
	"contend/model"
)

// stated are the numbers of messages in the text, n or 0 for an entry, and numbers that it does not give.
var stated = []struct {
	variant, cost  string
	n, least, most int
}{
	{"", "messages per entry", 2, 0, 2},
	{"", "messages per entry", 3, 0, 3},
	{"", "messages per entry that asks", 2, 2, 2},
	{"", "messages per entry that asks", 3, 3, 3},
	{"request-to-all", "messages per entry that asks", 2, 3, 3},
}

// The least and the most over all runs are the numbers of the text.
func TestMessages(t *testing.T) {
	for _, is := range stated {
		at := slices.IndexFunc(naimithiare.Protocol.Costs, func(c *model.Cost) bool { return c.Name == is.cost })
		check := model.Check{Variant: is.variant, Config: model.Config{N: is.n}.With(model.Ops.Is(1))}
		row, err := checker.FindCost(naimithiare.Protocol, naimithiare.Protocol.Costs[at], check, checker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if row.Least == nil || row.Most == nil || row.Least.Number != is.least || row.Most.Number != is.most || !row.Limit.None() {
			t.Errorf("%s: %+v, want %d to %d", row.Command, row, is.least, is.most)
		}
	}
}
