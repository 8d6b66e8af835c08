package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/sigma"
	"contend/model"
)

var sigmaTarget = checker.Target{Protocol: sigma.Protocol, Configure: configureSigma}

// FuzzSigma runs Sigma by bytes.
func FuzzSigma(f *testing.F) { sigmaTarget.Fuzz(f) }

// configureSigma takes six bytes. Servers restart as often as the system tolerates; there is no
// duplication besides, which is beyond what Sigma was made for.
func configureSigma(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(5)}.With(
		model.Clients.Is(1+c.Choose(3)),
		model.Ops.Is(1+c.Choose(3)),
		sigma.Checks.Is(c.Choose(3)),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Restarts: c.Choose(2) * ((config.N - 1) / 3)}
	return model.Check{Config: config}
}
