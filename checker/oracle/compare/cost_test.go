package compare

import (
	"strings"
	"testing"

	"contend/checker"
	"contend/checker/internal/random"
	"contend/checker/oracle"
	"contend/model"
	"contend/model/costs"
)

// sorts are costs of every sort: of a whole run, of an operation, along chains, of each
// operation at the end, since moments of any node. They count to so few that what goes on for
// ever has few states.
func sorts() []*model.Cost {
	behalf := func(o model.Observation) (model.NodeID, bool) {
		return min(o.Node, o.To), o.To != 1 // some are for nobody
	}
	all := []*model.Cost{costs.Messages(), costs.PerOperation(behalf), costs.Latency(), costs.PerPassage(behalf),
		since("since requests", model.Invoked), since("since notes", model.Noted), since("since returns", model.Returned)}
	for _, c := range all {
		c.Most = 4
	}
	return all
}

// since measures, at every observation, the longest chain since the last of a kind at any node.
func since(name string, kind model.ObservationKind) *model.Cost {
	return &model.Cost{
		Name: name, Chains: true,
		Since: func(o model.Observation) bool { return o.Kind == kind },
		Meter: func(*model.System) model.Monitor { return &chains{} },
	}
}

type chains struct{}

func (*chains) Observe(w model.Watch, o model.Observation) { w.Measure(o.Chain) }

// What a search says is the least and the most brute force finds, too, with every channel, fault
// and reading, with windows open and closed, with symmetry and absorption or without.
func TestCostsAgree(t *testing.T) {
	found, spread := map[string]int{}, 0
	for seed := range uint64(100) {
		it := random.Draw(seed)
		for _, c := range sorts() {
			g, err := oracle.Explore(it.System, []model.Claim{c.Claim()}, clockOf(it), 150)
			if err != nil {
				continue // too large
			}
			row := costOf(t, seed, it, c)
			want, any := g.Costs[c.Name]
			if any != (row.Least != nil) && row.Limit == "" {
				t.Errorf("seed %d, %s: brute force finds a number: %v, the search %v (%s)", seed, c.Name, any, row.Least, row.Limit)
			}
			if row.Least == nil || !any {
				continue
			}
			found[c.Name] += agree(t, seed, it, c, row.Least, want.Least) + agree(t, seed, it, c, row.Most, want.Most)
			if want.Least < want.Most {
				spread++
			}
		}
	}
	for _, c := range sorts() {
		if found[c.Name] < 20 || spread < 12 {
			t.Errorf("%s: %d numbers were compared, of all costs %d with a spread", c.Name, found[c.Name], spread)
		}
	}
}

func clockOf(it random.Case) oracle.Clock {
	if it.Reading == model.Untimed {
		return oracle.None
	}
	return oracle.Real
}

// costOf searches, with all reductions or none.
func costOf(t *testing.T, seed uint64, it random.Case, c *model.Cost) *checker.CostRow {
	p := &model.Protocol{Name: "random", Costs: []*model.Cost{c}, Build: func(model.Config) (*model.System, error) {
		s := *it.System
		return &s, nil
	}}
	opt := checker.Options{Workers: 1, MaxStates: searched}
	if seed%2 == 0 {
		opt.Reduce = []string{}
	}
	row, err := checker.FindCost(p, c, model.Check{Reading: it.Reading, Config: model.Config{Faults: it.System.Faults}}, opt)
	if err != nil || strings.HasPrefix(row.Limit, checker.Internal) {
		t.Fatalf("seed %d (%v), %s: error %v, limit %s", seed, it, c.Name, err, row.Limit)
	}
	return row
}

// agree compares a number with the right one, and returns 1 if it was confirmed.
func agree(t *testing.T, seed uint64, it random.Case, c *model.Cost, got *checker.Reading, want int) int {
	t.Helper()
	if !got.Confirmed {
		return 0
	}
	if want > c.Most {
		if !got.More || got.Number != c.Most {
			t.Errorf("seed %d (%v), %s: %v, but brute force says more than %d", seed, it, c.Name, got, c.Most)
		}
		return 1
	}
	if got.More || got.Number != want {
		t.Errorf("seed %d (%v), %s: %v, but brute force says %d", seed, it, c.Name, got, want)
	}
	return 1
}
