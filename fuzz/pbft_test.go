package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/pbft"
	"contend/model"
)

var pbftTarget = checker.Target{Protocol: pbft.Protocol, Configure: configurePBFT}

// FuzzPBFT runs PBFT by bytes.
func FuzzPBFT(f *testing.F) { pbftTarget.Fuzz(f) }

// configurePBFT takes eight bytes. That all requests are executed assumes more than some faults leave, and is not watched
// then.
func configurePBFT(c sample.Choices) model.Check {
	config := model.Config{N: 4, B: c.Choose(2)}
	if c.Choose(4) == 0 {
		config = model.Config{N: 7, B: c.Choose(3)}
	}
	config = config.With(
		pbft.Views.Is(1+c.Choose(4)),
		pbft.Requests.Is(2+c.Choose(2)),
		pbft.Numbers.Is(1+c.Choose(2)),
		pbft.Liar.Is(c.Choose(4)),
	)
	config.Faults = model.Faults{Loss: c.Choose(3), Duplication: c.Choose(2)}
	return model.Check{Config: config}
}
