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
	return model.Config{
		N:       2 + c.Choose(3),
		Ops:     1 + c.Choose(3),
		Delay:   1 + model.Ticks(c.Choose(2)),
		Section: 1 + model.Ticks(c.Choose(2)),
		Faults:  model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)},
	}
}
