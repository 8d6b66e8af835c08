// Package committee model-checks the consensus of github.com/nspcc-dev/dbft: a few validators agree on one
// block. It runs the library's own code.
//
// The glue between the library and the search is in validator.go and library.go. The messages are in
// messages.go, the messages of a liar in adversary.go, the claims in claims.go and the other files of this
// directory.
package committee

import (
	"time"

	"contend/examples/dbft/payload"
	"contend/model"

	"github.com/nspcc-dev/dbft"
)

// A Validator is a consensus node: the library, until it has a block, and what surrounds it.
type Validator struct {
	cfg   *Config
	Index int
	Core  *dbft.DBFT[payload.Hash] // nil when the block is accepted

	Block    payload.Hash // that is accepted, or ""
	At       byte         // the view in which it was accepted
	Timeouts int          // that are left
	Starts   int          // how often it has started; outlives a crash
	Disk     *Disk        // outlives a crash; nil where nothing was written

	env       model.Env // of the handler that runs
	restoring bool      // in Start
}

// A TimedOut is the alarm: the library has one timer.
type TimedOut struct{}

// Start starts consensus at the height, and goes on where the disk says.
func (v *Validator) Start(env model.Env) {
	v.Starts++
	if v.Core == nil { // it has the block
		return
	}
	v.during(env, func() {
		v.restoring = v.Disk != nil
		v.Core.Start(0)
		v.restoring = false
		v.restore()
	})
}

// Receive handles a payload.
func (v *Validator) Receive(env model.Env, from model.NodeID, m any) {
	p := m.(carrier).carried()
	if v.Core == nil || !v.cfg.Takes(v, p, from) {
		return
	}
	if r, helps := p.Body.(payload.Recovery); helps {
		p.Body = v.opened(r)
	}
	v.during(env, func() { v.Core.OnReceive(p) })
}

// opened returns a recovery message with the payloads that the validator accepts.
func (v *Validator) opened(r payload.Recovery) payload.Recovery {
	all := make([]payload.Payload, len(r.Payloads))
	for i, p := range r.Payloads {
		all[i] = v.cfg.Opens(p)
	}
	return payload.Recovery{Payloads: all}
}

// signed reports whether the sender of a payload is its validator and has signed it.
func (v *Validator) signed(p payload.Payload, from model.NodeID) bool {
	return p.Genuine() && int(p.From) == int(from)
}

// Timeout fires the library's timer. A primary that waits to propose uses no time-out of the budget.
func (v *Validator) Timeout(env model.Env, _ any) {
	if !v.proposes() {
		v.Timeouts--
	}
	v.during(env, func() { v.Core.OnTimeout(v.Core.BlockIndex, v.Core.ViewNumber) })
}

// during runs a function of the library, and notes its effects. It runs nothing once the block is accepted: a
// user of the library goes on to the next height.
func (v *Validator) during(env model.Env, something func()) {
	view, heard := v.Core.ViewNumber, v.heard()
	v.env = env
	something()
	v.env = nil
	if now := v.heard(); now != nil && heard == nil {
		env.Note(Heard{now.ViewNumber()})
	}
	if now := v.Core.ViewNumber; now != view {
		env.Note(Entered{now})
	}
	if v.Block != "" {
		v.Core = nil
		env.Cancel(TimedOut{})
		return
	}
	v.arm(env)
}

// heard returns the liar's Commit, if there is a liar and the library has its Commit.
func (v *Validator) heard() dbft.ConsensusPayload[payload.Hash] {
	if liar := v.cfg.Liar; liar >= 0 && liar < len(v.Core.CommitPayloads) {
		return v.Core.CommitPayloads[liar]
	}
	return nil
}

// arm sets the timer again. It may fire at any time.
func (v *Validator) arm(env model.Env) {
	if v.proposes() || v.Timeouts > 0 {
		env.After(TimedOut{}, model.Anytime())
	} else {
		env.Cancel(TimedOut{})
	}
}

// proposes reports whether the timer belongs to a primary that is about to propose.
func (v *Validator) proposes() bool { return v.Core.IsPrimary() && !v.Core.RequestSentOrReceived() }

// broadcast sends a payload to all others, and says so.
func (v *Validator) broadcast(m dbft.ConsensusPayload[payload.Hash]) {
	p := m.(payload.Payload)
	if v.cfg.Writes {
		v.write(p)
	}
	block := payload.Name(v.Core.PrimaryIndex, v.Core.Nonce)
	switch b := p.Body.(type) {
	case payload.Request:
		v.env.Note(Proposed{p.View, block})
		v.env.Note(Prepared{p.View, block, p.Hash()})
	case payload.Response:
		v.env.Note(Prepared{p.View, block, b.To})
	case payload.Commitment:
		v.env.Note(Committed{p.View, v.Core.Header().Hash(), v.Core.PreparationPayloads[v.Core.PrimaryIndex].Hash()})
	case payload.Change:
		v.env.Note(Asked{b.New})
	}
	if _, helps := p.Body.(payload.Recovery); !helps || !v.cfg.Unhelped {
		v.env.Broadcast(v.cfg.others(v.Index), wrap(p))
	}
}

// accept accepts the block.
func (v *Validator) accept(b dbft.Block[payload.Hash]) error {
	v.Block, v.At = b.Hash(), v.Core.ViewNumber
	v.env.Note(Accepted{v.At, v.Block})
	return nil
}

// A timer implements the library's clock and timer. The clock does not advance, and an alarm replaces the
// timer.
type timer struct{}

func (timer) Now() time.Time                    { return time.Time{} }
func (timer) Reset(uint32, byte, time.Duration) {}
func (timer) Extend(time.Duration)              {}
func (timer) Height() uint32                    { return height }
func (timer) View() byte                        { return 0 }
func (timer) C() <-chan time.Time               { return nil }
