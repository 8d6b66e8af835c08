package fifo

import "contend/model"

// A process that restarts must know its last number, its last deliveries, and the copies left to send. So all its state
// is in stable storage.

// A StableProcess retains its state at a crash, and continues to send.
type StableProcess struct {
	Process `contend:"stable"`
}

// Start continues after a crash between two copies.
func (p *StableProcess) Start(env model.Env) { p.Outbox.Resume(env) }
