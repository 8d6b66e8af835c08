package fuzz

import (
	"testing"

	"contend/checker/sample"
	"contend/impl/ricartagrawala"
	"contend/model"
)

var ricartAgrawalaTarget = target{
	protocol: ricartagrawala.Protocol, configure: configureRicartAgrawala,
	refuted: []string{"happened-before order"},
}

// FuzzRicartAgrawala runs the algorithm with logical clocks by bytes.
func FuzzRicartAgrawala(f *testing.F) { ricartAgrawalaTarget.fuzz(f) }

// configureRicartAgrawala takes six bytes. There is no duplication: a reply that
// comes twice is beyond what the algorithm was made for.
func configureRicartAgrawala(c sample.Choices) model.Config {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		ricartagrawala.Section.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	return config
}
