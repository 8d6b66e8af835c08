package fifo

import "contend/model"

// A process that restarts must know the last number that it gave and the last that it delivered, and
// the processes that it has not sent to yet: all its state is kept in stable storage.

// A StableProcess keeps its state through a crash, and goes on sending.
type StableProcess struct {
	Process `contend:"stable"`
}

// Start goes on where a crash came between two copies.
func (p *StableProcess) Start(env model.Env) { p.Outbox.Resume(env) }
