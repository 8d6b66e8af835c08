package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/mutex"
	"contend/impl/ricartagrawala"
	"contend/model"
)

var ricartAgrawalaTarget = checker.Target{Protocol: ricartagrawala.Protocol, Configure: configureRicartAgrawala}

// FuzzRicartAgrawala runs the algorithm with logical clocks by bytes.
func FuzzRicartAgrawala(f *testing.F) { ricartAgrawalaTarget.Fuzz(f) }

// configureRicartAgrawala takes six bytes. There is no duplication: a reply that
// comes twice is beyond what the algorithm was made for.
func configureRicartAgrawala(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		mutex.Section.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	return model.Check{Config: config}
}
