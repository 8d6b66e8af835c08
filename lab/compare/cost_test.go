package compare

import (
	"errors"
	"strings"
	"testing"

	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model/costs"
)

// The search's minimum and maximum equal those of brute force, with every channel, fault and reading, with
// windows open and closed, with symmetry and absorption or without.
func TestCostsAgree(t *testing.T) {
	const most = 150 // states
	found, all := map[string]Costs{}, Costs{}
	seeds := 40
	if *full {
		seeds = 100
	}
	for seed := range uint64(seeds) {
		it := random.Draw(seed)
		if _, err := oracle.Judge(it.System, nil, it.Reading, most); errors.Is(err, oracle.ErrLarge) {
			all.Skipped++ // regardless of the cost
			continue
		}
		for i, cost := range random.Costs() {
			if uint64(i)%2 == seed/4%2 {
				continue
			}
			c := &Comparison{Seed: seed, About: it.String()}
			c.measure(it, cost, most, costSetting(seed))
			if len(c.Problems) > 0 {
				t.Error(strings.Join(c.Problems, "\n"))
			}
			of := found[cost.Name]
			of.add(c.Costs)
			found[cost.Name] = of
			all.add(c.Costs)
		}
	}
	sections := costs.SynchronizationDelay().Name // systems in which one is left and another waits are larger
	for _, c := range random.Costs() {
		if *full && c.Name != sections && found[c.Name].Compared < 3 {
			t.Errorf("%s: %+v", c.Name, found[c.Name])
		}
	}
	if all.Spread < seeds/5 || all.Compared < seeds*2/3 {
		t.Errorf("of all costs %+v", all)
	}
	t.Logf("%+v", all)
}
