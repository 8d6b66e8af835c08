package causal

import "contend/model"

// A process that restarts without its clock reuses timestamps, and handles old messages as new ones. So the clock is in
// stable storage, with the postponed messages and the copies left to send.

// A StableProcess retains its state at a crash, and continues to send.
type StableProcess struct {
	Process `contend:"stable"`
}

// Start continues after a crash between two copies.
func (p *StableProcess) Start(env model.Env) { p.Outbox.Resume(env) }
