package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/changroberts"
	"contend/impl/election"
	"contend/model"
)

var changRobertsTarget = checker.Target{Protocol: changroberts.Protocol, Configure: configureChangRoberts}

// FuzzChangRoberts runs Chang and Roberts' election by bytes.
func FuzzChangRoberts(f *testing.F) { changRobertsTarget.Fuzz(f) }

// configureChangRoberts takes nine bytes. What a fault takes away from the claims is not put to the test.
func configureChangRoberts(c sample.Choices) model.Check {
	n := 2 + c.Choose(4)
	orders := []int{1, 1, 2, 6, 24}[n-1]
	config := model.Config{N: n}.With(
		changroberts.Ring.Is(c.Choose(orders)),
		election.Initiator.Is(1+c.Choose(n)),
		election.Initiators.Is(1+c.Choose(n)),
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{
		Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4), Suspicions: max(0, c.Choose(5)-3),
	}
	return model.Check{Config: config}
}
