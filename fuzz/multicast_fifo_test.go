package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/fifo"
	"contend/model"
)

var multicastFIFOTarget = checker.Target{Protocol: fifo.Protocol, Configure: configureMulticastFIFO}

// FuzzMulticastFIFO runs multicast in FIFO order by bytes.
func FuzzMulticastFIFO(f *testing.F) { multicastFIFOTarget.Fuzz(f) }

// configureMulticastFIFO takes seven bytes. There is no restart: a process that forgets what it
// delivered delivers it again. A claim whose assumptions the faults do not meet is not watched.
func configureMulticastFIFO(c sample.Choices) model.Check {
	return model.Check{Config: group(c)}
}

// group is a group of processes with faults, by seven bytes.
func group(c sample.Choices) model.Config {
	n := 2 + c.Choose(3)
	config := model.Config{N: n}.With(
		multicast.Senders.Is(1+c.Choose(n)),
		multicast.Messages.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{
		Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4), Duplication: max(0, c.Choose(6)-4),
	}
	return config
}
