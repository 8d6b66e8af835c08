package causal

import "contend/model"

// A process that restarts without its clock gives its messages old timestamps again, and treats old
// messages as new ones. So the clock is kept in stable storage, with the messages that are
// postponed and those still to be sent.

// A StableProcess keeps its state through a crash, and goes on sending.
type StableProcess struct {
	Process `contend:"stable"`
}

// Start goes on where a crash came between two copies.
func (p *StableProcess) Start(env model.Env) { p.Outbox.Resume(env) }
