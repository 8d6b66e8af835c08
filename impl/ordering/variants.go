package ordering

import (
	"slices"

	"contend/model"
)

var variants = slices.Concat(options(slices.Concat(workloads, contends, readings, harmless)), mutants)

// options do not claim what is a finding for the protocol as printed: what stands
// beside it they claim.
func options(all []model.Variant) []model.Variant {
	for i := range all {
		all[i].Unclaimed = append(slices.Clone(all[i].Unclaimed), "Lemma 4 (1)", "Lemma 4 (2)")
	}
	return all
}

// contends are what contend may be besides abstract.
var contends = []model.Variant{
	{
		Name: "stabilizing", Title: "contend() keeps clients apart, but for --attempts overlaps in a run; Q₁ is U, channels are FIFO",
		Edit: stabilize, Show: model.Check{Config: model.Config{N: 2, Attempts: 1}, Claims: progress},
	},
	{
		Name: "composed", Title: "contend() is the protocol of Figure 1, with the same servers",
		Edit: compose, Unclaimed: []string{"Theorem 2, bounded"},
		Show: model.Check{Config: model.Config{N: 2, Clients: 1, Section: 6}, Reading: model.Grid, Claims: timedProgress},
	},
	{
		Name: "composed-truncated", Title: "as composed, with backoffs that stop growing after --tries broadcasts: finite without that cut",
		Edit: composeFinite, Unclaimed: []string{"Theorem 2, bounded"},
		Show: model.Check{Config: model.Config{N: 1, Section: 6, Attempts: 4}, Reading: model.Grid, Claims: timedProgress},
	},
}

// progress are the claims of Theorem 2. Where contend is timed they leave out how many
// passages an operation takes, which is known only where overlaps are counted.
var (
	progress      = append([]string{"Theorem 2, bounded"}, timedProgress...)
	timedProgress = []string{"Theorem 2", "Theorem 2, reliable", "Theorem 2, eventually"}
)

func setup(s *model.System) *Config { return s.Setup.(*Config) }
