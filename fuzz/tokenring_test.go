package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/mutex"
	"contend/impl/tokenring"
	"contend/model"
)

var tokenringTarget = checker.Target{Protocol: tokenring.Protocol, Configure: configureTokenring}

// FuzzTokenring runs the token ring by bytes.
func FuzzTokenring(f *testing.F) { tokenringTarget.Fuzz(f) }

// configureTokenring takes six bytes. There is no duplication and no restart: a token that comes twice
// is beyond what the algorithm was made for.
func configureTokenring(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		mutex.Section.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	return model.Check{Config: config}
}
