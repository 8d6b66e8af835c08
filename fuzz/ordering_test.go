package fuzz

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/ordering"
	"contend/model"
)

var orderingTarget = checker.Target{
	Protocol: ordering.Protocol,
	Configure: func(c sample.Choices) model.Check {
		check := configureOrdering(c)
		check.Variant = []string{"", "register", "counter", "map", "cards", "seeded"}[c.Choose(6)]
		return check
	},
}

// FuzzOrdering runs the ordering protocol by bytes.
func FuzzOrdering(f *testing.F) { orderingTarget.Fuzz(f) }

// configureOrdering takes seven bytes, and one more picks the object.
func configureOrdering(c sample.Choices) model.Check {
	size := []struct{ n, b int }{{1, 0}, {2, 0}, {3, 0}, {7, 1}}[c.Choose(4)]
	config := model.Config{N: size.n, B: size.b}.With(
		model.Clients.Is(2+c.Choose(2)),
		model.Ops.Is(1+c.Choose(2)),
		ordering.Attempts.Is(1+c.Choose(3)),
	)
	config.Faults = model.Faults{Duplication: c.Choose(3), Crashes: c.Choose(2), Loss: max(0, c.Choose(6)-4)}
	return model.Check{Config: config}
}

// credulous is the ordering protocol with clients that take one server's word for a
// result.
var credulous = func() *model.Protocol {
	p := *ordering.Protocol
	p.Variants = append(slices.Clone(p.Variants), model.Variant{
		Name: "credulous", Breaks: "Theorem 1",
		Edit: func(s *model.System) { s.Setup.(*ordering.Config).Least.Result = 1 },
	})
	return &p
}()
