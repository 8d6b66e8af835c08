package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/abd"
	"contend/model"
)

var abdTarget = checker.Target{Protocol: abd.Protocol, Configure: configureABD}

// FuzzABD runs the register by bytes.
func FuzzABD(f *testing.F) { abdTarget.Fuzz(f) }

// configureABD takes seven bytes. That operations return assumes more than some faults leave, and is not watched then.
func configureABD(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(5)}.With(
		abd.Writers.Is(1+c.Choose(3)),
		abd.Readers.Is(1+c.Choose(3)),
		model.Ops.Is(1+c.Choose(3)),
	)
	config.Faults = model.Faults{Restarts: c.Choose(3), Loss: c.Choose(2), Duplication: c.Choose(2)}
	return model.Check{Config: config}
}
