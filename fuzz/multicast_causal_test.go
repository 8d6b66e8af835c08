package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast/causal"
	"contend/model"
)

var multicastCausalTarget = checker.Target{Protocol: causal.Protocol, Configure: configureMulticastCausal}

// FuzzMulticastCausal runs multicast in causal order by bytes.
func FuzzMulticastCausal(f *testing.F) { multicastCausalTarget.Fuzz(f) }

// configureMulticastCausal takes seven bytes, as for multicast in FIFO order.
func configureMulticastCausal(c sample.Choices) model.Check {
	return model.Check{Config: group(c)}
}
