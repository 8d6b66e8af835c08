package abd

import "contend/model"

// options are a known optimization, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "unanimous", Title: "a read returns at once where all answers are one version: a quorum has it",
		Edit: define(unanimous{}), Show: model.Check{Config: sized(3, 1, 1, 1)},
	},
	{
		Name: "always-queries", Title: "an only writer queries, too, as where there are several",
		Edit: define(alwaysQueries{}), Show: model.Check{Config: sized(2, 1, 1, 1)},
	},
	{
		Name: "skips-numbers", Title: "a writer leaves out numbers",
		Edit: define(skipsNumbers{}), Show: model.Check{Config: sized(1, 2, 1, 1)},
	},
}

type unanimous struct{ Spec }

// Settled reports whether all answers are equal.
func (unanimous) Settled(_ *Config, answers map[model.NodeID]Version) bool {
	seen := map[Version]bool{}
	for _, v := range answers {
		seen[v] = true
	}
	return len(seen) == 1
}

type alwaysQueries struct{ Spec }

// Queries returns true.
func (alwaysQueries) Queries(*Config) bool { return true }

type skipsNumbers struct{ Spec }

// Next skips a number.
func (skipsNumbers) Next(t Tag, writer model.NodeID) Tag { return Tag{t.Number + 2, writer} }
